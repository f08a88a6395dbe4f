package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
)

// hash adds a row to the digest: key, numbers, and every blob with its length.
func (s *steps) hash(index int64, v []driver.Value) {
	head := make([]byte, 0, 64)
	head = binary.AppendVarint(head, index)
	for _, n := range v[:4] {
		head = binary.AppendVarint(head, number(n))
	}
	s.digest.Write(head)
	for _, blob := range v[4:] {
		b := asBytes(blob)
		s.digest.Write(binary.AppendUvarint(head[:0], uint64(len(b))))
		s.digest.Write(b)
	}
}

// sum is the digest in hex, empty when none was wanted.
func (s *steps) sum() string {
	if s.digest == nil {
		return ""
	}
	return hex.EncodeToString(s.digest.Sum(nil))
}
