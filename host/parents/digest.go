package parents

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"io"
	"slices"

	"agy-reader/host/sidecar"
)

type digest [sha256.Size]byte

// payloadDigest covers everything of a sidecar but the parent stamp: the order of members and the spacing do not count,
// numbers count as written. A block that has nothing but the stamp is the same as none.
func payloadDigest(in io.Reader) (digest, error) {
	s := sidecar.NewScanner(in)
	if err := s.Open(); err != nil {
		return digest{}, err
	}
	sum, err := object(s, func(name string) (*digest, error) {
		if name != "agyReader" || s.Kind() != '{' {
			return element(s)
		}
		members := 0
		sum, err := object(s, func(name string) (*digest, error) {
			if name == "parentCascadeId" {
				return nil, s.Skip()
			}
			members++
			return element(s)
		})
		if members == 0 {
			return nil, err
		}
		return &sum, err
	})
	if err != nil {
		return digest{}, err
	}
	return sum, s.End()
}

// element is the digest of any value.
func element(s *sidecar.Scanner) (*digest, error) {
	sum, err := value(s)
	return &sum, err
}

func value(s *sidecar.Scanner) (digest, error) {
	switch s.Kind() {
	case '{':
		return object(s, func(string) (*digest, error) { return element(s) })
	case '[':
		h := sha256.New()
		h.Write([]byte{'['})
		err := s.Array(func() error {
			sum, err := value(s)
			h.Write(sum[:])
			return err
		})
		return digest(h.Sum(nil)), err
	}
	kind := byte(s.Kind())
	token, err := s.Token()
	if err != nil {
		return digest{}, err
	}
	return sha256.Sum256(append([]byte{kind}, token.String()...)), nil
}

// object joins the digests of its members in the order of their names; nil leaves one out.
func object(s *sidecar.Scanner, member func(name string) (*digest, error)) (digest, error) {
	type entry struct{ name, value digest }
	var entries []entry
	err := s.Object(func(name string) error {
		sum, err := member(name)
		if err == nil && sum != nil {
			entries = append(entries, entry{sha256.Sum256([]byte(name)), *sum})
		}
		return err
	})
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(bytes.Compare(a.name[:], b.name[:]), bytes.Compare(a.value[:], b.value[:]))
	})
	h := sha256.New()
	h.Write([]byte{'{'})
	for _, e := range entries {
		h.Write(e.name[:])
		h.Write(e.value[:])
	}
	return digest(h.Sum(nil)), err
}
