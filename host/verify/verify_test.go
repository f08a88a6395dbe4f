package verify_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	_ "modernc.org/sqlite"

	"agy-reader/host/corpus"
	"agy-reader/host/demo/build"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

const trajectoryMessage = "gemini_coder.Trajectory"

func verifier() *verify.Verifier { return verify.New(sqlite.New(), legacypb.New()) }

// sessionOf is the session of a file.
func sessionOf(path string) store.Session {
	kind := filepath.Ext(path)
	base := filepath.Base(path)
	return store.Session{ID: base[:len(base)-len(kind)], Path: path, Kind: kind, Root: store.Root{Path: filepath.Dir(filepath.Dir(path))}}
}

// write makes a database of a store and returns its session.
func write(t testing.TB, c build.Conversation) store.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conversations", c.CascadeID+".db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := build.Database(path, c); err != nil {
		t.Fatal(err)
	}
	return sessionOf(path)
}

// assemble makes the trajectory message of a database with SQL and the wire format alone. It shares nothing with the
// product but the field numbers.
func assemble(t testing.TB, path string) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out []byte
	var id, cascade string
	var kind, source uint64
	if err := db.QueryRow("SELECT trajectory_id, cascade_id, trajectory_type, source FROM trajectory_meta").Scan(&id, &cascade, &kind, &source); err != nil {
		t.Fatal(err)
	}
	out = protowire.AppendString(protowire.AppendTag(out, 1, protowire.BytesType), id)
	out = protowire.AppendString(protowire.AppendTag(out, 6, protowire.BytesType), cascade)
	out = protowire.AppendVarint(protowire.AppendTag(out, 4, protowire.VarintType), kind)
	out = protowire.AppendVarint(protowire.AppendTag(out, 8, protowire.VarintType), source)
	for _, q := range []struct {
		query  string
		number protowire.Number
	}{
		{"SELECT step_payload FROM steps ORDER BY idx", 2},
		{"SELECT data FROM gen_metadata ORDER BY idx", 3},
		{"SELECT data FROM parent_references ORDER BY idx", 5},
		{"SELECT data FROM trajectory_metadata_blob WHERE id = 'main'", 7},
		{"SELECT data FROM executor_metadata ORDER BY idx", 9},
	} {
		rows, err := db.Query(q.query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var blob []byte
			if err := rows.Scan(&blob); err != nil {
				t.Fatal(err)
			}
			out = protowire.AppendBytes(protowire.AppendTag(out, q.number, protowire.BytesType), blob)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	return out
}

// schema is what the tests decode with.
func schema(t testing.TB) *protoregistry.Files {
	t.Helper()
	files, err := build.Schema()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// says reports whether a trajectory message says what another does, by the official library. Unknown fields do not count.
func says(t testing.TB, files *protoregistry.Files, want *dynamicpb.Message, wire []byte) bool {
	t.Helper()
	d := want.Descriptor()
	m := dynamicpb.NewMessage(d)
	if err := (proto.UnmarshalOptions{Resolver: dynamicpb.NewTypes(files), DiscardUnknown: true}).Unmarshal(wire, m); err != nil {
		return false
	}
	return proto.Equal(want, m)
}

// asJSON writes a trajectory message with the official library, as a daemon in Go would.
func asJSON(t testing.TB, wire []byte) json.RawMessage {
	t.Helper()
	files := schema(t)
	m := decodeAs(t, files, trajectoryMessage, wire)
	text, err := protojson.MarshalOptions{Resolver: dynamicpb.NewTypes(files)}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decodeAs(t testing.TB, files *protoregistry.Files, name protoreflect.FullName, wire []byte) *dynamicpb.Message {
	t.Helper()
	d, err := files.FindDescriptorByName(name)
	if err != nil {
		t.Fatal(err)
	}
	m := dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
	if err := (proto.UnmarshalOptions{Resolver: dynamicpb.NewTypes(files)}).Unmarshal(wire, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// value reads JSON for a test to change it, with numbers as they are.
func value(t testing.TB, raw []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func text(t testing.TB, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// file is a sidecar with evidence; nil for none.
func file(evidence, payload json.RawMessage) *sidecar.File {
	f := &sidecar.File{Trajectory: payload}
	f.Block.SetCompleteness(evidence)
	return f
}

func take(t testing.TB, session store.Session) *verify.Snapshot {
	t.Helper()
	s, err := verifier().Take(context.Background(), session)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every real database that holds no wrappers is what an independent hand makes of it, in both forms.
func TestCorpusDatabases(t *testing.T) {
	t.Parallel()
	for _, path := range corpus.Databases(t, corpus.Copy(t)) {
		session := sessionOf(path)
		s := take(t, session)
		wire := assemble(t, path)
		answer := asJSON(t, wire)
		for _, full := range []daemon.Full{{Proto: wire}, {JSON: answer}} {
			e, err := s.Check(t.Context(), full, answer)
			if err != nil {
				t.Errorf("%s: %v", session.ID, err)
				continue
			}
			if e.Steps == 0 || len(e.NotCovered) > 0 {
				t.Errorf("%s: %+v", session.ID, e)
			}
			state, err := verifier().Offline(t.Context(), session, file(text(t, e), answer))
			if state != verify.Verified || err != nil {
				t.Errorf("%s: %v, %v", session.ID, state, err)
			}
		}
		if err := s.Unchanged(t.Context()); err != nil {
			t.Errorf("%s: %v", session.ID, err)
		}
	}
}
