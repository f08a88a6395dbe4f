// Package scrub replaces every word of stored messages by nonsense of the same length, so that a session that makes
// agy-reader fail can be shown to others. Structure, sizes and the numbers and times of known fields stay; texts, digits in
// texts, names, paths, ids and bytes go, and numbers of unknown fields become zero. Only words of the product's own
// vocabulary stay, where they decide how a step is read: vocabulary.go lists them.
// The same word becomes the same nonsense within one Scrubber, so that ids still match each other; the mapping hangs on a
// random seed and cannot be looked up.
package scrub

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Scrubber replaces words. It is not safe for concurrent use.
type Scrubber struct {
	files *protoregistry.Files
	hash  maphash.Hash
	// Texts counts the texts that were replaced.
	Texts int
}

// New returns a Scrubber with a mapping of its own for messages of a schema.
func New(schema *descriptorpb.FileDescriptorSet) (*Scrubber, error) {
	files, err := protodesc.NewFiles(schema)
	if err != nil {
		return nil, fmt.Errorf("link the schema: %w", err)
	}
	return &Scrubber{files: files}, nil
}

// Text replaces every word of text in place. Bytes that belong to no word stay, invalid UTF-8 too. JSON stays JSON.
func (s *Scrubber) Text(text []byte) {
	s.Texts++
	s.replace(text)
}

func (s *Scrubber) replace(text []byte) {
	for at := 0; at < len(text); {
		if skip := s.escape(text[at:]); skip > 0 {
			at += skip
			continue
		}
		end := at
		for end < len(text) && inWord(text[end:]) {
			_, size := utf8.DecodeRune(text[end:])
			end += size
		}
		if end == at {
			_, size := utf8.DecodeRune(text[at:])
			at += size
			continue
		}
		s.word(text[at:end])
		at = end
	}
}

// Bytes replaces opaque bytes in place.
func (s *Scrubber) Bytes(data []byte) {
	stream := s.stream(data)
	for i := range data {
		data[i] = byte(stream())
	}
}

// escape is the length of a JSON escape at the start of text, 0 when there is none. Its letters are syntax: texts often
// hold JSON. A character that is spelled by its number is replaced.
func (s *Scrubber) escape(text []byte) int {
	if len(text) < 2 || text[0] != '\\' {
		return 0
	}
	switch text[1] {
	case 'n', 'r', 't', 'b', 'f', '"', '\\', '/':
		return 2
	}
	unit, ok := codeUnit(text)
	if !ok {
		return 0
	}
	if utf16.IsSurrogate(unit) {
		if low, ok := codeUnit(text[6:]); ok && utf16.DecodeRune(unit, low) != unicode.ReplacementChar {
			if isWord(utf16.DecodeRune(unit, low)) {
				high, low := utf16.EncodeRune(replacement(0, 4, false, s.stream(text[:12])()))
				copy(text[2:6], fmt.Sprintf("%04x", high))
				copy(text[8:12], fmt.Sprintf("%04x", low))
			}
			return 12
		}
		return 6
	}
	if isWord(unit) {
		size := utf8.RuneLen(unit)
		copy(text[2:6], fmt.Sprintf("%04x", replacement(unit, size, false, s.stream(text[:6])())))
	}
	return 6
}

// codeUnit reads \uXXXX.
func codeUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

func inWord(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	return size > 0 && (r != utf8.RuneError || size > 1) && isWord(r)
}

// isWord: letters with their marks, and numbers of all kinds.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }

// word replaces one word. A hexadecimal number stays one, so that ids keep their look; case and the length of each
// character's encoding stay. The literals of JSON stay, and a number of JSON stays a number.
func (s *Scrubber) word(word []byte) {
	switch string(word) {
	case "true", "false", "null":
		return
	}
	stream, hexadecimal, exponent := s.stream(word), isHex(word), exponentAt(word)
	for at := 0; at < len(word); {
		r, size := utf8.DecodeRune(word[at:])
		random := stream()
		switch {
		case at == exponent:
		case at == 0 && len(word) > 1 && '1' <= r && r <= '9':
			word[0] = '1' + byte(random%9) // no leading zero
		default:
			utf8.EncodeRune(word[at:at+size], replacement(r, size, hexadecimal, random))
		}
		at += size
	}
}

const digits = "0123456789"

// exponentAt is where digits, an e and perhaps digits have the e, such as in 1e5 or before the sign in 1e-5; else -1.
func exponentAt(word []byte) int {
	at := bytes.IndexAny(word, "eE")
	if at <= 0 || len(bytes.Trim(word[:at], digits))+len(bytes.Trim(word[at+1:], digits)) > 0 {
		return -1
	}
	return at
}

func replacement(r rune, size int, hexadecimal bool, random uint32) rune {
	pick := func(from rune, count uint32) rune { return from + rune(random%count) }
	switch {
	case '0' <= r && r <= '9':
		return pick('0', 10)
	case 'a' <= r && r <= 'z' && hexadecimal:
		return pick('a', 6)
	case 'A' <= r && r <= 'Z' && hexadecimal:
		return pick('A', 6)
	case 'a' <= r && r <= 'z':
		return pick('a', 26)
	case 'A' <= r && r <= 'Z':
		return pick('A', 26)
	case size == 2:
		return pick('а', 32) // Cyrillic
	case size == 3:
		return pick('一', 20000)
	default:
		return pick('\U00020000', 40000)
	}
}

// isHex: only hexadecimal digits, at least four, one of them a decimal digit.
func isHex(word []byte) bool {
	digits := 0
	for _, c := range word {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
		default:
			return false
		}
	}
	return digits > 0 && len(word) >= 4
}

// stream returns random numbers that depend on the seed and on data alone.
func (s *Scrubber) stream(data []byte) func() uint32 {
	s.hash.Reset()
	_, _ = s.hash.Write(data) // never fails
	state := s.hash.Sum64()
	var counter uint64
	return func() uint32 {
		counter++
		s.hash.Reset()
		var block [16]byte
		binary.LittleEndian.PutUint64(block[:], state)
		binary.LittleEndian.PutUint64(block[8:], counter)
		_, _ = s.hash.Write(block[:])
		return uint32(s.hash.Sum64() >> 16)
	}
}
