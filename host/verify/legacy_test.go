package verify_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"agy-reader/host/corpus"
	"agy-reader/host/demo/build"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// seal encrypts a trajectory message as the product did.
func seal(t testing.TB, trajectory []byte) store.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conversations", mixedID+".pb")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, build.Seal(t, trajectory), 0o600); err != nil {
		t.Fatal(err)
	}
	return sessionOf(path)
}

// An encrypted file is held to the same rules, under a profile of its own.
func TestLegacy(t *testing.T) {
	t.Parallel()
	full := build.MustEncode(t, trajectoryMessage, `{"trajectoryId":"t","cascadeId":"`+mixedID+`","steps":[`+
		`{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","userInput":{"userResponse":"hello"}},`+
		`{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","plannerResponse":{"response":"good day"}}]}`)
	session := seal(t, full)
	s := take(t, session)
	answer := asJSON(t, full)
	for _, form := range []daemon.Full{{Proto: full}, {JSON: answer}} {
		e, err := s.Check(t.Context(), form, answer)
		if err != nil || e.Storage != verify.StorageLegacy || e.Profile != "legacy-pb" || e.Steps != 2 || len(e.NotCovered) > 0 {
			t.Errorf("%+v, %v", e, err)
		}
	}
	top := value(t, answer)
	top["steps"].([]any)[1].(map[string]any)["plannerResponse"].(map[string]any)["response"] = "good dax"
	_, err := s.Check(t.Context(), daemon.Full{Proto: full}, text(t, top))
	var mismatch *verify.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Step != 1 || mismatch.Path != "plannerResponse.response" {
		t.Error(err)
	}
	if err := s.Unchanged(t.Context()); err != nil {
		t.Error(err)
	}
	raw, err := os.ReadFile(session.Path)
	if err != nil {
		t.Fatal(err)
	}
	raw[20] ^= 1
	if err := os.WriteFile(session.Path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Unchanged(t.Context()); !errors.Is(err, verify.ErrSource) {
		t.Errorf("a file that does not authenticate: %v", err)
	}
	raw[20] ^= 1
	if err := os.WriteFile(session.Path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Unchanged(t.Context()); err != nil {
		t.Errorf("the same content again: %v", err)
	}
	if err := os.WriteFile(session.Path[:len(session.Path)-len(".pb")]+".db", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Unchanged(t.Context()); !errors.Is(err, verify.ErrChanged) {
		t.Errorf("a database appeared: %v", err)
	}
}

// Every real encrypted file is read, and agrees with itself as the official library writes it.
func TestCorpusLegacy(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	found, err := filepath.Glob(filepath.Join(home, ".gemini", "*", "conversations", "*.pb"))
	if err != nil || len(found) == 0 {
		t.Skipf("no encrypted files: %v", err)
	}
	for _, path := range found {
		s := take(t, sessionOf(path))
		full := open(t, path)
		answer := asJSON(t, full)
		e, err := s.Check(t.Context(), daemon.Full{Proto: full}, answer)
		if err != nil || e.Steps == 0 || len(e.NotCovered) > 0 {
			t.Errorf("%s: %+v, %v", filepath.Base(path), e, err)
		}
	}
}

// open decrypts a file.
func open(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return build.Unseal(t, raw)
}
