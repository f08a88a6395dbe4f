package answers

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"os"

	"agy-reader/proto/antigravity"
)

// readLegacy returns the trajectory message of an encrypted file: 12 bytes nonce, AES-256-GCM (behaviour.md l). One that no
// key opens may never have been encrypted.
func readLegacy(_ *Schema, path string) ([]byte, error) {
	const nonce = 12
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	manifest, err := antigravity.ReadManifest(antigravity.Profiles(), "legacy-pb")
	if err != nil {
		return nil, err
	}
	if len(data) < nonce {
		return nil, errors.New("the file is too short")
	}
	for _, k := range manifest.FileKeys {
		key, err := hex.DecodeString(k.Key)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		gcm, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		if plain, err := gcm.Open(nil, data[:nonce], data[nonce:], nil); err == nil {
			return plain, nil
		}
	}
	return data, nil
}
