package legacypb

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
	"agy-reader/sources/whole"
)

// notEncrypted decides about bytes that no key opens. They are read as they are only when they are a whole trajectory, and
// the profile knows all of it: encryption was an option of the product's writer (format news, section 6).
func notEncrypted(data []byte) (content, error) {
	if allZero(data) {
		return content{}, fmt.Errorf("%w: the file holds nothing but zero bytes (%d)", sources.ErrUnreadable, len(data))
	}
	message := trajectory.Message
	if _, ok := wrapped(data); ok {
		message = implicitMessage
	} else if !names(data) {
		return content{}, errNoKey
	}
	p, _, _, err := profile.Choose(evidence("", nil))
	if err != nil {
		return content{}, err
	}
	var found profile.Findings
	if p.Check(message, data, "", &found) != nil || !found.Known() {
		return content{}, errNoKey
	}
	return content{plain: data}, nil
}

func allZero(data []byte) bool {
	var zero [4096]byte
	for len(data) > 0 {
		n := min(len(data), len(zero))
		if !bytes.Equal(data[:n], zero[:n]) {
			return false
		}
		data = data[n:]
	}
	return true
}

// names reports whether a message reads to its end and names a trajectory or a conversation.
func names(data []byte) bool {
	named := false
	err := whole.EachField(data, func(f whole.Member) error {
		if f.Kind == protowire.BytesType && (f.Number == trajectory.IDField || f.Number == trajectory.CascadeIDField) {
			named = named || len(f.Value) > 0
		}
		return nil
	})
	return err == nil && named
}
