package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"os"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/demo/build"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

// encrypted collects a session as the one message of a `.pb` file and writes it at the end.
type encrypted struct {
	path string
	raw  []byte
}

func newEncrypted(path string, c build.Conversation) (*encrypted, error) {
	e := &encrypted{path: path}
	e.bytes(trajectory.IDField, []byte(c.TrajectoryID))
	e.number(trajectory.TypeField, uint64(c.TrajectoryType))
	e.bytes(trajectory.CascadeIDField, []byte(c.CascadeID))
	e.bytes(trajectory.MetadataField, c.Metadata)
	e.number(trajectory.SourceField, uint64(c.Source))
	return e, nil
}

func (e *encrypted) bytes(number protowire.Number, value []byte) {
	e.raw = protowire.AppendBytes(protowire.AppendTag(e.raw, number, protowire.BytesType), value)
}

func (e *encrypted) number(number protowire.Number, value uint64) {
	e.raw = protowire.AppendVarint(protowire.AppendTag(e.raw, number, protowire.VarintType), value)
}

// Step implements writer.
func (e *encrypted) Step(row build.Row) error {
	e.bytes(trajectory.StepsField, row.Payload)
	return nil
}

// Close implements writer. The nonce is always the same: nothing here is secret, and equal arguments give equal files.
func (e *encrypted) Close() error {
	keys, err := profile.FileKeys()
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return errors.New("no profile has a key")
	}
	secret, err := hex.DecodeString(keys[0].Key)
	if err != nil {
		return err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(e.raw)+aead.Overhead())
	return os.WriteFile(e.path, aead.Seal(nonce, nonce, e.raw, nil), 0o600)
}
