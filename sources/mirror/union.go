package mirror

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"agy-reader/sources"
)

// unite makes one list of the lines of all files: for every index the current line, and what it took the place of.
func (l *Log) unite() error {
	total := 0
	for _, list := range l.found {
		total += len(list)
	}
	if total > 1<<31-1 {
		return fmt.Errorf("%w: more than 2^31 records", sources.ErrLimit)
	}
	var all []Mark
	if len(l.found) == 1 {
		all = l.found[0]
	} else {
		all = make([]Mark, 0, total)
		for i, list := range l.found {
			all = append(all, list...)
			l.found[i] = nil
		}
	}
	l.found = nil
	// By index, and for one index in the order of files and lines.
	slices.SortStableFunc(all, func(x, y Mark) int { return cmp.Compare(x.Index, y.Index) })
	out := all[:0]
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && all[end].Index == all[start].Index {
			end++
		}
		current, err := l.choose(all[start:end])
		if err != nil {
			return err
		}
		start = end
		out = append(out, current)
	}
	l.marks = out
	slices.SortStableFunc(l.abandoned, func(x, y Mark) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.off, y.off))
	})
	return nil
}

// choose picks the current line of one index and keeps the others that say something else.
func (l *Log) choose(lines []Mark) (Mark, error) {
	if len(lines) == 1 {
		return lines[0], nil
	}
	// The last line of each file is that file's own opinion.
	best := -1
	for i := range lines {
		last := i+1 == len(lines) || lines[i+1].file != lines[i].file
		if last && (best < 0 || l.better(&lines[i], &lines[best])) {
			best = i
		}
	}
	current := lines[best]
	type version struct {
		kind    string
		created int64
		nth     int
	}
	kept := make(map[version]bool)
	nth := make(map[version]int)
	for i := range lines {
		m := &lines[i]
		if i > 0 && m.file != lines[i-1].file {
			clear(nth)
		}
		same := sameStep(m, &current)
		last := i+1 == len(lines) || lines[i+1].file != m.file
		if i == best || same && last {
			continue // another file's copy of the current line
		}
		v := version{m.Kind, m.CreatedNS, nth[version{m.Kind, m.CreatedNS, 0}]}
		nth[version{m.Kind, m.CreatedNS, 0}]++
		if kept[v] {
			continue // another file's copy of an earlier line
		}
		if !last {
			equal, err := l.equal(m, lastOf(lines[i:], m.file))
			if err != nil {
				return current, err
			}
			if equal {
				continue
			}
		}
		kept[v] = true
		l.abandoned = append(l.abandoned, *m)
	}
	return current, nil
}

// lastOf returns the last of the lines of a file, which come first.
func lastOf(lines []Mark, file uint8) *Mark {
	n := sort.Search(len(lines), func(i int) bool { return lines[i].file != file })
	return &lines[n-1]
}

// better reports whether x is to be shown rather than y, a line of another file. Of one step the uncut text wins, then the
// larger file; of two steps the later one.
func (l *Log) better(x, y *Mark) bool {
	if !sameStep(x, y) && x.CreatedNS != y.CreatedNS {
		return x.CreatedNS > y.CreatedNS
	}
	fx, fy := l.files[x.file], l.files[y.file]
	switch {
	case fx.overview != fy.overview:
		return !fx.overview
	case x.Truncated != y.Truncated:
		return !x.Truncated
	default:
		return fx.size > fy.size
	}
}

// sameStep reports whether two lines of one index are about the same step.
func sameStep(x, y *Mark) bool {
	return x.Kind == y.Kind && (x.CreatedNS == y.CreatedNS || x.CreatedNS == 0 || y.CreatedNS == 0)
}

// equal reports whether two lines have the same bytes.
func (l *Log) equal(x, y *Mark) (bool, error) {
	if x.length != y.length {
		return false, nil
	}
	const piece = 64 << 10
	a, b := make([]byte, min(piece, x.length)), make([]byte, min(piece, x.length))
	for done := int64(0); done < int64(x.length); done += piece {
		n := min(piece, int64(x.length)-done)
		for _, r := range [...]struct {
			m   *Mark
			buf []byte
		}{{x, a}, {y, b}} {
			f := l.files[r.m.file]
			if _, err := f.ReadAt(r.buf[:n], r.m.off+done); err != nil && !errors.Is(err, io.EOF) {
				return false, l.readError(f, err)
			}
		}
		if !bytes.Equal(a[:n], b[:n]) {
			return false, nil
		}
	}
	return true, nil
}
