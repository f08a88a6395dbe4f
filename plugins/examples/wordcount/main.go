// Command wordcount is an example of a plugin for agy-reader: it counts the words of a conversation, by who said them.
//
// Build it with `go build .` and use it with `agy-reader convert --to plugin:./wordcount SESSION`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"agy-reader/plugins/sdk"
)

func main() { sdk.ServeSink(wordcount{}, sdk.Version("0.1.0"), sdk.License("MIT")) }

// wordcount is the sink. It keeps nothing itself, so one value serves many conversations at once.
type wordcount struct{}

func (wordcount) Describe() sdk.Info {
	return sdk.Info{
		Name:      "wordcount",
		Summary:   "counts the words of a conversation by who said them",
		MediaType: "text/plain",
		Suffix:    ".words.txt",
		Needs:     sdk.Needs{Blocks: true, Nested: true},
		OptionsSchema: []byte(`{
			"$schema": "https://json-schema.org/draft/2020-12/schema",
			"type": "object",
			"properties": {"minLength": {"type": "integer", "minimum": 1, "description": "count only words this long"}},
			"additionalProperties": false
		}`),
	}
}

func (w wordcount) Open(_ context.Context, req *sdk.Request, out sdk.Artifacts) (sdk.Session, error) {
	s := &session{out: out, name: req.BaseName + w.Describe().Suffix}
	if len(req.Options) > 0 {
		if err := json.Unmarshal(req.Options, &s.options); err != nil {
			return nil, fmt.Errorf("%w: %w", sdk.ErrOptions, err)
		}
	}
	return s, nil
}

type session struct {
	out     sdk.Artifacts
	name    string
	options struct {
		MinLength int `json:"minLength"`
	}
	title string
	words [5]int
}

// Event copies what it keeps: the event is only valid during the call.
func (s *session) Event(ev *sdk.Event) error {
	if begin := ev.GetBegin(); begin != nil && s.title == "" {
		s.title = begin.GetTitle().GetValue()
	}
	step := ev.GetStep()
	for _, block := range step.GetBlocks() {
		for word := range strings.FieldsSeq(block.GetText()) {
			if len(word) >= s.options.MinLength {
				s.words[role(step.GetRole())]++
			}
		}
	}
	return nil
}

func role(r sdk.Role) sdk.Role {
	if r < sdk.RoleUnspecified || r > sdk.RoleSystem {
		return sdk.RoleUnspecified
	}
	return r
}

func (s *session) Close() error {
	file, err := s.out.Create(s.name, "text/plain", 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s\nuser %d\nassistant %d\ntool %d\nsystem %d\n", s.title,
		s.words[sdk.RoleUser], s.words[sdk.RoleAssistant], s.words[sdk.RoleTool], s.words[sdk.RoleSystem])
	if err != nil {
		return err
	}
	return file.Close()
}

func (s *session) Abort() {}
