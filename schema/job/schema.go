package job

import (
	_ "embed" // for the template
	"encoding/json"
	"strings"
)

//go:embed template.yaml
var template string

// Template is a job file in which every fact stands commented out, to begin from.
func Template() string { return template }

// A schemaNode is the part of JSON Schema (2020-12) that the job file needs. encoding/json sorts the properties.
type schemaNode struct {
	Schema      string                 `json:"$schema,omitempty"`
	Title       string                 `json:"title,omitempty"`
	Description string                 `json:"description,omitempty"`
	Type        any                    `json:"type,omitempty"`
	Const       any                    `json:"const,omitempty"`
	Enum        []string               `json:"enum,omitempty"`
	Pattern     string                 `json:"pattern,omitempty"`
	Minimum     *int64                 `json:"minimum,omitempty"`
	Maximum     *int64                 `json:"maximum,omitempty"`
	Above       *int64                 `json:"exclusiveMinimum,omitempty"`
	MaxItems    int                    `json:"maxItems,omitempty"`
	Items       *schemaNode            `json:"items,omitempty"`
	Required    []string               `json:"required,omitempty"`
	Additional  *bool                  `json:"additionalProperties,omitempty"`
	Properties  map[string]*schemaNode `json:"properties,omitempty"`
}

// Schema is the JSON Schema of the job file, for editors. It is made from the fields that Parse reads.
func Schema() []byte {
	root := objectSchema(factFields)
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	root.Title = "flinkadvise job facts"
	root.put(versionPath, &schemaNode{Description: "The version of this file format.", Const: FormatVersion})
	vertex, edge := objectSchema(vertexFields), objectSchema(edgeFields)
	vertex.Required, edge.Required = []string{"id"}, []string{"from", "to"}
	root.put(verticesPath, &schemaNode{
		Description: "The tasks of the job after chaining, as the web UI draws them.", Type: []string{"array", "null"}, MaxItems: MaxVertices, Items: vertex,
	})
	root.put(edgesPath, &schemaNode{
		Description: "The exchanges between tasks.", Type: []string{"array", "null"}, MaxItems: MaxEdges, Items: edge,
	})
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // the nodes hold nothing that JSON could not
	}
	return append(out, '\n')
}

// objectSchema is the schema of an object with these fields.
func objectSchema[T any](fields []field[T]) *schemaNode {
	root := closed("object")
	for _, f := range fields {
		shape := f.at(new(T)).form()
		node := &schemaNode{Description: f.doc, Enum: shape.values, Pattern: shape.pattern, Minimum: shape.minimum, Maximum: shape.maximum, Above: shape.above}
		if len(shape.types) == 1 {
			node.Type = shape.types[0]
		} else {
			node.Type = shape.types
		}
		root.put(f.path, node)
	}
	return root
}

func closed(types any) *schemaNode {
	no := false
	return &schemaNode{Type: types, Additional: &no, Properties: map[string]*schemaNode{}}
}

// put places a node at a dotted path, making the objects on the way.
func (s *schemaNode) put(path string, node *schemaNode) {
	first, rest, deeper := strings.Cut(path, pathDelimiter)
	if !deeper {
		s.Properties[first] = node
		return
	}
	if s.Properties[first] == nil {
		s.Properties[first] = closed([]string{"object", "null"})
	}
	s.Properties[first].put(rest, node)
}
