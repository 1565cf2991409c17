#!/usr/bin/env bash
# Fetches Flink distributions from the Python registry, where every release since 1.10 is published whole.
#
#   fetch.sh FOLDER VERSION...
#
# Each version is unpacked to FOLDER/VERSION (bin conf lib opt plugins). From 1.13 on the jars are in the package
# apache-flink-libraries and the scripts in the wheel of apache-flink. FOLDER/VERSION/.ready marks a complete one.
# The registry lacks some patch releases (1.13.1 among them): assemble.sh builds those from Maven modules.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# pip makes a source package's metadata before it lets go of the file: that needs setuptools and wheel.
python3 -m venv "$work/venv"
pip="$work/venv/bin/pip"
"$pip" install --quiet 'setuptools<70' wheel

# wheel VERSION: the file of apache-flink for whichever Python it was built
wheel() {
  local python
  for python in 3.11:cp311 3.10:cp310 3.9:cp39 3.8:cp38 3.7:cp37m; do
    if "$pip" download --quiet --no-deps --only-binary :all: --dest "$work/wheel" --python-version "${python%:*}" \
      --abi "${python#*:}" --platform manylinux1_x86_64 --platform manylinux2014_x86_64 "apache-flink==$1" \
      >/dev/null 2>&1; then
      return
    fi
  done
  return 1
}

# sdist PACKAGE VERSION
sdist() {
  "$pip" download --quiet --no-deps --no-binary :all: --no-build-isolation --dest "$work/sdist" "$1==$2"
}

for version in "$@"; do
  target=$folder/$version
  [ -e "$target/.ready" ] && continue
  rm -rf "$work"/{wheel,sdist,unpacked}
  mkdir -p "$work"/{wheel,sdist,unpacked} "$target"/{log,plugins}
  case $version in
    1.10.*) sdist apache-flink "$version" ;;
    1.11.* | 1.12.*) wheel "$version" ;;
    *) sdist apache-flink-libraries "$version" && wheel "$version" ;;
  esac
  for file in "$work"/sdist/*.tar.gz; do
    if [ -e "$file" ]; then tar -xzf "$file" -C "$work/unpacked"; fi
  done
  for file in "$work"/wheel/*.whl; do
    if [ -e "$file" ]; then python3 -m zipfile -e "$file" "$work/unpacked"; fi
  done
  for part in bin conf lib opt plugins; do
    find "$work/unpacked" -type d -name "$part" -not -path '*/site-packages/*' | while read -r found; do
      mkdir -p "$target/$part"
      cp -rn "$found/." "$target/$part/"
    done
  done
  chmod +x "$target"/bin/*
  ls "$target"/lib/flink-dist*.jar >/dev/null
  touch "$target/.ready"
  echo "$version: $target"
done
