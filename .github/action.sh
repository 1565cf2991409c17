#!/usr/bin/env bash
# What the GitHub action does. FLINKADVISE names a program that is there already; without it the released one is installed.
set -euo pipefail
if [ -z "${FLINKADVISE:-}" ]; then
  bin=$(mktemp -d)
  GOBIN="$bin" go install "github.com/flinkadvise/flinkadvise/cmd/flinkadvise@${VERSION:-latest}"
  FLINKADVISE="$bin/flinkadvise"
fi
summary=${GITHUB_STEP_SUMMARY:-$(mktemp)}
markdown=$(mktemp)
annotations=$(mktemp)
args=(--fail-on "${FAIL_ON:-error}" -o text -o "markdown=$markdown" -o "github=$annotations")
[ -z "${FLINK_VERSION:-}" ] || args+=(--flink-version "$FLINK_VERSION")
[ -z "${JOB:-}" ] || args+=(--job "$JOB")
[ -z "${SARIF:-}" ] || args+=(-o "sarif=$SARIF")
read -r -a files <<<"${FILES:-.}"
code=0
"$FLINKADVISE" check "${args[@]}" "${files[@]}" || code=$?
cat "$annotations"
cat "$markdown" >>"$summary"
exit "$code"
