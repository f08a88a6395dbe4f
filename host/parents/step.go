package parents

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func (r *reader) step() error {
	return r.Object(func(name string) error {
		switch name {
		case "userInput":
			return r.userInput()
		case "invokeSubagent":
			return r.Object(r.invoked)
		case "plannerResponse":
			return r.planner()
		}
		return r.Skip()
	})
}

// invoked takes the ids of conversations that a step started.
func (r *reader) invoked(name string) error {
	if name != "results" {
		return r.Skip()
	}
	return r.Array(func() error {
		return r.Object(func(name string) error {
			if name != "conversationId" {
				return r.Skip()
			}
			id, _, err := r.Text()
			if err == nil && store.IsID(id) {
				r.started = append(r.started, strings.ToLower(id))
				err = r.keep(1)
			}
			return err
		})
	})
}

// userInput takes the first prompt that is not blank: the response, else the texts of its items.
func (r *reader) userInput() error {
	if r.hasFirst {
		return r.Skip()
	}
	var response string
	var items strings.Builder
	err := r.Object(func(name string) (err error) {
		switch name {
		case "userResponse":
			response, _, err = r.Text()
			return err
		case "items":
			return r.Array(func() error {
				return r.Object(func(name string) error {
					if name != "text" {
						return r.Skip()
					}
					text, _, err := r.Text()
					if items.Len()+len(text) > sidecar.MaxToken {
						return fmt.Errorf("%w: a prompt has more than %d bytes", sources.ErrLimit, sidecar.MaxToken)
					}
					items.WriteString(text)
					return err
				})
			})
		}
		return r.Skip()
	})
	if r.first, r.hasFirst = promptOf(response); !r.hasFirst {
		r.first, r.hasFirst = promptOf(items.String())
	}
	return err
}

// inText finds ids in a planner's words.
var inText = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

// planner uses up the calls before it, and keeps its own.
func (r *reader) planner() error {
	var named []string
	var calls []prompt
	err := r.Object(func(name string) error {
		switch name {
		case "response", "modifiedResponse":
			text, _, err := r.Text()
			if len(r.pending) > 0 {
				for _, id := range inText.FindAllString(text, maxFacts+1) {
					named = append(named, strings.ToLower(id))
				}
			}
			if len(named) > maxFacts {
				return r.keep(len(named))
			}
			return err
		case "toolCalls":
			return r.Array(func() error {
				prompts, err := r.call()
				if calls = append(calls, prompts...); len(calls) > maxFacts {
					return r.keep(len(calls))
				}
				return err
			})
		}
		return r.Skip()
	})
	if err != nil {
		return err
	}
	slices.Sort(named)
	if named = slices.Compact(named); len(named) > 0 && len(r.pending) > 0 {
		r.answers = append(r.answers, answer{r.pending, named})
		if err := r.keep(len(named)); err != nil {
			return err
		}
	}
	r.pending = calls
	return r.keep(len(calls))
}

// call returns the prompts of a tool call that starts subagents.
func (r *reader) call() (prompts []prompt, err error) {
	var tool, arguments string
	err = r.Object(func(name string) (err error) {
		switch name {
		case "name":
			tool, _, err = r.Text()
		case "argumentsJson":
			arguments, _, err = r.Text()
		default:
			err = r.Skip()
		}
		return err
	})
	switch tool {
	case "invoke_subagent", "spawnagents", "spawn_agents":
		return promptsOf(arguments), err
	}
	return nil, err
}

// promptsOf reads subagents[].prompt out of arguments, whatever the case of the names. What is no JSON has none.
func promptsOf(arguments string) (prompts []prompt) {
	s := sidecar.NewScanner(strings.NewReader(arguments))
	err := s.Object(func(name string) error {
		if !strings.EqualFold(name, "subagents") {
			return s.Skip()
		}
		return s.Array(func() error {
			return s.Object(func(name string) error {
				if !strings.EqualFold(name, "prompt") {
					return s.Skip()
				}
				text, _, err := s.Text()
				if p, ok := promptOf(text); ok {
					prompts = append(prompts, p)
				}
				return err
			})
		})
	})
	if err != nil {
		return nil
	}
	return prompts
}
