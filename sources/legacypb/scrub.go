package legacypb

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/scrub"
	"agy-reader/sources/trajectory"
)

var _ sources.Scrubber = (*Source)(nil)

// Scrub implements sources.Scrubber. The copy is encrypted with the same key when the file was.
func (s *Source) Scrub(ctx context.Context, ref sources.Ref, out io.Writer) (sources.ScrubReport, error) {
	var report sources.ScrubReport
	c, err := s.load(ctx, ref)
	if err != nil {
		return report, err
	}
	message := trajectory.Message
	pieces, implicit := wrapped(c.plain)
	if implicit {
		message = implicitMessage
	}
	if pieces > 1 {
		return report, fmt.Errorf("%w: the trajectory lies in %d pieces, which no product writes", sources.ErrUnsupported, pieces)
	}
	parts := newLayout(c.plain)
	report.Rows = parts.Steps
	if parts.Broken != nil || parts.Foreign {
		report.Damaged = append(report.Damaged, "trajectory")
	}
	words, err := scrubber(c.key, parts.Samples())
	if err != nil {
		return report, err
	}
	words.Message(message, c.plain)
	report.Texts = words.Texts
	if c.key == "" {
		_, err = out.Write(c.plain)
		return report, err
	}
	sealed, err := seal(c)
	if err != nil {
		return report, err
	}
	for _, part := range sealed {
		if _, err := out.Write(part); err != nil {
			return report, err
		}
	}
	return report, nil
}

func scrubber(key string, samples [][]byte) (*scrub.Scrubber, error) {
	p, _, _, err := profile.Choose(evidence(key, samples))
	if err != nil {
		return nil, err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(p.Schema(), &set); err != nil {
		return nil, fmt.Errorf("read the schema of profile %s: %w", p.Info().Name, err)
	}
	return scrub.New(&set)
}

// seal encrypts a file's content again, in its own memory, and returns the parts of the file.
func seal(c content) ([2][]byte, error) {
	keys, err := profile.FileKeys()
	if err != nil {
		return [2][]byte{}, err
	}
	for _, key := range keys {
		if key.Name != c.key {
			continue
		}
		aead, err := aeadOf(key)
		if err != nil {
			return [2][]byte{}, err
		}
		nonce := make([]byte, nonceSize)
		_, _ = rand.Read(nonce) // never fails
		return [2][]byte{nonce, aead.Seal(c.plain[:0], nonce, c.plain, nil)}, nil
	}
	return [2][]byte{}, fmt.Errorf("no key %q", c.key)
}
