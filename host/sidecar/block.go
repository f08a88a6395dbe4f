package sidecar

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Names of the members of our own.
const (
	blockName        = "agyReader"
	parentName       = "parentCascadeId"
	completenessName = "completeness"
)

// Block is the member agyReader. The zero value is a file's that has none; a block without members is not written.
type Block struct {
	// Members are raw and in order, those this version does not know included.
	Members []Member
}

// Member is one named value, exactly as it is in the file.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Get returns a member's value, nil when there is none.
func (b *Block) Get(name string) json.RawMessage {
	for _, m := range b.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Set gives a member a value, which must be valid JSON; nil removes it. Others keep their place.
func (b *Block) Set(name string, value json.RawMessage) {
	at := slices.IndexFunc(b.Members, func(m Member) bool { return m.Name == name })
	switch {
	case value == nil && at >= 0:
		b.Members = slices.Delete(b.Members, at, at+1)
	case value == nil:
	case at >= 0:
		b.Members[at].Value = value
	default:
		b.Members = append(b.Members, Member{name, value})
	}
}

// Parent is the stamped parent's id, as written. stamped is also true for a member that is no text; the id is empty then.
func (b *Block) Parent() (id string, stamped bool) {
	raw := b.Get(parentName)
	if raw == nil {
		return "", false
	}
	if json.Unmarshal(raw, &id) != nil {
		return "", true
	}
	return id, true
}

// SetParent stamps the immediate parent's bare id in lower case; an empty one removes the stamp.
func (b *Block) SetParent(id string) {
	if id == "" {
		b.Set(parentName, nil)
		return
	}
	b.Set(parentName, quote(strings.ToLower(id)))
}

// Completeness is the evidence of host/verify, nil when there is none.
func (b *Block) Completeness() json.RawMessage { return b.Get(completenessName) }

// SetCompleteness replaces the evidence; nil removes it.
func (b *Block) SetCompleteness(evidence json.RawMessage) { b.Set(completenessName, evidence) }

func (b *Block) clone() Block {
	c := Block{Members: slices.Clone(b.Members)}
	return c
}

func (b *Block) equal(other Block) bool {
	return slices.EqualFunc(b.Members, other.Members, func(x, y Member) bool { return x.Name == y.Name && bytes.Equal(x.Value, y.Value) })
}

// text is the block as it is written.
func (b *Block) text() []byte {
	out := []byte{'{'}
	for i, m := range b.Members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(m.Name)...), ':'), m.Value...)
	}
	return append(out, '}')
}

func quote(s string) []byte {
	out, err := jsontext.AppendQuote(nil, s)
	if err != nil { // invalid UTF-8; what was appended is valid
		return out
	}
	return out
}
