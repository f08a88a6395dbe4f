package convert

import (
	"encoding/json"
	"fmt"

	"agy-reader/sinks"
)

// checkOptions refuses options that no sink can take. What they mean is the sink's to say when it is opened.
func checkOptions(info sinks.Info, options []byte) error {
	if options == nil {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(options, &object); err != nil {
		return fmt.Errorf("options of %s: %w: not a JSON object: %w", info.Name, sinks.ErrOptions, err)
	}
	if info.OptionsSchema == nil && len(object) > 0 {
		return fmt.Errorf("options of %s: %w: it takes none", info.Name, sinks.ErrOptions)
	}
	return nil
}
