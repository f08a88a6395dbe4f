package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
)

// Step types that can give a conversation its title, in the order they are asked. The product's schema has an index
// of types, so no other row is read.
const (
	checkpointType = 23
	userInputType  = 14
)

// plannerType is the step type of a model's answer, which carries the usage of the call that made it.
const plannerType = 15

var _ sources.Peeker = (*Source)(nil)

// Peek implements sources.Peeker. It reads the pages it needs, and reads them again when the database changed meanwhile.
func (s *Source) Peek(ctx context.Context, ref sources.Ref) (sources.Summary, error) {
	deadline := time.Now().Add(s.busy)
	for {
		summary, err := s.peek(ctx, ref)
		if !errors.Is(err, errChanged) || time.Now().After(deadline) || ctx.Err() != nil {
			return summary, err
		}
	}
}

func (s *Source) peek(ctx context.Context, ref sources.Ref) (sources.Summary, error) {
	r, err := s.openReader(ctx, ref, sources.Want{Peek: true})
	if err != nil {
		return sources.Summary{}, err
	}
	defer r.db.close()
	summary := sources.Summary{Title: r.header.Title, CreatedNS: r.header.CreatedNs, Header: r.header}
	if have := r.schema.has("steps"); have["idx"] {
		// The smallest index answers: no row is read.
		err = r.db.conn.QueryRowContext(ctx, `SELECT count(*) FROM "steps"`).Scan(&summary.Steps)
	}
	if r.db.unchanged != nil {
		if changed := r.db.unchanged(); changed != nil {
			return sources.Summary{}, fmt.Errorf("%w: %w", sources.ErrBusy, errChanged)
		}
	}
	if err != nil && !damaged(err) {
		return sources.Summary{}, fmt.Errorf("count the steps: %w", sourceError(ctx, err))
	}
	return summary, nil
}

// title looks for the title the product made, else for the first prompt. Damage on the way leaves it not recorded: reading
// the steps says more.
func (r *reader) title(ctx context.Context, ip *interpret.Interpreter) (*transcriptv1.Sourced, error) {
	none := &transcriptv1.Sourced{Origin: "not recorded"}
	if have := r.schema.has("steps"); !have["idx"] || !have["step_type"] || !have["step_payload"] {
		return none, nil
	}
	for _, stepType := range []int{checkpointType, userInputType} {
		title, err := r.titleOf(ctx, ip, stepType)
		if err != nil || title != nil {
			return title, err
		}
	}
	return none, nil
}

func (r *reader) titleOf(ctx context.Context, ip *interpret.Interpreter, stepType int) (*transcriptv1.Sourced, error) {
	// The product makes the title behind the first prompts. Later checkpoints are summaries, which may be big.
	query := `SELECT "step_payload" FROM "steps" WHERE "step_type" = ? ORDER BY "idx" LIMIT 4`
	if !r.schema.byType {
		// Without an index only the beginning is worth a look.
		query = `SELECT "step_payload" FROM "steps" WHERE "step_type" = ? AND "idx" < 100 ORDER BY "idx" LIMIT 4`
	}
	rows, err := r.db.conn.QueryContext(ctx, query, stepType)
	if err != nil {
		return nil, r.ignoreDamage(err)
	}
	defer rows.Close()
	for rows.Next() {
		var payload sql.RawBytes
		if err := rows.Scan(&payload); err != nil {
			return nil, r.ignoreDamage(err)
		}
		if value, origin := ip.Title(payload); value != "" {
			return &transcriptv1.Sourced{Value: value, Origin: origin}, nil
		}
	}
	return nil, r.ignoreDamage(rows.Err())
}

func (r *reader) ignoreDamage(err error) error {
	if err == nil || damaged(err) || errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return fmt.Errorf("read the title: %w", err)
}
