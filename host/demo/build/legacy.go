package build

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"testing"

	"agy-reader/proto/antigravity"
)

// Seal encrypts a trajectory message, or the envelope of a background trajectory, as the product's older files hold it
// (format.md §4): the nonce, which is zero here, and AES-GCM.
func Seal(t testing.TB, plain []byte) []byte {
	t.Helper()
	gcm := fileCipher(t)
	nonce := make([]byte, gcm.NonceSize())
	return gcm.Seal(nonce, nonce, plain, nil)
}

// Unseal decrypts what a file holds, one of Seal's or the product's.
func Unseal(t testing.TB, sealed []byte) []byte {
	t.Helper()
	gcm := fileCipher(t)
	if len(sealed) < gcm.NonceSize() {
		t.Fatalf("%d bytes are no encrypted file", len(sealed))
	}
	plain, err := gcm.Open(nil, sealed[:gcm.NonceSize()], sealed[gcm.NonceSize():], nil)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func fileCipher(t testing.TB) cipher.AEAD {
	t.Helper()
	manifest, err := antigravity.ReadManifest(antigravity.Profiles(), "legacy-pb")
	if err != nil {
		t.Fatal(err)
	}
	key, err := hex.DecodeString(manifest.FileKeys[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	return gcm
}
