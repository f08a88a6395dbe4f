package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/sinks/html/browsertest"
)

// The index opens without a request or a script, and its links lead to the documents.
func TestBrowserShowsTheIndex(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	s := newShop(t)
	s.put(1, "Größe # 100% <b>\u202e", 3)
	s.put(2, "World", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown", "html", "json"))
	page := browser.Load(t, filepath.Join(dir, "index.html"), browsertest.Desktop)
	if findings := page.Findings(); len(findings) > 0 {
		t.Error(findings)
	}
	links := browsertest.Eval[[]string](t, page, `[...document.querySelectorAll("td a")].map(a => decodeURIComponent(a.getAttribute("href")))`)
	if len(links) != 6 {
		t.Errorf("links %v", links)
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join(dir, link)); err != nil {
			t.Error(err)
		}
	}
	if n := browsertest.Eval[int](t, page, `document.querySelectorAll("b:not(.facts b), script").length`); n != 0 {
		t.Error("a title became an element")
	}
	page.Close()
	phone := browser.Load(t, filepath.Join(dir, "index.html"), browsertest.Phone)
	if wide := browsertest.Eval[bool](t, phone, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("a phone has to scroll sideways")
	}
	phone.Close()
}

// A conversation of 10,000 steps is one page that a browser shows soon: only what is in view is laid out.
func TestCaseE07TenThousandSteps(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes 10,000 steps")
	}
	browser := browsertest.Start(t)
	s := newShop(t)
	const steps = 10_000
	s.put(1, "Hello", steps)
	dir := t.TempDir()
	export(t, s.options(dir, "html"))
	path := filepath.Join(dir, "2026-05-02-hello-00000001.html")
	text := read(t, path)
	if n := strings.Count(text, `id="step-`); n != steps || len(text) > 1500*steps {
		t.Errorf("%d steps in %d bytes", n, len(text))
	}
	page := browser.Load(t, path, browsertest.Desktop)
	defer page.Close()
	if skipped := browsertest.Eval[string](t, page, `getComputedStyle(document.getElementById("step-9999")).contentVisibility`); skipped != "auto" {
		t.Errorf("content-visibility of a step is %q", skipped)
	}
	if paint := browsertest.Eval[float64](t, page, `performance.getEntriesByName("first-contentful-paint")[0].startTime`); paint <= 0 || paint > 20_000 {
		t.Errorf("first paint after %.0f ms", paint)
	}
}
