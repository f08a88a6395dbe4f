package antigravity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"strings"
)

// ErrBadProfile says that a profile contradicts itself, the profile it extends, or the form of a profile.
var ErrBadProfile = errors.New("broken decoder profile")

// maxExtends is how many profiles may build on each other.
const maxExtends = 8

// ParseManifest reads profile.json as it is written, with nothing inherited. An error names the line or the member.
func ParseManifest(text []byte) (*Manifest, error) {
	m := new(Manifest)
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(m)
	if err == nil {
		if _, after := dec.Token(); !errors.Is(after, io.EOF) {
			err = errors.New("something stands behind the object")
		}
	}
	if err != nil {
		at := int64(-1)
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at = kind.Offset
		}
		if at < 0 {
			return nil, fmt.Errorf("%w: %w", ErrBadProfile, err) // which names the member
		}
		return nil, fmt.Errorf("%w: line %d: %w", ErrBadProfile, 1+bytes.Count(text[:min(at, int64(len(text)))], []byte("\n")), err)
	}
	return m, nil
}

// Inherit returns a profile with what it takes from the one it extends; text is its profile.json. See Manifest for the
// rule. Neither argument is changed.
func Inherit(own *Manifest, text []byte, base *Manifest) (*Manifest, error) {
	var present map[string]json.RawMessage
	if err := json.Unmarshal(text, &present); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadProfile, err)
	}
	for key := range present {
		if !members[key] {
			return nil, fmt.Errorf("%w: unknown member %q", ErrBadProfile, key) // another spelling would count as absent
		}
	}
	merged := *own
	into, from := reflect.ValueOf(&merged).Elem(), reflect.ValueOf(base).Elem()
	for _, name := range inherited {
		field, _ := into.Type().FieldByName(name)
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if _, has := present[key]; !has {
			into.FieldByName(name).Set(from.FieldByName(name))
		}
	}
	merged.OpenEnums = join(base.OpenEnums, own.OpenEnums, func(o OpenEnum) string { return o.Enum })
	merged.Reviewed = join(base.Reviewed, own.Reviewed, func(r Reviewed) string { return r.Path + "\x00" + r.When })
	merged.Answers = join(base.Answers, own.Answers, func(a Answer) string { return a.Path })
	merged.Steps = join(base.Steps, own.Steps, func(s StepForm) string { return s.Body })
	return &merged, nil
}

// inherited are the members that are taken from the other profile when profile.json does not have them.
var inherited = []string{"Product", "Storage", "SQLSchemas", "FileKeys", "Tables", "Trajectory", "Wrappers"}

// members are the names profile.json may use.
var members = func() map[string]bool {
	m := make(map[string]bool)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Manifest]()) {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		m[key] = true
	}
	return m
}()

// join returns the entries of base, those with an own counterpart replaced, then the other own ones.
func join[T any](base, own []T, key func(T) string) []T {
	replace := make(map[string]T, len(own))
	for _, o := range own {
		replace[key(o)] = o
	}
	var all []T
	for _, b := range base {
		if o, ok := replace[key(b)]; ok {
			b = o
			delete(replace, key(b))
		}
		all = append(all, b)
	}
	for _, o := range own {
		if _, left := replace[key(o)]; left {
			all = append(all, o)
		}
	}
	return all
}

// ReadManifest reads `<name>/profile.json` of files with everything it inherits from other profiles there.
func ReadManifest(files fs.FS, name string) (*Manifest, error) {
	return readManifest(files, name, 0)
}

func readManifest(files fs.FS, name string, depth int) (*Manifest, error) {
	file := path.Join(name, "profile.json")
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	own, err := ParseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("read profile %s: %w", file, err)
	}
	if own.Name != name {
		return nil, fmt.Errorf("read profile %s: %w: its name is %q", file, ErrBadProfile, own.Name)
	}
	if own.Extends == "" {
		return own, nil
	}
	if depth == maxExtends {
		return nil, fmt.Errorf("read profile %s: %w: more than %d profiles extend each other", file, ErrBadProfile, maxExtends)
	}
	base, err := readManifest(files, own.Extends, depth+1)
	if err != nil {
		return nil, fmt.Errorf("profile %s extends %s: %w", name, own.Extends, err)
	}
	return Inherit(own, text, base)
}
