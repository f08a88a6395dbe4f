package sqlite

import (
	"context"

	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// What is looked at before a profile is chosen: the last steps, which the newest writer left, and the last wrappers. Big
// ones are passed over.
const (
	evidenceRows  = 8
	evidenceBytes = 64 << 10
)

// evidence is what a profile is chosen by. Without samples only the declared schema speaks.
func (d *database) evidence(ctx context.Context, s *schema, samples bool) profile.Evidence {
	ev := profile.Evidence{Storage: "db", SchemaFingerprint: s.fingerprint}
	if !samples || !s.ordered["steps"] {
		return ev
	}
	const from, last = `SELECT "step_payload" FROM "steps" WHERE length("step_payload") BETWEEN 1 AND ?`, ` ORDER BY "idx" DESC LIMIT ?`
	ev.Samples = d.samples(ctx, ev.Samples, from+last)
	if s.byType && s.has("steps")["step_type"] {
		ev.Samples = d.samples(ctx, ev.Samples, from+` AND "step_type" = 132`+last)
	}
	return ev
}

// samples appends the payloads of a query. A damaged table gives what it can; reading the steps says what is wrong.
func (d *database) samples(ctx context.Context, all [][]byte, query string) [][]byte {
	rows, err := d.conn.QueryContext(ctx, query, evidenceBytes, evidenceRows)
	if err != nil {
		return all
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		if rows.Scan(&raw) != nil {
			break
		}
		all = append(all, raw)
	}
	_ = rows.Err() // see above
	return all
}

// Evidence returns what a profile is chosen by for this conversation.
func (s *Source) Evidence(ctx context.Context, ref sources.Ref) (profile.Evidence, error) {
	d, err := s.connect(ctx, ref, true)
	if err != nil {
		return profile.Evidence{}, err
	}
	defer d.close()
	schema, err := d.schema(ctx)
	if err == nil {
		err = schema.usable()
	}
	if err != nil {
		return profile.Evidence{}, sourceError(ctx, err)
	}
	return d.evidence(ctx, schema, true), nil
}
