package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of an answer, beside its bytes: what is small in text takes more memory when it is apart.
const (
	// maxElements is how many elements a list of the trajectory may have, maxMembers how many members itself.
	maxElements = 1 << 20
	maxMembers  = 1 << 10
)

// ownBlock is the member that only sidecars have. It is no part of a trajectory.
const ownBlock = "agyReader"

// member is one member of a trajectory in JSON, as a part of the answer's own bytes.
type member struct {
	// name is unquoted; quoted is its canonical form.
	name   string
	quoted []byte
	value  []byte
	// items are the elements of a list that is compared element by element.
	items  [][]byte
	isList bool
}

// cutAnswer cuts a trajectory in JSON into its members, in order of their names and without agyReader. Nothing is copied.
func cutAnswer(raw []byte) ([]member, error) {
	if len(raw) == 0 {
		return nil, answerf("it is empty")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true))
	if dec.PeekKind() != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return nil, answerf("the trajectory: %w", syntaxError(err))
		}
		return nil, answerf("the trajectory is no JSON object")
	}
	all, err := cutMembers(dec, raw)
	if err != nil {
		return nil, answerf("the trajectory: %w", syntaxError(err))
	}
	slices.SortStableFunc(all, func(a, b member) int { return bytes.Compare(a.quoted, b.quoted) })
	for i := 1; i < len(all); i++ {
		if bytes.Equal(all[i-1].quoted, all[i].quoted) {
			return nil, answerf("a member of the trajectory occurs twice")
		}
	}
	return all, nil
}

func cutMembers(dec *jsontext.Decoder, raw []byte) (all []member, err error) {
	if _, err = dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != '}' {
		var m member
		name, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if m.quoted, err = appendText(nil, name); err != nil {
			return nil, err
		}
		if text, err := jsontext.AppendUnquote(nil, name); err == nil {
			m.name = string(text)
		}
		if m.name != ownBlock && strings.EqualFold(m.name, ownBlock) {
			return nil, fmt.Errorf("%s, which only sidecars have, in another case", ownBlock)
		}
		if slices.Contains(listNames, m.name) && dec.PeekKind() == '[' {
			m.isList = true
			if m.items, err = cutItems(dec, raw); err != nil {
				return nil, err
			}
		} else if m.value, err = cutValue(dec, raw); err != nil {
			return nil, err
		}
		if m.name != ownBlock {
			all = append(all, m)
		}
		if len(all) > maxMembers {
			return nil, fmt.Errorf("it has more than %d members", maxMembers)
		}
	}
	if _, err = dec.ReadToken(); err != nil {
		return nil, err
	}
	if _, err = dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	return all, nil
}

func cutItems(dec *jsontext.Decoder, raw []byte) (items [][]byte, err error) {
	if _, err = dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != ']' {
		item, err := cutValue(dec, raw)
		if err != nil {
			return nil, err
		}
		if items = append(items, item); len(items) > maxElements {
			return nil, fmt.Errorf("a list has more than %d elements", maxElements)
		}
	}
	_, err = dec.ReadToken()
	return items, err
}

// cutValue returns the next value as a part of raw.
func cutValue(dec *jsontext.Decoder, raw []byte) ([]byte, error) {
	value, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(dec.InputOffset())
	return raw[end-len(value) : end : end], nil
}

// PayloadDigest is the digest of a sidecar's trajectory in canonical form, without agyReader. Order and spelling do not
// count, everything else does, also what no profile knows. An error is ErrAnswer.
func PayloadDigest(trajectory json.RawMessage) (string, error) {
	members, err := cutAnswer(trajectory)
	if err != nil {
		return "", err
	}
	return payloadDigest(members, func(string, int, []byte, [sha256.Size]byte) error { return nil })
}

// payloadDigest calls item for each element of the lists with the digest of its canonical form.
func payloadDigest(members []member, item func(list string, index int, raw []byte, sum [sha256.Size]byte) error) (string, error) {
	sum := sha256.New()
	var c, closed canonicalizer
	closed.closed = true
	var buf, own []byte
	for i, m := range members {
		sum.Write([]byte{"{,"[min(i, 1)]})
		sum.Write(m.quoted)
		sum.Write([]byte{':'})
		var err error
		if !m.isList {
			if buf, err = c.append(buf[:0], m.value); err != nil {
				return "", answerf("%s: %w", cutName(m.name), err)
			}
			sum.Write(buf)
			continue
		}
		sum.Write([]byte{'['})
		for n, raw := range m.items {
			if n > 0 {
				sum.Write([]byte{','})
			}
			if buf, err = c.append(buf[:0], raw); err != nil {
				return "", answerf("%s %d: %w", m.name, n, err)
			}
			sum.Write(buf)
			digest := sha256.Sum256(buf)
			if m.name != listSteps {
				if own, err = closed.append(own[:0], raw); err != nil {
					return "", answerf("%s %d: %w", m.name, n, err)
				}
				digest = sha256.Sum256(own)
			}
			if err := item(m.name, n, raw, digest); err != nil {
				return "", err
			}
		}
		sum.Write([]byte{']'})
	}
	if len(members) == 0 {
		sum.Write([]byte{'{'})
	}
	sum.Write([]byte{'}'})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// cutName is a name out of an answer, for messages.
func cutName(name string) string {
	const most = 64
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return name
}
