package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// ChildState says what became of a conversation that a step started: `in this document`, `in a document of its own`.
// linked reports whether its document is known: one of its own may not have been made.
func ChildState(state string, linked bool) string {
	switch state {
	case "":
		return ""
	case "inline":
		return "in this document"
	case "separate":
		if !linked {
			return "not in this document; its own was not made in the same run"
		}
		return "in a document of its own"
	case "left out":
		return "left out of this document"
	case "not found":
		return "not found in the store"
	case "unreadable":
		return "in the store, but it cannot be read"
	case "cycle":
		return "not shown again: this conversation is part of it"
	case "too deep":
		return "not shown: nested too deep"
	}
	return strings.ToLower(Kind(state))
}

// conversationAnchor is the id of the section that holds a nested conversation; empty when there is none to name.
func conversationAnchor(id string) string {
	if id == "" {
		return ""
	}
	return "conversation-" + Anchor(id)
}

// ChildHref is where the link to such a conversation leads: to its section, or to its document. suffix is that of the
// format. false: nowhere.
func ChildHref(id, state, href, suffix string) (string, bool) {
	if state == "inline" {
		anchor := conversationAnchor(id)
		return "#" + anchor, anchor != ""
	}
	return DocumentHref(href, suffix)
}

// DocumentHref is the link to the same format of another document; see Header.parent_href.
func DocumentHref(href, suffix string) (string, bool) {
	path, fragment, found := strings.Cut(href, "#")
	link, ok := RelativeHref(path)
	if !ok {
		return "", false
	}
	link += suffix
	if found {
		link += "#" + Anchor(fragment)
	}
	return link, true
}

// RelativeHref returns href as a link to a file beside or below the document, or false when it may lead anywhere else: it
// has a scheme, a host or a root. The result is as safe as that of Href.
func RelativeHref(href string) (string, bool) {
	first, _, _ := strings.Cut(href, "/")
	if first == "" || strings.ContainsAny(first, ":\\") || strings.TrimSpace(first) != first {
		return "", false
	}
	return encode(strings.ReplaceAll(href, `\`, "%5C"), true), true
}

// NestedAnchor is conversationAnchor of a trajectory inside another one; empty for a part of the same conversation.
func NestedAnchor(h *transcriptv1.Header) string {
	if h.GetConversationId() == h.GetParentConversationId() {
		return ""
	}
	return conversationAnchor(h.GetConversationId())
}
