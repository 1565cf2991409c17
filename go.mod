module github.com/flinkadvise/flinkadvise

go 1.25.0
