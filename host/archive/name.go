package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agy-reader/host/artifact"
	"agy-reader/sinks/present"
)

const (
	// maxSlug bounds the part of a name that comes from a title, in bytes.
	maxSlug = 60
	// shortID is how much of an id a name shows, and longID how much when that is taken.
	shortID, longID = 8, 40
)

// Known is what a name is made of.
type Known struct {
	Title     string
	CreatedNS *int64
}

// names hands out base names, each once as file systems compare them.
type names map[string]bool

// take reserves a name that an earlier run chose.
func (n names) take(name string) { n[artifact.Fold(name)] = true }

// choose finds a free name for a conversation: its short id, else more of it, else a number.
func (n names) choose(id string, known Known) string {
	stem := "undated"
	if present.Recorded(known.CreatedNS) {
		stem = time.Unix(0, *known.CreatedNS).UTC().Format(time.DateOnly)
	}
	if s := slug(known.Title); s != "" {
		stem += "-" + s
	}
	name := stem + "-" + idPart(id, shortID)
	for i := 1; n[artifact.Fold(name)]; i++ {
		name = stem + "-" + idPart(id, longID)
		if i > 1 {
			name += "-" + strconv.Itoa(i)
		}
	}
	n.take(name)
	return name
}

// idPart is the beginning of an id in lower-case letters, digits and hyphens; an id without any is hashed.
func idPart(id string, length int) string {
	part := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(id))
	part = strings.Trim(part[:min(len(part), length)], "-")
	if part == "" {
		sum := sha256.Sum256([]byte(id))
		part = hex.EncodeToString(sum[:])[:length]
	}
	return part
}

// slug keeps the letters and digits of a title, of any script, in lower case and composed form. Everything else (blanks,
// punctuation, emoji, controls, what is invisible) separates words. It is cut behind a whole word where there is one in the
// last third.
func slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFC.String(strings.ToValidUTF8(title, " ")) {
		r = unicode.ToLower(r)
		mark := unicode.Is(unicode.M, r) && b.Len() > 0 && !gap
		if !mark && !unicode.IsLetter(r) && !unicode.IsDigit(r) || filler(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
		if b.Len() > 4*maxSlug {
			break
		}
	}
	// Lower case may have taken a rune out of its composed form.
	s := norm.NFC.String(b.String())
	if len(s) <= maxSlug {
		return s
	}
	whole := s[maxSlug] == '-'
	s = s[:maxSlug]
	for len(s) > 0 {
		if r, size := utf8.DecodeLastRuneInString(s); r == utf8.RuneError && size == 1 {
			s = s[:len(s)-1]
			continue
		}
		break
	}
	if at := strings.LastIndexByte(s, '-'); !whole && at > maxSlug*2/3 {
		s = s[:at]
	}
	return strings.Trim(s, "-")
}

// filler are letters that show nothing.
func filler(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F:
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}

// earlierName puts the mark of an earlier version before the suffix of a document.
func earlierName(name, base string, n int) string {
	mark := ".earlier-" + strconv.Itoa(n)
	folder, file, below := strings.Cut(name, "/")
	if below {
		if rest, ok := strings.CutPrefix(folder, base); ok {
			return base + mark + rest + "/" + file
		}
		return folder + mark + "/" + file
	}
	if rest, ok := strings.CutPrefix(name, base); ok {
		return base + mark + rest
	}
	return name + mark
}
