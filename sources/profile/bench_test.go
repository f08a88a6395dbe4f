package profile

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const stepName = "gemini_coder.Step"

// syntheticSteps are steps shaped like real ones: an envelope with metadata, and bodies of 100 bytes to 10 KB of code.
func syntheticSteps() (steps [][]byte, size int64) {
	code := strings.Repeat("\tif err := scan(rows, \"step_payload\"); err != nil {\n\t\treturn fmt.Errorf(\"read step %d: %w\", i, err)\n\t}\n", 100)
	stamp := func(s uint64) string { return string(wire{}.varint(1, 1700000000+s).varint(2, 123456789)) }
	for i := range uint64(64) {
		text := code[:100+int(i)*int(i)*2]
		metadata := wire{}.str(1, stamp(i)).varint(3, 2).str(6, stamp(i+1)).str(7, stamp(i+2)).
			str(4, string(wire{}.str(1, "call_1").str(2, "run_command").str(3, `{"CommandLine":"go test ./..."}`))).
			str(12, "3fbb4b36-84d5-4ee9-8a9d-6a5e0d7c7c11").str(8, stamp(i+3)).str(30, "Test").str(31, "Running tests")
		body := wire{}.str(23, "go test ./...").str(2, "/home/u/work").varint(6, 0).varint(11, 1).
			str(21, string(wire{}.str(1, text))).str(31, "bash")
		step := wire{}.varint(1, 21).varint(4, 3).str(5, string(metadata)).str(28, string(body))
		steps = append(steps, step)
		size += int64(len(step))
	}
	return steps, size
}

func BenchmarkCheck(b *testing.B) {
	p := embeddedProfile(b)
	steps, size := syntheticSteps()
	b.SetBytes(size)
	b.ReportAllocs()
	var f Findings
	for b.Loop() {
		for _, s := range steps {
			f.Reset()
			if err := p.Check(stepName, s, "", &f); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkJSON(b *testing.B) {
	p := embeddedProfile(b)
	steps, size := syntheticSteps()
	for _, bb := range []struct {
		name string
		opt  JSONOptions
	}{{"plain", JSONOptions{}}, {"valid text", JSONOptions{ValidText: true}}, {"display", JSONOptions{Project: true, ValidText: true}}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out = out[:0]
				for _, s := range steps {
					var err error
					if out, err = p.AppendJSON(out, stepName, s, &bb.opt); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkProtojson(b *testing.B) {
	o := newOracle(b, embeddedSet(b))
	mt, err := o.types.FindMessageByName(protoreflect.FullName(stepName))
	if err != nil {
		b.Fatal(err)
	}
	steps, size := syntheticSteps()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range steps {
			m := mt.New().Interface()
			if err := proto.Unmarshal(s, m); err != nil {
				b.Fatal(err)
			}
			if _, err := (protojson.MarshalOptions{Resolver: o.types}).Marshal(m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkView opens a step, its metadata and its body and asks about 24 fields, half of them absent.
func BenchmarkView(b *testing.B) {
	p := embeddedProfile(b)
	n := new(Names)
	handles := func(message string) []Field {
		var all []Field
		for i, f := range p.schema.messages[message].table().fields {
			if i < 10 && f.oneof < 0 {
				all = append(all, n.Field(message, f.name))
			}
		}
		return all
	}
	step, meta, run := handles(stepName), handles("exa.cortex_pb.CortexStepMetadata"), handles("exa.cortex_pb.CortexStepRunCommand")
	metadata := n.Field(stepName, "metadata")
	r := p.Resolve(n)
	steps, _ := syntheticSteps()
	none := new(Findings)
	b.ReportAllocs()
	length := 0
	for b.Loop() {
		for _, s := range steps {
			v := r.View(stepName, s, none)
			for _, f := range step {
				length += len(v.Str(f))
			}
			m := v.Sub(metadata)
			for _, f := range meta {
				length += len(m.Str(f))
			}
			if _, body, ok := v.Which("step"); ok {
				for _, f := range run {
					length += len(body.Str(f))
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/step")
	b.ReportMetric(float64(len(step)+len(meta)+len(run)), "gets/step")
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"agy-1.0.4", "agy-1.1.14", "legacy-pb"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := newLibrary(embedded.files).load(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendString(b *testing.B) {
	code := strings.Repeat("\tif err := scan(rows, \"step_payload\"); err != nil {\n\t\treturn fmt.Errorf(\"read step %d: %w\", i, err)\n\t}\n", 100)
	b.SetBytes(int64(len(code)))
	var out []byte
	for b.Loop() {
		out = AppendString(out[:0], code)
	}
}

// BenchmarkViewLines reads a list of small messages, as a diff is stored: two fields each.
func BenchmarkViewLines(b *testing.B) {
	p := kindsProfile(b)
	r, f := kindFields(p)
	list, text, kind := f["r_all"], f["a_string"], f["a_color"]
	var raw wire
	const lines = 1000
	for range lines {
		raw = raw.str(57, string(wire{}.varint(16, 1).str(14, "\tif err != nil { return err } // a line")))
	}
	none := new(Findings)
	length := 0
	ways := map[string]func(View){
		"each": func(v View) {
			v.Each(list, func(v View) bool { length += len(v.Str(text)) + len(v.Enum(kind)); return true })
		},
		"line": func(v View) {
			v.EachLine(list, text, kind, func(s, k string) bool { length += len(s) + len(k); return true })
		},
	}
	for _, name := range []string{"each", "line"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				ways[name](r.View(all, raw, none))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
		})
	}
}
