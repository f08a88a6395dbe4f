package sqlite

import (
	"context"
	"database/sql"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

// readHeader fills r.header from everything that is not steps, model calls or executor runs.
func (r *reader) readHeader(ctx context.Context, ref sources.Ref) error {
	wire, err := r.trajectory(ctx)
	if err != nil {
		return err
	}
	head := trajectory.Head{
		Profile: r.profile, Wire: wire, Ref: ref, Stem: strings.TrimSuffix(r.name, ".db"), Origin: "database", Want: r.want,
	}
	var notes []*transcriptv1.Note
	if r.header, notes, err = head.Header(); err != nil {
		return err
	}
	r.before = append(r.before, notes...)
	r.header.AnnouncedSteps, err = r.announced(ctx)
	return err
}

// announced is one more than the highest index, 0 when that cannot be told.
func (r *reader) announced(ctx context.Context) (uint32, error) {
	var highest sql.NullInt64
	err := r.db.conn.QueryRowContext(ctx, `SELECT CAST(max("idx") AS INTEGER) FROM "steps"`).Scan(&highest)
	if damaged(err) {
		return 0, nil // reading the steps says more
	}
	if err != nil || !highest.Valid || highest.Int64 < 0 || highest.Int64 >= maxKey {
		return 0, err
	}
	return uint32(highest.Int64) + 1, nil
}
