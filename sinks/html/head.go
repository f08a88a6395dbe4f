package html

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strings"
	"sync"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

//go:embed style.css
var styleSheet string

// policy allows exactly our style sheet and images inside the file. With pictures, also images that lie beside it.
func policy(pictures bool) string {
	images := "data:"
	if pictures {
		images += " 'self'"
	}
	return "default-src 'none'; style-src 'sha256-" + styleSum() + "'; img-src " + images + "; base-uri 'none'; form-action 'none'"
}

var styleSum = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(styleSheet))
	return base64.StdEncoding.EncodeToString(sum[:])
})

// page holds what every part of one page depends on. It never changes after Open.
type page struct {
	zone   *time.Location
	notice string
}

// appendHead appends everything up to the overview. pictures: the page shows images that lie beside it.
func (p page) appendHead(dst []byte, h *transcriptv1.Header, pictures bool) []byte {
	title := pageTitle(h)
	dst = append(dst, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"...)
	dst = append(dst, `<meta http-equiv="Content-Security-Policy" content="`...)
	dst = appendAttr(dst, policy(pictures))
	dst = append(dst, "\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"...)
	dst = append(dst, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"...)
	dst = append(dst, "<meta name=\"color-scheme\" content=\"light dark\">\n"...)
	dst = append(dst, "<meta name=\"generator\" content=\"agy-reader\">\n<link rel=\"icon\" href=\"data:,\">\n<title>"...)
	dst = appendPlain(dst, title)
	dst = append(dst, "</title>\n<style>"...)
	dst = append(dst, styleSheet...)
	dst = append(dst, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#steps\">Skip to the steps</a>\n"...)
	dst = append(dst, "<header class=\"top\">\n<p class=\"brand\">Conversation transcript</p>\n<h1 dir=\"auto\">"...)
	dst = appendText(dst, title)
	dst = append(dst, "</h1>\n<ul class=\"facts\">\n"...)
	dst = appendFact(dst, "Product", present.Surface(h.GetSurface()))
	if project := h.GetProject(); project.GetValue() != "" {
		dst = appendFact(dst, "Project", present.Path(project.GetValue()))
	}
	dst = appendFact(dst, "Started", present.Time(h.CreatedNs, p.zone))
	if present.Recorded(h.UpdatedNs) {
		dst = appendFact(dst, "Last change", present.Time(h.UpdatedNs, p.zone))
	}
	dst = appendFact(dst, "Id", h.GetConversationId())
	dst = appendParent(dst, h)
	dst = append(dst, "</ul>\n"...)
	dst = appendResume(dst, h)
	dst = append(dst, "</header>\n"...)
	if p.notice != "" {
		dst = append(dst, "<div class=\"notice warn wide\"><p>"...)
		dst = appendText(dst, p.notice)
		dst = append(dst, "</p></div>\n"...)
	}
	return dst
}

// appendParent links the document of the conversation that started this one.
func appendParent(dst []byte, h *transcriptv1.Header) []byte {
	href, safe := present.DocumentHref(h.GetParentHref(), suffix)
	if !safe {
		return dst
	}
	dst = append(dst, `<li><span class="name">Started by</span> <a href="`...)
	dst = appendAttr(dst, href)
	dst = append(dst, `">`...)
	dst = appendText(dst, orWord(h.GetParentConversationId(), "another conversation"))
	return append(dst, "</a></li>\n"...)
}

// appendResume appends the command that goes on with the conversation; one click selects all of it.
func appendResume(dst []byte, h *transcriptv1.Header) []byte {
	if h.GetResumeCommand() == "" {
		return dst
	}
	dst = append(dst, `<p class="resume"><span class="name">Go on with it</span> <code class="copy">`...)
	dst = appendText(dst, h.GetResumeCommand())
	return append(dst, "</code></p>\n"...)
}

func appendFact(dst []byte, name, value string) []byte {
	dst = append(append(dst, `<li><span class="name">`...), name...)
	dst = append(dst, "</span> "...)
	dst = appendText(dst, value)
	return append(dst, "</li>\n"...)
}

// appendPlain appends text where no element may stand.
func appendPlain(dst []byte, s string) []byte {
	return appendAttr(dst, strings.Join(strings.Fields(s), " "))
}

// pageTitle is the recorded title, or the id where there is none.
func pageTitle(h *transcriptv1.Header) string {
	if title := strings.TrimSpace(h.GetTitle().GetValue()); title != "" {
		return title
	}
	if id := h.GetConversationId(); id != "" {
		return "Conversation " + id
	}
	return "Conversation without id"
}
