package html

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// appendFoot closes what appendOverview opened and says where the page comes from and how complete it is.
func (p page) appendFoot(dst []byte, h *transcriptv1.Header, f *transcriptv1.Footer, state present.State) []byte {
	from := h.GetProvenance()
	dst = append(dst, "</main>\n</div>\n<footer>\n<h2>About this transcript</h2>\n<dl class=\"pairs\">\n"...)
	dst = appendPair(dst, "Completeness", state.Line)
	dst = appendPair(dst, "Conversation id", h.GetConversationId())
	dst = appendPair(dst, "Trajectory id", h.GetTrajectoryId())
	dst = appendPair(dst, "Parent conversation", h.GetParentConversationId())
	dst = appendPair(dst, "Root conversation", h.GetRootConversationId())
	dst = appendPair(dst, "Trajectory type", h.GetTrajectoryType())
	dst = appendPair(dst, "Trajectory source", h.GetTrajectorySource())
	dst = appendPair(dst, "Title from", h.GetTitle().GetOrigin())
	dst = appendPair(dst, "Project from", h.GetProject().GetOrigin())
	dst = appendPair(dst, "Start from", h.GetCreatedOrigin())
	dst = appendPair(dst, "Last change from", h.GetUpdatedOrigin())
	for _, uri := range h.GetWorkspaceUris() {
		dst = appendPair(dst, "Workspace", present.Path(uri))
	}
	dst = appendPair(dst, "Source", from.GetSource())
	dst = appendPair(dst, "Read from", from.GetLocation())
	for _, part := range f.GetParts() {
		dst = appendPair(dst, "Steps from", present.PartLine(part))
	}
	dst = appendPair(dst, "Images and files", present.MediaCount(f))
	dst = appendPair(dst, "Product version", orNotRecorded(from.GetProductVersion()))
	dst = appendPair(dst, "Decoder profile", profileName(from))
	dst = appendPair(dst, "Schema fingerprint", from.GetSchemaFingerprint())
	dst = appendPair(dst, "Source digest", f.GetSourceDigest())
	if n := f.GetUnknownFields(); n > 0 {
		dst = appendPair(dst, "Unknown fields", present.Count(uint64(n)))
	}
	for _, skipped := range f.GetSkippedSections() {
		dst = appendPair(dst, "Not read", skipped)
	}
	dst = appendPair(dst, "Tokens", present.TotalUsage(f.GetUsage()))
	if u := f.GetUsageWithChildren(); u != nil {
		dst = appendPair(dst, "Tokens with subagents", present.TotalUsage(u))
	}
	dst = append(dst, "</dl>\n"...)
	dst = appendUnknown(dst, h.GetUnknown())
	return append(dst, "<p class=\"dim\">Written by agy-reader.</p>\n</footer>\n</body>\n</html>\n"...)
}

func orNotRecorded(s string) string {
	return orWord(s, present.NotRecorded)
}

func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return s
}

func profileName(from *transcriptv1.Provenance) string {
	name := from.GetProfile()
	if from.GetUnverified() {
		name += ", not verified for this version"
	}
	if from.GetProfileReason() != "" {
		name += " (" + from.GetProfileReason() + ")"
	}
	return name
}
