package brain

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// message is a file of an agent's message, protojson of exa.cortex_pb.AgentMessage. Members that are not of the expected
// type are shown as they are.
type message struct {
	members map[string]json.RawMessage
	raw     []byte
}

func (m message) text(key string) string {
	var text string
	if json.Unmarshal(m.members[key], &text) != nil {
		return ""
	}
	return text
}

func (m message) flag(key string) bool {
	var flag bool
	return json.Unmarshal(m.members[key], &flag) == nil && flag
}

// at is the time of the message, 0 when it has none.
func (m message) at() int64 {
	t, err := time.Parse(time.RFC3339Nano, m.text("timestamp"))
	if err != nil || t.Year() < 1970 || t.Year() >= 2262 {
		return 0
	}
	return t.UnixNano()
}

// messages yields messages of agents, then queued prompts, each in order of time.
func (f *Folder) messages(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	type place struct {
		at     int64
		e      entry
		queued bool
	}
	var all []place
	for _, e := range f.files {
		if kindOf(e.name) != kindMessage {
			continue
		}
		raw, _ := f.small(ctx, e, maxMessage) // read again below, where what is wrong is said
		m, _ := parseMessage(raw)
		all = append(all, place{m.at(), e, m.queued()})
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.e.name, b.e.name)) })
	for _, queued := range []bool{false, true} {
		for _, p := range all {
			if p.queued != queued {
				continue
			}
			if err := yield(f.message(ctx, p.e)); err != nil {
				return err
			}
		}
	}
	return nil
}

// queued: a person wrote it while the agent worked, so that it waits as a step of its own.
func (m message) queued() bool { return m.text("sender") == "user" && m.text("stepPayload") != "" }

func parseMessage(raw []byte) (message, bool) {
	m := message{raw: raw}
	return m, json.Unmarshal(raw, &m.members) == nil && m.members != nil
}

func (f *Folder) message(ctx context.Context, e entry) *transcriptv1.Attachment {
	c := f.contents(ctx, e, maxMessage)
	if c.problem == "" && c.tail != nil {
		c.problem = tooBig(c.size, maxMessage)
	}
	a := f.attachment(kindMessage, e, c)
	if c.problem != "" {
		return a
	}
	m, ok := parseMessage(c.head)
	if !ok {
		a.Blocks = append(a.Blocks, warning("This message cannot be read."), code("", "", valid(string(c.head))))
		return a
	}
	if m.queued() {
		a.Kind = kindQueued
	}
	if at := m.at(); at != 0 {
		a.UpdatedNs = &at
	}
	id := strings.TrimSuffix(path.Base(e.name), ".json")
	a.Blocks = append(a.Blocks, m.facts(f.id, f.read(), f.undelivered(id), id)...)
	a.Blocks = append(a.Blocks, m.body()...)
	return a
}

// undelivered reports whether the product noted that nobody got the message yet.
func (f *Folder) undelivered(id string) bool {
	return f.exists(generated + "messages/undelivered/" + id)
}

// shownMembers are members that have a place of their own.
var shownMembers = []string{
	"id", "recipient", "sender", "timestamp", "content", "stepPayload", "hideFromUser", "priority", "renderDetails", "sourceMetadata", "deliveryStrategy",
}

func (m message) facts(conversation string, read map[string]bool, undelivered bool, id string) []*transcriptv1.Block {
	var details struct {
		Title string `json:"messageTitle"`
	}
	_ = json.Unmarshal(m.members["renderDetails"], &details) // shown whole when it is something else
	var source struct {
		Tool struct {
			Conversation string       `json:"conversationId"`
			Step         *json.Number `json:"stepIndex"`
		} `json:"tool"`
	}
	_ = json.Unmarshal(m.members["sourceMetadata"], &source) // likewise
	pairs := []string{"Title", details.Title, "From", m.text("sender")}
	if to := m.text("recipient"); to != conversation {
		pairs = append(pairs, "To", to)
	}
	pairs = append(pairs, "Priority", strings.TrimPrefix(m.text("priority"), "MESSAGE_PRIORITY_"),
		"Delivery", strings.TrimPrefix(m.text("deliveryStrategy"), "MESSAGE_DELIVERY_STRATEGY_"))
	if m.flag("hideFromUser") {
		pairs = append(pairs, "Hidden from the person", "yes")
	}
	switch {
	case undelivered:
		pairs = append(pairs, "Delivered", "no")
	case read[id]:
		pairs = append(pairs, "Delivered", "yes")
	}
	if step := source.Tool.Step; step != nil {
		pairs = append(pairs, "About step", step.String())
	}
	if about := source.Tool.Conversation; about != conversation {
		pairs = append(pairs, "About conversation", about)
	}
	if details.Title == "" && m.members["renderDetails"] != nil {
		pairs = append(pairs, "renderDetails", word(m.members["renderDetails"]))
	}
	if source.Tool.Step == nil && source.Tool.Conversation == "" && m.members["sourceMetadata"] != nil {
		pairs = append(pairs, "sourceMetadata", word(m.members["sourceMetadata"]))
	}
	var others []string
	for key := range m.members {
		if !slices.Contains(shownMembers, key) {
			others = append(others, key)
		}
	}
	slices.Sort(others)
	for _, key := range others {
		pairs = append(pairs, key, word(m.members[key]))
	}
	return facts(pairs...)
}

// body is the text of the message, or the step that travels in it.
func (m message) body() []*transcriptv1.Block {
	var blocks []*transcriptv1.Block
	if text := m.text("content"); text != "" {
		blocks = append(blocks, plain(valid(text)))
	}
	payload := m.text("stepPayload")
	if payload == "" {
		return blocks
	}
	step, problem := decodeStep(payload)
	blocks = append(blocks, step...)
	if problem != "" {
		blocks = append(blocks, warning(problem), code("Stored step", "", valid(payload)))
	}
	return blocks
}

// errNested: a step that should be a prompt holds a trajectory. No real one does, and millions of steps fit into it.
var errNested = errors.New("the step holds steps")

// decodeStep shows a stored step that travels as base64.
func decodeStep(payload string) (blocks []*transcriptv1.Block, problem string) {
	raw, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return nil, "The prompt in this message is not base64: " + err.Error() + "."
	}
	p, _, _, err := profile.Choose(profile.Evidence{Samples: [][]byte{raw}})
	if err != nil {
		return nil, "The prompt in this message cannot be decoded: " + err.Error() + "."
	}
	// The blocks live in the arena, which lives as long as they do.
	session := &interpret.Session{Want: sources.Want{Blocks: true}}
	in := &interpret.Input{Payload: raw, StepType: -1, Status: -1}
	damaged := false
	err = interpret.New(p).Step(session, in, new(interpret.Arena), func(ev *transcriptv1.Event) error {
		if ev.GetBegin() != nil {
			return errNested
		}
		if st := ev.GetStep(); st != nil && blocks == nil {
			blocks = st.GetBlocks()
		}
		if n := ev.GetNote(); n.GetIncomplete() {
			damaged = true
			problem = fmt.Sprintf("The prompt in this message: %s", n.GetText())
		}
		return nil
	})
	if errors.Is(err, errNested) {
		return blocks, "The prompt in this message holds steps of its own, which are not decoded."
	}
	if err != nil {
		return nil, "The prompt in this message cannot be decoded: " + err.Error() + "."
	}
	if damaged {
		return blocks, problem
	}
	return blocks, ""
}
