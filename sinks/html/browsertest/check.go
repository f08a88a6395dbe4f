package browsertest

import (
	"encoding/json"
	"testing"
)

// Check fails the test unless the page was silent, kept its address, is no wider than its window, and shows every anchor
// with a size, first as it was opened and then with all details unfolded.
func (p *Page) Check(t testing.TB, anchors []string) {
	t.Helper()
	p.checkVisible(t, anchors, "as opened")
	p.Unfold(t)
	p.checkVisible(t, anchors, "unfolded")
	if at := Eval[string](t, p, `location.href`); at != p.url {
		t.Errorf("page went from %s to %s", p.url, at)
	}
	for _, finding := range p.Findings() {
		t.Errorf("%s: %s", p.url, finding)
	}
}

func (p *Page) checkVisible(t testing.TB, anchors []string, state string) {
	t.Helper()
	list, err := json.Marshal(append([]string{}, anchors...))
	if err != nil {
		t.Fatal(err)
	}
	hidden := Eval[[]string](t, p, string(list)+`.filter(id => {
		const e = document.getElementById(id), box = e?.getBoundingClientRect()
		return !(box && box.width > 0 && box.height > 0 && e.checkVisibility({visibilityProperty: true, opacityProperty: true}))
	})`)
	for _, anchor := range hidden {
		t.Errorf("%s, %s: %s is missing or has no size", p.url, state, anchor)
	}
	if wide := Eval[[]string](t, p, tooWide); len(wide) > 0 {
		t.Errorf("%s, %s: wider than the window: %q", p.url, state, wide)
	}
}

// tooWide names the innermost elements that make the page scroll sideways, as path of tags and classes.
const tooWide = `(() => {
	const width = document.documentElement.clientWidth, found = []
	if (document.documentElement.scrollWidth <= width) return found
	const scrolls = e => e && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement))
	for (const e of document.body.querySelectorAll("*")) {
		if (found.length < 5 && e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement)) {
			const path = []
			for (let p = e; p && p !== document.body; p = p.parentElement) path.unshift(p.localName + (p.className && "." + p.className))
			found.push(path.join(" > "))
		}
	}
	return found.length ? found : ["an element that could not be named"]
})()`
