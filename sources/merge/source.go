package merge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Source reads a conversation from everything that is left of it. Make one with New; it is safe for concurrent use.
type Source struct {
	database, legacy, logs sources.Source
	beside                 func(sources.Ref) (folder, error)
}

// New returns a Source over those that read one storage form each: databases, encrypted files, transcript logs.
func New(database, legacy, logs sources.Source) *Source {
	return &Source{database: database, legacy: legacy, logs: logs, beside: openFolder}
}

// Describe implements sources.Source.
func (s *Source) Describe() sources.Info {
	return sources.Info{
		Name:     "auto",
		Summary:  "the best of a conversation's database, encrypted file and logs, with what lies beside them",
		Suffixes: []string{".db", ".pb"},
	}
}

// place is one place that a conversation may be read from.
type place struct {
	source sources.Source
	ref    sources.Ref
}

// places are where a conversation may be read from, the truest first.
func (s *Source) places(ref sources.Ref) ([]place, error) {
	var list []place
	add := func(source sources.Source, path string) {
		if source != nil {
			at := ref
			at.Path = path
			list = append(list, place{source, at})
		}
	}
	suffix := filepath.Ext(ref.Path)
	switch kindOf(ref.Path, suffix) {
	case ".db":
		add(s.database, ref.Path)
		// The product writes an encrypted copy beside the database of a fork. It counts only when the database does not.
		if pb := strings.TrimSuffix(ref.Path, suffix) + ".pb"; isFile(pb) {
			add(s.legacy, pb)
		}
	case ".pb":
		add(s.legacy, ref.Path)
	case "":
		if ref.Path != "" {
			return nil, fmt.Errorf("%w: no source reads a file without an ending", sources.ErrUnsupported)
		}
	default:
		return nil, fmt.Errorf("%w: no source reads a %q file", sources.ErrUnsupported, suffix)
	}
	if mayHaveLogs(ref) {
		add(s.logs, "")
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: nothing to read it from is known", sources.ErrNotFound)
	}
	return list, nil
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// mayHaveLogs reports whether the conversation has a folder of its own. Where the store knows of none there is none: a
// background trajectory has no logs, even if its id were that of a conversation.
func mayHaveLogs(ref sources.Ref) bool { return ref.Brain != "" }

// Open implements sources.Source. What cannot be read at all is passed over for the next best, and said so in the document;
// strict reading passes over nothing.
func (s *Source) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	places, err := s.places(ref)
	if err != nil {
		return nil, err
	}
	var passed []*transcriptv1.Note
	var first error
	for _, at := range places {
		r, err := s.try(ctx, at, want)
		if err == nil && first != nil && at.source == s.logs && r.header.GetAnnouncedSteps() == 0 {
			// Logs without a step explain nothing about a file that should have been read.
			_, err = r.Close()
			return nil, errors.Join(first, err)
		}
		if err == nil {
			r.say(passed)
			return r, nil
		}
		if !errors.Is(err, sources.ErrUnreadable) && !errors.Is(err, sources.ErrNotFound) || ctx.Err() != nil || want.Strict {
			return nil, errors.Join(first, err)
		}
		if first == nil {
			first = err
		}
		passed = append(passed, passedOver(at, err))
	}
	return nil, first
}
