package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/host/demo/build"
	"agy-reader/sources/profile"
)

// transcoderSteps is how many steps the two ways to JSON are compared on.
const transcoderSteps = 2_000

// transcoder compares our check and transcoding of stored steps with the official library on the same bytes.
func transcoder(b *bench) (float64, string, error) {
	path, err := b.data(b.sessions.heavy)
	if err != nil {
		return 0, "", err
	}
	payloads, err := readPayloads(path, transcoderSteps)
	if err != nil {
		return 0, "", err
	}
	p, err := profile.Load(build.Profile)
	if err != nil {
		return 0, "", err
	}
	official, err := newOfficial()
	if err != nil {
		return 0, "", err
	}
	var findings profile.Findings
	var text []byte
	direct := func(raw []byte) error {
		findings.Reset()
		if err := p.Check(build.StepMessage, raw, "", &findings); err != nil {
			return err
		}
		var err error
		text, err = p.AppendJSON(text[:0], build.StepMessage, raw, &profile.JSONOptions{ValidText: findings.Clean()})
		return err
	}
	var ratios []float64
	var bytes int
	for _, raw := range payloads {
		bytes += len(raw)
	}
	var x, y time.Duration
	for i := range b.rounds + 1 {
		if x, err = spent(payloads, direct); err != nil {
			return 0, "", err
		}
		if y, err = spent(payloads, official.json); err != nil {
			return 0, "", err
		}
		if i > 0 {
			ratios = append(ratios, x.Seconds()/y.Seconds())
		}
	}
	rate := func(d time.Duration) float64 { return float64(bytes) / 1e6 / d.Seconds() }
	return median(ratios), versus(rate(x), rate(y), "MB/s") + "; " + dynamic, nil
}

// official is the way of the library.
type official struct {
	step    *dynamicpb.Message
	options protojson.MarshalOptions
	text    []byte
}

func newOfficial() (*official, error) {
	files, err := build.Schema()
	if err != nil {
		return nil, err
	}
	step, err := build.NewMessage(build.StepMessage)
	return &official{step: step, options: protojson.MarshalOptions{Resolver: dynamicpb.NewTypes(files)}}, err
}

func (o *official) json(raw []byte) error {
	m := dynamicpb.NewMessage(o.step.Descriptor())
	if err := proto.Unmarshal(raw, m); err != nil {
		return err
	}
	var err error
	o.text, err = o.options.MarshalAppend(o.text[:0], m)
	return err
}

// spent is the processor time of do for all payloads, the collection of its garbage included.
func spent(payloads [][]byte, do func(raw []byte) error) (time.Duration, error) {
	start, err := cpuTime()
	if err != nil {
		return 0, err
	}
	for i, raw := range payloads {
		if err := do(raw); err != nil {
			return 0, fmt.Errorf("step %d: %w", i, err)
		}
	}
	end, err := cpuTime()
	return end - start, err
}

// readPayloads returns the first n payloads of a session.
func readPayloads(path string, n int) ([][]byte, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?immutable=1")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT step_payload FROM steps ORDER BY idx LIMIT ?", n) //nolint:noctx // short
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all [][]byte
	for rows.Next() {
		var payload []byte
		if err := rows.Scan(&payload); err != nil {
			return nil, err
		}
		all = append(all, payload)
	}
	return all, rows.Err()
}
