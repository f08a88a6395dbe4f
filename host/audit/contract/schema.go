package contract

import (
	"bytes"
	_ "embed" // the schema
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed schema.json
var schemaText []byte

// Schema returns the JSON Schema, a text that ends in a newline.
func Schema() []byte { return bytes.Clone(schemaText) }

// schema is one schema, as far as it decides: every keyword of schema.json that is no annotation.
type schema struct {
	Ref        string             `json:"$ref"`
	Defs       map[string]*schema `json:"$defs"`
	Type       oneOrMore          `json:"type"`
	Enum       []string           `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Pattern    string             `json:"pattern"`
	MinLength  *int               `json:"minLength"`
	Minimum    *int64             `json:"minimum"`
	Maximum    *int64             `json:"maximum"`

	// to is what Ref names, pattern is Pattern.
	to      *schema
	pattern *regexp.Regexp
}

// oneOrMore is a list that may be written as its only element.
type oneOrMore []string

func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		*o = []string{""}
		return json.Unmarshal(text, &(*o)[0])
	}
	return json.Unmarshal(text, (*[]string)(o))
}

// compiled is the schema, ready. An error is a defect of the program.
var compiled = sync.OnceValues(func() (*schema, error) {
	root := &schema{}
	if err := json.Unmarshal(schemaText, root); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return root, root.link(root.Defs)
})

// link finds what the schema and those in it refer to.
func (s *schema) link(defs map[string]*schema) (err error) {
	if s.Ref != "" {
		if s.to = defs[strings.TrimPrefix(s.Ref, "#/$defs/")]; s.to == nil {
			return fmt.Errorf("the schema: nothing is called %s", s.Ref)
		}
	}
	if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	if s.Items != nil {
		err = s.Items.link(defs)
	}
	for _, inside := range []map[string]*schema{s.Properties, s.Defs} {
		for _, below := range inside {
			if err == nil {
				err = below.link(defs)
			}
		}
	}
	return err
}

// expand returns schemas with those they refer to.
func expand(schemas []*schema) []*schema {
	all := slices.Clone(schemas)
	for i := 0; i < len(all); i++ {
		if to := all[i].to; to != nil && !slices.Contains(all, to) {
			all = append(all, to)
		}
	}
	return all
}

// membersOf are the schemas for the member name of an object.
func membersOf(schemas []*schema, name string) []*schema {
	var all []*schema
	for _, s := range schemas {
		if member := s.Properties[name]; member != nil {
			all = append(all, member)
		}
	}
	return expand(all)
}

// elementsOf are the schemas for each element of an array.
func elementsOf(schemas []*schema) []*schema {
	var all []*schema
	for _, s := range schemas {
		if s.Items != nil {
			all = append(all, s.Items)
		}
	}
	return expand(all)
}
