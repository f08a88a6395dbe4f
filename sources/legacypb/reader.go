package legacypb

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
	"agy-reader/sources/whole"
)

func (s *Source) openReader(ctx context.Context, ref sources.Ref, want sources.Want) (*whole.Reader, error) {
	if ref.Path == "" {
		return nil, fmt.Errorf("%w: it is not a file", sources.ErrUnsupported)
	}
	c, err := s.load(ctx, ref)
	if err != nil {
		return nil, err
	}
	parts := newLayout(c.plain)
	p, reason, unverified, err := whole.Choose(parts.Parts, evidence(c.key, nil), want, func(p *profile.Profile) bool {
		for _, known := range p.Manifest().FileKeys {
			if known.Name == c.key {
				return true
			}
		}
		return false
	})
	if err != nil {
		return nil, err
	}
	base := filepath.Base(ref.Path)
	opened, err := whole.New(whole.Input{
		Parts: parts.Parts, Profile: p, Ref: ref, Stem: strings.TrimSuffix(base, suffix),
		Origin: "conversation file", Thing: "the file", Want: want,
		Provenance: &transcriptv1.Provenance{
			Source: "legacypb", Location: base, Profile: p.Info().Name, ProfileReason: reason, Unverified: unverified,
		},
	})
	if err != nil {
		return nil, err
	}
	if parts.implicit {
		if err := readWrapper(opened, p, parts.outer); err != nil {
			return nil, err
		}
	}
	if c.key == "" {
		opened.Note(&transcriptv1.Note{
			Kind: trajectory.NoteRow, Severity: transcriptv1.Severity_SEVERITY_INFO,
			Text: "the file is not encrypted, so nothing vouches for its being what the product wrote",
		})
	}
	return opened, nil
}

// evidence is what a file says about its format.
func evidence(key string, samples [][]byte) profile.Evidence {
	return profile.Evidence{Storage: "pb", FileKey: key, Samples: samples}
}

// Evidence returns what a profile is chosen by for this conversation.
func (s *Source) Evidence(ctx context.Context, ref sources.Ref) (profile.Evidence, error) {
	c, err := s.load(ctx, ref)
	if err != nil {
		return profile.Evidence{}, err
	}
	return evidence(c.key, newLayout(c.plain).Samples()), nil
}
