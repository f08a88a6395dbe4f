package legacypb

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"agy-reader/proto/antigravity"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/regular"
)

// The parts of an encrypted file.
const (
	nonceSize = 12
	tagSize   = 16
)

// errNoKey: no known key fits.
var errNoKey = fmt.Errorf("%w: not readable with the known key", sources.ErrUnreadable)

// content is what a file held.
type content struct {
	// plain are the decrypted bytes.
	plain []byte
	// key is the name of the key that fitted; empty for a file that was never encrypted.
	key string
}

// load reads a file and decrypts it. A file that is written meanwhile is read again.
func (s *Source) load(ctx context.Context, ref sources.Ref) (content, error) {
	const attempts = 3
	for try := 1; ; try++ {
		c, changed, err := s.loadOnce(ctx, ref)
		switch {
		case err == nil || !changed || ctx.Err() != nil:
			return c, err
		case try == attempts:
			return content{}, fmt.Errorf("%w: it changes while it is read", sources.ErrBusy)
		}
	}
}

// loadOnce reports whether the file changed while it was read.
func (s *Source) loadOnce(ctx context.Context, ref sources.Ref) (c content, changed bool, err error) {
	file, err := regular.OpenRef(ref)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return content{}, false, fmt.Errorf("%w: %w", sources.ErrNotFound, err)
	case err != nil && !errors.Is(err, sources.ErrUnreadable):
		return content{}, false, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	case err != nil:
		return content{}, false, err
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return content{}, false, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
	switch size := before.Size(); {
	case size == 0:
		return content{}, false, fmt.Errorf("%w: the file has no bytes", sources.ErrEmpty)
	case size > s.maxFile:
		return content{}, false, fmt.Errorf("%w: the file has %d bytes, and at most %d are read, because it must be in memory as a whole", sources.ErrLimit, size, s.maxFile)
	}
	data := make([]byte, before.Size())
	c, err = decrypt(ctx, file, data)
	if err != nil {
		after, statErr := os.Stat(ref.Path)
		changed = statErr != nil || !os.SameFile(before, after) || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime())
	}
	return c, changed, err
}

// decrypt reads the file into data and decrypts it there, with every known key in turn.
func decrypt(ctx context.Context, file io.ReaderAt, data []byte) (content, error) {
	keys, err := profile.FileKeys()
	if err != nil {
		return content{}, err
	}
	for _, key := range keys {
		if err := fill(ctx, file, data); err != nil {
			return content{}, err
		}
		plain, err := open(key, data)
		if err != nil {
			return content{}, err
		}
		if plain != nil {
			return content{plain: plain, key: key.Name}, nil
		}
	}
	// A failed attempt leaves nothing of the bytes.
	if err := fill(ctx, file, data); err != nil {
		return content{}, err
	}
	return notEncrypted(data)
}

// open decrypts data in place, or returns nil when the tag does not fit; data is then lost.
func open(key antigravity.FileKey, data []byte) ([]byte, error) {
	if key.Cipher != "AES-256-GCM" {
		return nil, fmt.Errorf("the profile's key %q is for the cipher %q, which this version does not have", key.Name, key.Cipher)
	}
	if len(data) < nonceSize+tagSize {
		return nil, nil
	}
	aead, err := aeadOf(key)
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(data[nonceSize:nonceSize], data[:nonceSize], data[nonceSize:], nil)
	if err != nil {
		return nil, nil
	}
	if plain == nil {
		plain = []byte{}
	}
	return plain, nil
}

func aeadOf(key antigravity.FileKey) (cipher.AEAD, error) {
	secret, err := hex.DecodeString(key.Key)
	if err != nil {
		return nil, fmt.Errorf("the profile's key %q: %w", key.Name, err)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, fmt.Errorf("the profile's key %q: %w", key.Name, err)
	}
	return cipher.NewGCM(block)
}

// chunk is how much is read between two looks at the context.
const chunk = 8 << 20

// fill reads the whole file.
func fill(ctx context.Context, file io.ReaderAt, data []byte) error {
	for at := 0; at < len(data); at += chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := data[at:min(at+chunk, len(data))]
		if n, err := file.ReadAt(part, int64(at)); n < len(part) {
			return fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
		}
	}
	return nil
}
