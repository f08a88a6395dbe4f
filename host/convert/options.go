package convert

import (
	"bytes"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"agy-reader/sinks"
)

// checkOptions holds a target's options against the schema of its sink.
func checkOptions(info sinks.Info, options []byte) error {
	if options == nil {
		return nil
	}
	wrong := func(err any) error {
		return fmt.Errorf("options of %s: %w: %v", info.Name, sinks.ErrOptions, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(options))
	if err != nil {
		return wrong(err)
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return wrong("they are not a JSON object")
	}
	if info.OptionsSchema == nil {
		if len(object) > 0 {
			return wrong("this sink takes none")
		}
		return nil
	}
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(info.OptionsSchema))
	if err != nil {
		return wrong(fmt.Errorf("its schema is no JSON: %w", err))
	}
	compiler := jsonschema.NewCompiler()
	const place = "options.schema.json"
	if err := compiler.AddResource(place, text); err != nil {
		return wrong(err)
	}
	schema, err := compiler.Compile(place)
	if err != nil {
		return wrong(err)
	}
	if err := schema.Validate(value); err != nil {
		return wrong(err)
	}
	return nil
}
