package sqlite

import (
	"context"
	"maps"
	"slices"

	"agy-reader/sources"
)

// Declaration implements sources.Declarer.
func (s *Source) Declaration(ctx context.Context, ref sources.Ref) (sources.Declaration, error) {
	d, err := s.connect(ctx, ref, true)
	if err != nil {
		return sources.Declaration{}, err
	}
	defer d.close()
	schema, err := d.schema(ctx)
	if err != nil {
		return sources.Declaration{}, sourceError(ctx, err)
	}
	return sources.Declaration{Tables: slices.Sorted(maps.Keys(schema.tables)), UserVersion: schema.version, Fingerprint: schema.fingerprint}, nil
}
