package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"agy-reader/host/demo/build"
)

// part is one kind of step in a mix.
type part struct {
	make maker
	// weight is how often it comes, median its usual size in bytes. Half of the sizes lie within a factor of two of it.
	weight, median int
}

// mix is what a session is made of.
type mix struct {
	// turn is how many tool steps follow a prompt.
	turn int
	// response and thinking are usual sizes of what the model says.
	response, thinking, prompt int
	tools                      []part
	// giant adds one command with that much output.
	giant bool
	// messages leaves the texts of the model in a file, too.
	messages bool
}

var mixes = map[string]mix{
	"heavy": {turn: 12, response: 1500, thinking: 1200, prompt: 500, tools: []part{
		{viewFile, 6, 18000}, {runCommand, 6, 9000}, {grepSearch, 3, 14000}, {codeAction, 5, 42000},
	}},
	"light": {turn: 8, response: 700, thinking: 400, prompt: 300, tools: []part{
		{viewFile, 5, 5000}, {runCommand, 9, 1200}, {grepSearch, 2, 3500}, {codeAction, 3, 9000},
	}},
	"giant":    {turn: 8, response: 700, thinking: 400, prompt: 300, tools: []part{{runCommand, 1, 2000}}, giant: true},
	"messages": {turn: 0, response: 4000, prompt: 300, messages: true},
}

// pool is how many bodies of a kind there are.
const pool = 48

type session struct {
	mix   mix
	texts *texts
	r     *rand.Rand
	id    string
	// bodies are the prepared ones of a maker, by its place in the mix.
	bodies map[int][]*body
	clock  time.Time
	w      writer
	index  int
	prose  strings.Builder
}

func newSession(t *texts, m mix, seed uint64) *session {
	r := rand.New(rand.NewPCG(seed, 20))
	return &session{
		mix: m, texts: t, r: r, bodies: map[int][]*body{},
		id:    fmt.Sprintf("be%06x-0000-4000-8000-%012x", seed, seed),
		clock: time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC),
	}
}

// writer takes the rows of a session in one of the product's storage forms.
type writer interface {
	Step(row build.Row) error
	Close() error
}

// write makes a database of n steps, or an encrypted file of the same, at a path that must not exist.
func (s *session) write(path string, n, giant int) error {
	conversation := build.Conversation{CascadeID: s.id, TrajectoryID: "tr-" + s.id, TrajectoryType: 4, Source: 17}
	var err error
	if conversation.Metadata, err = encode("exa.cortex_pb.CortexTrajectoryMetadata", obj{
		"createdAt": s.clock.Format(time.RFC3339Nano), "rootConversationId": s.id, "workspaceUris": []string{workspace},
	}); err != nil {
		return err
	}
	if strings.HasSuffix(path, ".pb") {
		s.w, err = newEncrypted(path, conversation)
	} else {
		s.w, err = build.Create(path, conversation)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(s.steps(n, giant), s.w.Close()); err != nil {
		return err
	}
	if s.mix.messages {
		return os.WriteFile(path+".md", []byte(s.prose.String()), 0o600)
	}
	return nil
}

func (s *session) steps(n, giant int) error {
	for s.index < n {
		if err := s.plain(userInput, s.mix.prompt); err != nil {
			return err
		}
		if s.mix.giant && s.index > n/2 && giant > 0 {
			if err := s.toolStep(part{runCommand, 1, giant}, giant); err != nil {
				return err
			}
			giant = 0
		}
		for i := 0; i < s.mix.turn && s.index < n-1; i++ {
			p, key := s.choose()
			if err := s.pooledTool(p, key); err != nil {
				return err
			}
			if i == s.mix.turn/2 {
				if err := s.plain(reminder, 700); err != nil {
					return err
				}
			}
		}
		if s.index < n {
			if err := s.answer(nil, ""); err != nil {
				return err
			}
		}
		if s.index%500 > 480 {
			if err := s.plain(checkpoint, 2500); err != nil {
				return err
			}
		}
	}
	return nil
}

// choose picks a tool by weight.
func (s *session) choose() (part, int) {
	total := 0
	for _, p := range s.mix.tools {
		total += p.weight
	}
	at := s.r.IntN(total)
	for i, p := range s.mix.tools {
		if at < p.weight {
			return p, i
		}
		at -= p.weight
	}
	panic("unreachable: the weights add up")
}

// size varies around a median: a quarter up to 8 times smaller, a tenth up to 4 times larger.
func (s *session) size(median int) int {
	switch x := s.r.Float64(); {
	case x < 0.25:
		return max(median/(2+s.r.IntN(7)), 40)
	case x > 0.9:
		return median * (2 + s.r.IntN(3))
	default:
		return median/2 + s.r.IntN(median)
	}
}

func (s *session) pooledTool(p part, key int) error {
	if len(s.bodies[key]) < pool {
		b, err := newBody(s.texts, s.r, p.make, min(s.size(p.median), 90<<10))
		if err != nil {
			return err
		}
		s.bodies[key] = append(s.bodies[key], b)
		return s.call(b)
	}
	return s.call(s.bodies[key][s.r.IntN(pool)])
}

func (s *session) toolStep(p part, size int) error {
	b, err := newBody(s.texts, s.r, p.make, size)
	if err != nil {
		return err
	}
	return s.call(b)
}

// call is what the model says with its call, and the step that answers it.
func (s *session) call(b *body) error {
	id := fmt.Sprintf("call_%08d", s.index)
	if err := s.answer(b, id); err != nil {
		return err
	}
	done := s.clock.Add(1400 * time.Millisecond).Format(time.RFC3339Nano)
	return s.row(b, "MODEL", obj{
		"toolCall":   obj{"id": id, "name": b.tool, "argumentsJson": b.arguments},
		"toolAction": "Looking further", "toolSummary": "A step of the work", "toolSource": 1, "startedAt": s.now(), "completedAt": done,
	})
}

// answer is a step of the model; with a body it makes the call.
func (s *session) answer(b *body, id string) error {
	response := s.texts.words(s.r, s.size(s.mix.response))
	if b != nil && s.r.IntN(3) > 0 {
		response = "Next I look at what the tests say about it."
	}
	if s.mix.messages {
		s.prose.WriteString(response + "\n\n")
	}
	planner := obj{"messageId": fmt.Sprintf("bot-%d", s.index), "response": response, "modifiedResponse": response, "stopReason": "STOP_REASON_STOP_PATTERN"}
	if s.mix.thinking > 0 && s.r.IntN(2) == 0 {
		planner["thinking"], planner["thinkingDuration"] = s.texts.words(s.r, s.size(s.mix.thinking)), "2.125s"
	}
	if b != nil {
		planner["toolCalls"] = []obj{{"id": id, "name": b.tool, "argumentsJson": b.arguments}}
		planner["stopReason"] = "STOP_REASON_FUNCTION_CALL"
	}
	wire, err := encode(build.StepMessage, obj{"plannerResponse": planner})
	if err != nil {
		return err
	}
	return s.row(&body{kind: "PLANNER_RESPONSE", wire: wire}, "MODEL", obj{"modelUsage": obj{
		"inputTokens": fmt.Sprint(5000 + s.index), "outputTokens": fmt.Sprint(len(response) / 4), "responseId": fmt.Sprintf("r-%d", s.index),
	}})
}

// plain is a step that is no tool.
func (s *session) plain(m maker, median int) error {
	b, err := newBody(s.texts, s.r, m, s.size(median))
	if err != nil {
		return err
	}
	source := "SYSTEM"
	if b.kind == "USER_INPUT" {
		source = "USER_EXPLICIT"
	}
	return s.row(b, source, nil)
}

func (s *session) now() string {
	s.clock = s.clock.Add(700 * time.Millisecond)
	return s.clock.Format(time.RFC3339Nano)
}

// row writes a step: what every step has, then its body, as one message in the order of its fields.
func (s *session) row(b *body, source string, more obj) error {
	created := s.now()
	metadata := obj{
		"createdAt": created, "source": "CORTEX_STEP_SOURCE_" + source, "executionId": fmt.Sprintf("turn-%d", s.index/24),
		"sourceTrajectoryStepInfo": obj{"trajectoryId": "tr-" + s.id, "stepIndex": s.index, "cascadeId": s.id},
		"internalMetadata":         obj{"statusTransitions": []obj{{"updatedStatus": "CORTEX_STEP_STATUS_DONE", "timestamp": created}}},
	}
	for name, value := range more {
		metadata[name] = value
	}
	wire, err := encode("exa.cortex_pb.CortexStepMetadata", metadata)
	if err != nil {
		return err
	}
	kind, err := stepType(b.kind)
	if err != nil {
		return err
	}
	payload := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(kind))
	payload = protowire.AppendVarint(protowire.AppendTag(payload, 4, protowire.VarintType), statusDone)
	payload = build.AppendUnknown(payload, 5, wire)
	row := build.Row{Index: int64(s.index), Type: kind, Status: statusDone, Metadata: wire, Payload: append(payload, b.wire...)}
	s.index++
	return s.w.Step(row)
}

// statusDone is CORTEX_STEP_STATUS_DONE.
const statusDone = 3

// stepType is the number of a step type.
func stepType(kind string) (int64, error) {
	m, err := build.NewMessage(build.StepMessage)
	if err != nil {
		return 0, err
	}
	value := m.Descriptor().Fields().ByName("type").Enum().Values().ByName(protoreflect.Name("CORTEX_STEP_TYPE_" + kind))
	if value == nil {
		return 0, fmt.Errorf("no step type %s", kind)
	}
	return int64(value.Number()), nil
}
