package contract

import (
	"bytes"
	_ "embed" // the schema
	"fmt"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schema.json
var schemaText []byte

// schemaID is the schema's own name.
const schemaID = "urn:agy-reader:sidecar:1"

// Schema returns the JSON Schema, a text that ends in a newline.
func Schema() []byte { return bytes.Clone(schemaText) }

// compiled is the schema, ready. An error is a defect of the program.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource(schemaID, document); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return compiler.Compile(schemaID)
})

// expand returns schemas with those they refer to.
func expand(schemas []*jsonschema.Schema) []*jsonschema.Schema {
	all := slices.Clone(schemas)
	for i := 0; i < len(all); i++ {
		if to := all[i].Ref; to != nil && !slices.Contains(all, to) {
			all = append(all, to)
		}
	}
	return all
}

// membersOf are the schemas for the member name of an object.
func membersOf(schemas []*jsonschema.Schema, name string) []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, s := range schemas {
		if member := s.Properties[name]; member != nil {
			all = append(all, member)
		}
	}
	return expand(all)
}

// elementsOf are the schemas for each element of an array.
func elementsOf(schemas []*jsonschema.Schema) []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, s := range schemas {
		if s.Items2020 != nil {
			all = append(all, s.Items2020)
		}
	}
	return expand(all)
}
