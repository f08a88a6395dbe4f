package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"agy-reader/host/audit/sweep"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
)

// checkSync asks whether an ordinary sync can verify the newest conversation and those that must qualify: by what the sweep
// proved, where there is one, else by the evidence in their sidecars. Either is checked against the session as it is now.
func (a *audit) checkSync(ctx context.Context) error {
	ids := []string{a.newest.ID}
	for _, id := range a.Qualify {
		if !slices.ContainsFunc(ids, func(have string) bool { return strings.EqualFold(have, id) }) {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		reason, err := a.unqualified(ctx, id)
		if err != nil {
			return err
		}
		if reason == "" {
			a.report.check("reader sync", Pass, id)
			continue
		}
		a.report.check("reader sync", Fail, id+": "+reason)
		a.report.finding(fmt.Sprintf("the conversation %s does not pass the reader-sync check: %s", id, reason))
	}
	return nil
}

// unqualified says why a conversation does not pass, or nothing.
func (a *audit) unqualified(ctx context.Context, id string) (reason string, err error) {
	at := slices.IndexFunc(a.sessions, func(s store.Session) bool { return strings.EqualFold(s.ID, id) })
	if at < 0 {
		return "it is not in " + filepath.Join(a.Root.Path, store.Conversations), nil
	}
	session := a.sessions[at]
	if a.manifest != nil {
		err = a.proved(ctx, session)
	} else {
		var file *sidecar.File
		if file, err = sidecar.Read(sidecar.Path(session.Path)); err == nil {
			_, err = a.Verifier.Offline(ctx, session, file)
		}
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err == nil {
		return "", nil
	}
	reason = err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		reason = "it has no sidecar that says so"
	}
	if a.manifest == nil && !errors.Is(err, verify.ErrSource) {
		reason += "; while agy runs, `agy-reader --sync " + id + "` writes one that is verified"
	}
	return reason, nil
}

// proved checks what the sweep says of a conversation against its file and against the corpus.
func (a *audit) proved(ctx context.Context, session store.Session) error {
	at := slices.IndexFunc(a.manifest.Sessions, func(s sweep.Session) bool { return strings.EqualFold(s.FileID, session.ID) })
	if at < 0 {
		return errors.New("it is newer than the sweep")
	}
	said := a.manifest.Sessions[at].ReaderSync
	if !said.Verified || said.Evidence == nil {
		return fmt.Errorf("the sweep could not verify it (%s): %s", said.Class, said.Reason)
	}
	source, err := a.Verifier.Take(ctx, session)
	if err != nil {
		return err
	}
	if said.Endpoint != "" { // the answer that agreed is another than the one in the corpus
		if source.SourceDigest() != said.Evidence.SourceDigest {
			return verify.ErrSourceDiffers
		}
		return nil
	}
	file, err := sidecar.Read(filepath.Join(a.Corpus, sweep.CorpusFile(session.ID)))
	if err != nil {
		return err
	}
	_, err = source.Judge(ctx, said.Evidence, file.Trajectory)
	return err
}
