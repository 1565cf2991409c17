#!/bin/sh
# Runs the Java program over every line of versions.tsv, twice, on two make-believe machines, and leaves WORK/<line>.{a,b}.tsv.
#
#   reflect.sh DISTRIBUTIONS WORK [LINE...]
#
# DISTRIBUTIONS holds one folder per release with lib, opt and plugins, as the packages apache-flink-libraries (1.13 and later)
# and apache-flink (before) carry them under pyflink or deps; what is missing of the artefacts in versions.tsv is fetched
# into DISTRIBUTIONS/maven by Maven.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dists=$1 work=$2
shift 2
mkdir -p "$work/a" "$work/b"
work=$(cd "$work" && pwd)
mvn -q -B -f "$here/pom.xml" package

grep -v '^#' "$here/versions.tsv" | tail -n +2 | while IFS='	' read -r line release artefacts; do
	case " $* " in "  " | *" $line "*) ;; *) continue ;; esac
	jars=""
	for a in $artefacts; do
		name=${a%:*} version=${a#*:}
		jar="$dists/maven/$version/$name-$version.jar"
		[ -f "$jar" ] || mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
			"-Dartifact=org.apache.flink:$name:$version" "-DoutputDirectory=$dists/maven/$version" </dev/null
		jars="$jars $jar"
	done
	# What differs between the two runs depends on the machine: processors, memory, temporary folder, home, host, log file.
	for m in a b; do
		case $m in a) cpus=2 heap=512m ;; b) cpus=3 heap=700m ;; esac
		(cd "$work/$m" && env -i PATH="$PATH" HOME="$work/$m" USER=$m HOSTNAME=$m java -Xmx$heap -XX:ActiveProcessorCount=$cpus \
			"-Djava.io.tmpdir=$work/$m" "-Duser.home=$work/$m" -Duser.name=$m "-Dlog.file=$work/$m/log" \
			-jar "$here/target/options.jar" "$work/$line.$m.tsv" "$dists/$release/lib" "$dists/$release/opt" "$dists/$release/plugins" $jars \
			2>"$work/$line.$m.log" </dev/null)
	done
	printf '%s\t%s\t%s\n' "$line" "$release" "$(tail -n 1 "$work/$line.a.log")"
done
