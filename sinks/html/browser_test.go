package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/html/browsertest"
)

// anchors lists the steps of a stream.
func anchors(events []*transcriptv1.Event) []string {
	var all []string
	for _, ev := range events {
		if s := ev.GetStep(); s != nil {
			all = append(all, s.GetAnchor())
		}
	}
	return all
}

func save(t *testing.T, page string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a b#c.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	hostile := hostileConversation()
	for _, test := range []struct {
		name   string
		events []*transcriptv1.Event
	}{
		{"sample", sample()},
		{"hostile", hostile},
		{"empty", conversation()},
	} {
		file := save(t, render(t, test.events))
		for _, view := range []browsertest.View{browsertest.Desktop, browsertest.Phone, {Width: 320, Height: 568, Dark: true}} {
			page := browser.Load(t, file, view)
			page.Check(t, anchors(test.events))
			if browsertest.Eval[string](t, page, `document.title`) == "" {
				t.Errorf("%s: no title", test.name)
			}
			page.Close()
		}
	}
}

// The policy must hold even if markup of a transcript ever got into the page.
func TestPolicyStopsInjectedMarkup(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	page := render(t, conversation(&transcriptv1.Step{Anchor: "step-0"}))
	page = strings.Replace(page, "</main>", `<script>document.title="owned"</script><img src="x" onerror="document.title='owned'">`+
		`<p id="styled" style="position:fixed">x</p><img src="https://example.org/p.png"></main>`, 1)
	opened := browser.Load(t, save(t, page), browsertest.Desktop)
	title := browsertest.Eval[string](t, opened, `document.title`)
	position := browsertest.Eval[string](t, opened, `getComputedStyle(document.getElementById("styled")).position`)
	if title == "owned" || position == "fixed" {
		t.Errorf("injected markup took effect: title %q, position %q", title, position)
	}
	if !slices.ContainsFunc(opened.Findings(), func(f string) bool { return strings.Contains(f, "Content Security Policy") }) {
		t.Errorf("no policy violation was reported, so the harness sees none: %q", opened.Findings())
	}
}

// Steps far down are laid out only when they come near; a link to one must still lead there.
func TestLinkIntoLongPage(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	var steps []*transcriptv1.Step
	for i := range 1500 {
		steps = append(steps, &transcriptv1.Step{
			Index: uint32(i), Anchor: fmt.Sprintf("step-%d", i), Role: assistant, Kind: "PLANNER_RESPONSE",
			Blocks: []*transcriptv1.Block{markdown(strings.Repeat("A paragraph of some length.\n\n", i%40))},
		})
	}
	page := browser.Load(t, save(t, render(t, conversation(steps...))), browsertest.Desktop)
	for _, anchor := range []string{"step-1200", "step-40", "step-1499"} {
		browsertest.Eval[string](t, page, `location.hash = "#`+anchor+`"`)
		if !browsertest.Eval[bool](t, page, `(() => {
			const box = document.querySelector(":target").getBoundingClientRect()
			return box.top > -50 && box.top < innerHeight - 20
		})()`) {
			t.Errorf("%s is not in the window", anchor)
		}
	}
}

// AGY_SHOTS names a folder for pictures of the sample page, for people to look at.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("AGY_SHOTS")
	if folder == "" {
		t.Skip("AGY_SHOTS is not set")
	}
	browser := browsertest.Start(t)
	file := save(t, render(t, sample()))
	if given := os.Getenv("AGY_SHOTS_PAGE"); given != "" {
		file = given
	}
	for name, view := range map[string]browsertest.View{
		"desktop-light": {Width: 1400, Height: 1800}, "desktop-dark": {Width: 1400, Height: 1800, Dark: true},
		"phone-light": {Width: 390, Height: 1400}, "phone-dark": {Width: 390, Height: 1400, Dark: true},
	} {
		page := browser.Load(t, file, view)
		for _, selector := range strings.Fields(os.Getenv("AGY_SHOTS_AT") + " body") {
			if os.Getenv("AGY_SHOTS_UNFOLD") != "" {
				page.Unfold(t)
			}
			out := filepath.Join(folder, name+strings.ReplaceAll(selector, "#", "-")+".png")
			if err := os.WriteFile(out, page.Screenshot(t, selector), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		page.Close()
	}
}
