#!/usr/bin/env bash
# Assembles a 1.13 distribution that fetch.sh cannot get, 1.13.1 by default, next to a fetched patch release of its line.
#
#   assemble.sh FOLDER [VERSION [FROM]]
#
# The flink-dist jar is made of the Maven modules of VERSION; scripts, configuration and log4j jars come from
# FOLDER/FROM (default 1.13.6). The formats and the table API are left out.
set -euo pipefail

folder=$(cd "$1" && pwd)
version=${2:-1.13.1}
from=${3:-1.13.6}
here=$(cd "$(dirname "$0")" && pwd)

mvn --quiet --batch-mode -f "$here/assemble/pom.xml" -Dflink.version="$version" package
mkdir -p "$folder/$version"/{lib,log,opt,plugins}
cp "$here/assemble/target/flink-dist_2.11-$version.jar" "$folder/$version/lib/"
cp "$folder/$from"/lib/log4j*.jar "$folder/$version/lib/"
cp -r "$folder/$from"/{bin,conf} "$folder/$version/"
touch "$folder/$version/.ready"
