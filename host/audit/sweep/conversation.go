package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sinks"
	"agy-reader/sources/daemon"
)

// attempts is how often a conversation is fetched when its answer is not what is stored: its product may write meanwhile.
const attempts = 3

// one fetches, renders, stores and judges one conversation.
func (s *sweep) one(ctx context.Context, session store.Session) (Session, error) {
	done := Session{FileID: session.ID, Storage: verify.StorageSQLite}
	if session.Kind == ".pb" {
		done.Storage = verify.StorageLegacy
	}
	inside := ""
	if source := s.Sources[session.Kind]; source != nil {
		inside = session.CascadeID(ctx, source)
	}
	var answer daemon.Answer
	for range attempts {
		// The file is read before the daemon is asked, as a sync does it.
		source, sourceErr := s.take(ctx, session)
		var err error
		if answer, done.CascadeID, err = s.fetch(ctx, session, inside); err != nil {
			return done, err
		}
		done.ReaderSync = s.judge(ctx, session, source, sourceErr, answer, inside)
		if ctx.Err() != nil {
			return done, context.Cause(ctx)
		}
		if done.ReaderSync.Class != classStale {
			break
		}
	}
	done.Steps = answer.Steps
	if err := create(s.corpus, CorpusFile(session.ID), answer.Trajectory); err != nil {
		return done, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	return done, nil
}

// fetch asks the swept daemon and renders what it says, within one timeout.
func (s *sweep) fetch(ctx context.Context, session store.Session, inside string) (answer daemon.Answer, cascadeID string, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, s.Timeout, fmt.Errorf("not done within %s: %w", s.Timeout, context.DeadlineExceeded))
	defer cancel()
	defer func() {
		if err != nil && limited.Err() != nil {
			err = context.Cause(limited)
		}
	}()
	if answer, err = daemon.Fetch(limited, s.client, session.ID, inside); err != nil {
		return answer, "", err
	}
	if answer.Short != nil {
		return answer, "", fmt.Errorf("the answer is short: %w", answer.Short)
	}
	if cascadeID, err = carried(answer.Trajectory); err != nil {
		return answer, "", err
	}
	// Without a readable file it cannot be told which id is the right one.
	if inside != "" && !strings.EqualFold(cascadeID, inside) && !strings.EqualFold(cascadeID, session.ID) {
		return answer, "", fmt.Errorf("the daemon answered with the conversation %s", cascadeID)
	}
	if err := s.Render(limited, session.ID, answer.Trajectory); err != nil {
		return answer, "", fmt.Errorf("render: %w", err)
	}
	return answer, cascadeID, nil
}

// carried is the cascade id in an answer, which must be one.
func carried(trajectory json.RawMessage) (string, error) {
	var view struct {
		CascadeID string `json:"cascadeId"`
	}
	if err := json.Unmarshal(trajectory, &view); err != nil {
		return "", fmt.Errorf("%w: %w", daemon.ErrMalformed, err)
	}
	if !store.IsID(view.CascadeID) {
		return "", fmt.Errorf("%w: the answer carries no cascade id that is a UUID", daemon.ErrMalformed)
	}
	return view.CascadeID, nil
}

func (s *sweep) take(ctx context.Context, session store.Session) (*verify.Snapshot, error) {
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	return s.Verifier.Take(limited, session)
}

// Classes of ReaderSync.
const (
	classSource = "source"
	classStale  = "stale"
	classAnswer = "answer"
	classDaemon = "daemon"
)

// judge does what a sync would, but for the write.
func (s *sweep) judge(ctx context.Context, session store.Session, source *verify.Snapshot, sourceErr error, answer daemon.Answer, inside string) ReaderSync {
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	if sourceErr != nil {
		return unverified(sourceErr)
	}
	evidence, err := check(limited, s.client, source, answer)
	if err == nil {
		return ReaderSync{Verified: true, Evidence: evidence}
	}
	var differs *verify.MismatchError
	if !errors.As(err, &differs) {
		return unverified(err)
	}
	others, othersErr := s.Finder.Others(limited, s.Root, s.endpoint)
	if othersErr != nil {
		return unverified(err)
	}
	for _, other := range others {
		if evidence, otherErr := s.ask(limited, other, session, source, inside); otherErr == nil {
			return ReaderSync{Verified: true, Evidence: evidence, Endpoint: address(other.URL), Reason: err.Error()}
		}
	}
	return unverified(err)
}

// ask is what a sync asks of another daemon.
func (s *sweep) ask(ctx context.Context, other daemon.Endpoint, session store.Session, source *verify.Snapshot, inside string) (*verify.Evidence, error) {
	client := daemon.NewClient(other, daemon.WithTimeout(s.Timeout))
	defer client.Close()
	answer, err := daemon.Fetch(ctx, client, session.ID, inside)
	if err != nil {
		return nil, err
	}
	return check(ctx, client, source, answer)
}

func check(ctx context.Context, client *daemon.Client, source *verify.Snapshot, answer daemon.Answer) (*verify.Evidence, error) {
	full, err := client.Full(ctx, answer.ID)
	if err != nil {
		return nil, err
	}
	evidence, err := source.Check(ctx, full, answer.Trajectory)
	if err != nil {
		return nil, err
	}
	return evidence, source.Unchanged(ctx)
}

func unverified(err error) ReaderSync {
	class := classDaemon
	switch {
	case errors.Is(err, verify.ErrSource):
		class = classSource
	case errors.Is(err, verify.ErrStale):
		class = classStale
	case errors.Is(err, verify.ErrAnswer):
		class = classAnswer
	}
	return ReaderSync{Class: class, Reason: err.Error()}
}
