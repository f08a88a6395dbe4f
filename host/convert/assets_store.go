package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"agy-reader/proto/agyreader/fileuri"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/regular"
	"agy-reader/sources/secret"
)

const (
	// maxAsset is the size above which a file is named and not copied, maxAssets that of all copies of a document together.
	maxAsset  = 1 << 30
	maxAssets = 8 << 30
	// smallAsset is the size up to which a file is read once, into memory; a larger one is read a second time to be copied.
	smallAsset = 8 << 20
)

// Why a file that is there is not beside the document.
const (
	reasonLarge  = "not copied: larger than 1 GiB"
	reasonMany   = "not copied: the files beside this document are 8 GiB already"
	reasonSecret = "not copied: it may hold secrets"
	reasonBroken = "not copied: it cannot be read or changes meanwhile"
)

// storeFile is a file of the store.
type storeFile struct {
	path string
	size int64
	copy *transcriptv1.Asset
	// reason says why there is no copy although one was asked for.
	reason string
}

// find looks for the file an address names, in the brain folders of the store and nowhere else, and copies it when copies
// are made. It returns nil when there is no such file. Links are not followed.
func (a *assets) find(uri, name, mimeType, anchor string) (*storeFile, error) {
	at, ok := storePath(uri)
	if !ok || a.root == "" {
		return nil, nil
	}
	if f, known := a.files[at]; known {
		return f, nil
	}
	f, err := a.open(at, name, mimeType, anchor)
	if err == nil {
		a.files[strings.Clone(at)] = f
	}
	return f, err
}

func (a *assets) open(at, name, mimeType, anchor string) (*storeFile, error) {
	if a.store == nil {
		root, err := os.OpenRoot(a.root)
		if err != nil {
			a.root = ""
			return nil, nil
		}
		a.store = root
	}
	at = strings.Clone(at)
	if secret.Path(at) {
		return &storeFile{path: at, reason: reasonSecret}, nil
	}
	file, err := a.openFile(at)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, regular.ErrLink), errors.Is(err, sources.ErrUnreadable):
		return nil, nil
	case err != nil:
		return &storeFile{path: at, reason: reasonBroken}, nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return &storeFile{path: at, reason: reasonBroken}, nil
	}
	f := &storeFile{path: at, size: info.Size()}
	switch {
	case !a.copying:
	case f.size > maxAsset:
		f.reason = reasonLarge
	case f.size <= smallAsset:
		data, err := io.ReadAll(io.LimitReader(file, smallAsset+1))
		if err != nil || int64(len(data)) != f.size {
			f.reason = reasonBroken
			return f, nil
		}
		f.copy, f.reason, err = a.keep(data, name, mimeType, at, anchor)
		return f, err
	default:
		f.copy, f.reason, err = a.stream(file, f.size, name, mimeType, at, anchor)
		return f, err
	}
	return f, nil
}

// openFile opens a file of the store by its path, brain/<folder>/…. No link leads to a file, and none leads out of that folder.
func (a *assets) openFile(at string) (*os.File, error) {
	_, below, _ := strings.Cut(at, "/")
	folder, name, ok := strings.Cut(below, "/")
	if !ok {
		return nil, fs.ErrNotExist
	}
	root, err := regular.Below(a.store, filepath.Join("brain", folder))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it was only read
	return regular.OpenIn(root, filepath.FromSlash(name))
}

// keep makes a copy of bytes, unless there is one.
func (a *assets) keep(data []byte, name, mimeType, from, anchor string) (copied *transcriptv1.Asset, reason string, err error) {
	sum := sha256.Sum256(data)
	asset, reason := a.assign(hex.EncodeToString(sum[:]), int64(len(data)), name, mimeType, from, anchor)
	if reason == known {
		return asset, "", nil
	}
	if reason != "" {
		return nil, reason, nil
	}
	return asset, "", a.write(asset, bytes.NewReader(data))
}

// stream is keep for a file that is too large for memory. The file must not change while it is copied.
func (a *assets) stream(file *os.File, size int64, name, mimeType, from, anchor string) (copied *transcriptv1.Asset, reason string, err error) {
	hash := sha256.New()
	if n, err := io.Copy(hash, io.LimitReader(file, size+1)); err != nil || n != size {
		return nil, reasonBroken, nil
	}
	asset, reason := a.assign(hex.EncodeToString(hash.Sum(nil)), size, name, mimeType, from, anchor)
	if reason == known {
		return asset, "", nil
	}
	if reason != "" {
		return nil, reason, nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, "", fmt.Errorf("copy %s: %w: %w", from, sources.ErrUnreadable, err)
	}
	again := sha256.New()
	if err := a.write(asset, io.TeeReader(io.LimitReader(file, size+1), again)); err != nil {
		return nil, "", err
	}
	if hex.EncodeToString(again.Sum(nil)) != asset.Sha256 {
		return nil, "", fmt.Errorf("copy %s: %w: it changed meanwhile", from, sources.ErrBusy)
	}
	return asset, "", nil
}

// known says that a copy is there already.
const known = "known"

// assign names a copy. The first 16 digits of its hash make names differ whose files do; all of them do when somebody made
// two files on purpose whose first digits are equal.
func (a *assets) assign(sum string, size int64, name, mimeType, from, anchor string) (asset *transcriptv1.Asset, reason string) {
	if asset := a.byHash[sum]; asset != nil {
		return asset, known
	}
	if a.bytes+size > maxAssets {
		return nil, reasonMany
	}
	a.bytes += size
	file := sum[:16] + "-" + fileName(name)
	if a.names[sum[:16]] {
		file = sum + "-" + fileName(name)
	}
	a.names[sum[:16]] = true
	if _, _, err := mime.ParseMediaType(mimeType); err != nil {
		mimeType = "application/octet-stream"
	}
	asset = &transcriptv1.Asset{
		Href: a.link(file), Name: strings.Clone(name), MimeType: strings.Clone(mimeType), Size: uint64(size), Sha256: sum,
		StorePath: strings.Clone(from), Anchor: strings.Clone(anchor),
	}
	a.byHash[sum] = asset
	a.list = append(a.list, asset)
	return asset, ""
}

func (a *assets) write(asset *transcriptv1.Asset, from io.Reader) error {
	file, err := url.PathUnescape(path.Base(asset.Href))
	if err != nil {
		return fmt.Errorf("copy %s: %w", asset.Name, err)
	}
	w, err := a.out.Create(a.folder+"/"+file, asset.MimeType, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, from)
	return errors.Join(err, w.Close())
}

// ownFolder finds the brain folder of a conversation, or the one for uploads on their way, in the path of a file. Stores
// are copied and moved: what stands before says nothing.
var ownFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|/)(brain/(?:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|tempmediaStorage)/)`)
})

// storePath is where in a store the file of an address lies: a file URI or path of any form that leads through a brain
// folder. false: in none.
func storePath(uri string) (string, bool) {
	text := plainPath(uri)
	all := ownFolder().FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return "", false
	}
	at := text[all[len(all)-1][2]:]
	clean := path.Clean(at)
	if !strings.HasPrefix(clean, "brain/") || strings.ContainsFunc(clean, func(r rune) bool { return r < ' ' }) ||
		!filepath.IsLocal(filepath.FromSlash(clean)) || clean != strings.TrimSuffix(at, "/") {
		return "", false
	}
	return clean, true
}

// plainPath is a path with slashes; empty for what is on another machine.
func plainPath(uri string) string {
	text := strings.ReplaceAll(fileuri.Path(uri), `\`, "/")
	if strings.Contains(text, "://") {
		return ""
	}
	return text
}
