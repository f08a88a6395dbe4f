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
	if len(l.marks) > 1<<31-1 {
		return fmt.Errorf("%w: more than 2^31 records", sources.ErrLimit)
	}
	all := l.marks
	// By index, and for one index in the order of files and lines.
	slices.SortStableFunc(all, func(x, y mark) int { return cmp.Compare(x.index, y.index) })
	out := all[:0]
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && all[end].index == all[start].index {
			end++
		}
		current, err := l.choose(all[start:end])
		if err != nil {
			return err
		}
		start = end
		out = append(out, current)
	}
	if l.marks = out; len(out) < cap(out)/4*3 {
		l.marks = slices.Clone(out) // two logs of one conversation have most steps twice
	}
	slices.SortStableFunc(l.abandoned, func(x, y mark) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.off, y.off))
	})
	return nil
}

// choose picks the current line of one index and keeps the others that say something else.
func (l *Log) choose(lines []mark) (mark, error) {
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
		kind    uint16
		created uint32
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
		v := version{m.kind, m.created, nth[version{m.kind, m.created, 0}]}
		nth[version{m.kind, m.created, 0}]++
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
func lastOf(lines []mark, file uint8) *mark {
	n := sort.Search(len(lines), func(i int) bool { return lines[i].file != file })
	return &lines[n-1]
}

// better reports whether x is to be shown rather than y, a line of another file. Of one step the uncut text wins, then the
// larger file; of two steps the later one.
func (l *Log) better(x, y *mark) bool {
	if !sameStep(x, y) && x.created != y.created {
		return x.created > y.created
	}
	fx, fy := l.files[x.file], l.files[y.file]
	switch {
	case fx.overview != fy.overview:
		return !fx.overview
	case x.truncated != y.truncated:
		return !x.truncated
	default:
		return fx.size > fy.size
	}
}

// sameStep reports whether two lines of one index are about the same step.
func sameStep(x, y *mark) bool {
	return x.kind == y.kind && (x.created == y.created || x.created == 0 || y.created == 0)
}

// equal reports whether two lines have the same bytes.
func (l *Log) equal(x, y *mark) (bool, error) {
	if x.length != y.length {
		return false, nil
	}
	const piece = 64 << 10
	a, b := make([]byte, min(piece, x.length)), make([]byte, min(piece, x.length))
	for done := int64(0); done < int64(x.length); done += piece {
		n := min(piece, int64(x.length)-done)
		for _, r := range [...]struct {
			m   *mark
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
