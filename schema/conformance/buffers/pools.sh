#!/bin/sh
# Writes the vectors of buffer pools: pools.sh OUT DIST...
# Each DIST is an unpacked Flink distribution named by its version. Versions that say the same share a file; its first line names them.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -d "$work" "$here/Pools.java"
mkdir -p "$out"
rm -f "$out"/*.tsv
for dist in "$@"; do
  version=$(basename "$dist")
  java -cp "$work:$(printf '%s:' "$dist"/lib/*.jar)" Pools 2>/dev/null | LC_ALL=C sort >"$work/$version"
  [ -s "$work/$version" ] || continue
  for f in "$out"/*.tsv; do
    [ -e "$f" ] || break
    if tail -n +2 "$f" | cmp -s - "$work/$version"; then
      sed -i "1s/\$/ $version/" "$f"
      continue 2
    fi
  done
  { echo "# $version"; cat "$work/$version"; } >"$out/$version.tsv"
done
