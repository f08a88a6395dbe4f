package rpc

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"google.golang.org/protobuf/encoding/protodelim"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

type countingArtifacts struct{ created, closed int }

func (c *countingArtifacts) Create(string, string, uint32) (io.WriteCloser, error) {
	c.created++
	return c, nil
}
func (c *countingArtifacts) Write(p []byte) (int, error) { return len(p), nil }
func (c *countingArtifacts) Close() error                { c.closed++; return nil }

// Whatever messages a plugin sends, the host ends in success only when every part was closed and the counts are true.
func FuzzDownstream(f *testing.F) {
	seed := func(messages ...*pluginv1.ConvertResponse) {
		var b bytes.Buffer
		for _, m := range messages {
			if _, err := protodelim.MarshalTo(&b, m); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(b.Bytes(), uint64(3))
	}
	ready := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Ready{Ready: &pluginv1.Ready{}}}
	begin := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactBegin{ArtifactBegin: &pluginv1.ArtifactBegin{Id: 1, Name: "a"}}}
	chunk := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactChunk{ArtifactChunk: &pluginv1.ArtifactChunk{Id: 1, Data: []byte("x")}}}
	end := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactEnd{ArtifactEnd: &pluginv1.ArtifactEnd{Id: 1, Bytes: 1}}}
	done := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Done{Done: &pluginv1.Done{Events: 3, Artifacts: 1, Bytes: 1}}}
	diag := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Diagnostic{Diagnostic: &pluginv1.Diagnostic{Message: "m", Fatal: true}}}
	seed(ready, begin, chunk, end, done)
	seed(ready, diag)
	seed(begin, ready, done, done)
	f.Fuzz(func(t *testing.T, data []byte, sent uint64) {
		client := &SinkClient{info: sinks.Info{Name: "f"}}
		client.opts = client.opts.withDefaults()
		out := &countingArtifacts{}
		d := newDownstream(client, out)
		d.sent = &sent
		r := bytes.NewReader(data)
		for {
			m := &pluginv1.ConvertResponse{}
			if protodelim.UnmarshalFrom(r, m) != nil {
				break
			}
			if err := d.handle(m); err != nil {
				if !errors.Is(err, sinks.ErrPlugin) && !errors.Is(err, sinks.ErrOptions) && !errors.Is(err, sinks.ErrOutput) {
					t.Errorf("%v has no kind", err)
				}
				return
			}
		}
		if d.end() == nil && (out.created != out.closed || int(d.ended) != out.closed) {
			t.Errorf("%d parts created, %d closed, %d counted", out.created, out.closed, d.ended)
		}
	})
}
