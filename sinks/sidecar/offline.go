package sidecar

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// formatVersion counts incompatible changes of agyReader.offline.
const formatVersion = 1

// keepHeader copies what the end of the document needs from the header, which dies with its event.
func keepHeader(h *transcriptv1.Header) *transcriptv1.Header {
	p := h.GetProvenance()
	kept := &transcriptv1.Header{
		ConversationId: h.GetConversationId(),
		Title:          &transcriptv1.Sourced{Value: h.GetTitle().GetValue(), Origin: h.GetTitle().GetOrigin()},
		Project:        &transcriptv1.Sourced{Value: h.GetProject().GetValue(), Origin: h.GetProject().GetOrigin()},
		Surface:        h.GetSurface(), CreatedOrigin: h.GetCreatedOrigin(), UpdatedOrigin: h.GetUpdatedOrigin(),
		ResumeCommand: h.GetResumeCommand(), ParentHref: h.GetParentHref(),
		Provenance: &transcriptv1.Provenance{
			Source: p.GetSource(), Location: p.GetLocation(), Profile: p.GetProfile(),
			SchemaFingerprint: p.GetSchemaFingerprint(), ProductVersion: p.GetProductVersion(), Unverified: p.GetUnverified(),
		},
	}
	for _, text := range []*string{
		&kept.ConversationId, &kept.Title.Value, &kept.Title.Origin, &kept.Project.Value, &kept.Project.Origin, &kept.Surface, &kept.CreatedOrigin,
		&kept.UpdatedOrigin, &kept.ResumeCommand, &kept.ParentHref, &kept.Provenance.Source, &kept.Provenance.Location,
		&kept.Provenance.Profile, &kept.Provenance.SchemaFingerprint, &kept.Provenance.ProductVersion,
	} {
		*text = strings.Clone(*text)
	}
	if h.CreatedNs != nil {
		kept.CreatedNs = new(*h.CreatedNs)
	}
	if h.UpdatedNs != nil {
		kept.UpdatedNs = new(*h.UpdatedNs)
	}
	return kept
}

// membersOf returns the members of a JSON object without its braces, with a comma behind the last.
func membersOf(object []byte) ([]byte, error) {
	object = bytes.TrimSpace(object)
	if len(object) == 0 {
		return nil, nil
	}
	if object[0] != '{' || object[len(object)-1] != '}' {
		return nil, errors.New("the trajectory's members are not a JSON object")
	}
	inner := bytes.TrimSpace(object[1 : len(object)-1])
	if len(inner) == 0 {
		return nil, nil
	}
	return append(inner[:len(inner):len(inner)], ",\n"...), nil
}

// appendOffline appends the members of agyReader.offline that are not lists of bytes.
func (s *session) appendOffline(dst []byte) []byte {
	p := s.header.GetProvenance()
	dst = append(dst, `"formatVersion":`...)
	dst = strconv.AppendInt(dst, formatVersion, 10)
	dst = appendMember(dst, "source", p.GetSource())
	dst = appendMember(dst, "location", p.GetLocation())
	dst = appendMember(dst, "decoderProfile", p.GetProfile())
	dst = appendMember(dst, "productVersion", p.GetProductVersion())
	dst = appendMember(dst, "schemaFingerprint", p.GetSchemaFingerprint())
	if p.GetUnverified() {
		dst = append(dst, `,"unverifiedProfile":true`...)
	}
	wrappers := "projected"
	if s.stored {
		wrappers = "stored"
	}
	dst = appendMember(dst, "wrappers", wrappers)
	if digest := s.footer.GetSourceDigest(); digest != "" {
		dst = appendMember(dst, "nativeSourceDigest", "sha256:"+digest)
	}
	dst = appendFoot(appendHead(dst, s.header), s.footer)
	for i, gap := range s.footer.GetGaps() {
		dst = appendElement(dst, "gaps", i, gap.GetText())
	}
	if len(s.footer.GetGaps()) > 0 {
		dst = append(dst, ']')
	}
	for i, skipped := range s.footer.GetSkippedSections() {
		dst = appendElement(dst, "skippedSections", i, skipped)
	}
	if len(s.footer.GetSkippedSections()) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// appendElement appends a text to the array name, which it opens for the first.
func appendElement(dst []byte, name string, i int, text string) []byte {
	if i == 0 {
		dst = append(append(append(dst, `,"`...), name...), `":[`...)
	} else {
		dst = append(dst, ',')
	}
	return appendString(dst, text)
}

// appendMember appends a further member unless its value is empty.
func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return appendString(dst, value)
}

// appendStepOrigin begins a list element about a step. Its location is a path within the stored step.
func appendStepOrigin(dst []byte, st *transcriptv1.Step) []byte {
	dst = append(dst, `{"step":`...)
	dst = strconv.AppendUint(dst, uint64(st.GetIndex()), 10)
	if strings.Count(st.GetAnchor(), "-") > 1 {
		dst = appendMember(dst, "anchor", st.GetAnchor()) // of a subagent: the index alone says too little
	}
	return append(dst, ',')
}

// appendRecordOrigin begins a list element about a record. Its location is a path within the stored record.
func appendRecordOrigin(dst []byte, r *transcriptv1.Record) []byte {
	dst = append(dst, `{"section":`...)
	dst = appendString(dst, r.GetSection())
	dst = append(dst, `,"index":`...)
	dst = strconv.AppendUint(dst, uint64(r.GetIndex()), 10)
	return append(dst, ',')
}

func appendSourceOnly(dst []byte, only *transcriptv1.SourceOnly) []byte {
	dst = append(dst, `"location":`...)
	dst = appendString(dst, only.GetPath())
	dst = appendMember(dst, "message", only.GetMessage())
	return append(appendBytes(dst, only.GetValue()), '}')
}

func appendUnknown(dst []byte, f *transcriptv1.UnknownField) []byte {
	dst = append(dst, `"path":`...)
	dst = appendString(dst, f.GetPath())
	dst = append(dst, `,"number":`...)
	dst = strconv.AppendUint(dst, uint64(f.GetNumber()), 10)
	dst = append(dst, `,"wireType":`...)
	dst = strconv.AppendUint(dst, uint64(f.GetWireType()), 10)
	return append(appendBytes(dst, f.GetValue()), '}')
}

// appendBytes appends bytes as base64 with their hash.
func appendBytes(dst, value []byte) []byte {
	sum := sha256.Sum256(value)
	dst = append(dst, `,"sha256":"`...)
	dst = hex.AppendEncode(dst, sum[:])
	dst = append(dst, `","base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, value)
	return append(dst, '"')
}

func appendString(dst []byte, s string) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // neither a string nor a buffer fails
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
