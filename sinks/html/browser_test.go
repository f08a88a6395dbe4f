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

// One browser serves all tests, one after the other.
func TestBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browsertest.Browser)
	}{
		{"pages are silent and complete", pagesAreSilent},
		{"policy stops injected markup", policyStopsMarkup},
		{"links into a long page", linksIntoLongPage},
		{"contrast", contrast},
		{"outline", outline},
		{"files beside the page", filesBeside},
		{"paper", paper},
		{"long lists", longLists},
		{"pictures", pictures},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, browser) })
	}
}

func pagesAreSilent(t *testing.T, browser *browsertest.Browser) {
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
func policyStopsMarkup(t *testing.T, browser *browsertest.Browser) {
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
func linksIntoLongPage(t *testing.T, browser *browsertest.Browser) {
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

// An image that lies beside the page is shown, and nothing else is loaded.
func filesBeside(t *testing.T, browser *browsertest.Browser) {
	events := whole(t)
	file := save(t, render(t, events))
	if err := os.Mkdir(filepath.Join(filepath.Dir(file), "x.assets"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "x.assets", "0123456789abcdef-media__1.png"), png, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, view := range []browsertest.View{browsertest.Desktop, browsertest.Phone, {Width: 1400, Height: 1000, Dark: true}} {
		page := browser.Load(t, file, view)
		page.Unfold(t)
		if width := browsertest.Eval[int](t, page, `document.querySelector("figure img").naturalWidth`); width != 1 {
			t.Errorf("the image is %d wide", width)
		}
		for _, anchor := range anchors(events) {
			if !browsertest.Eval[bool](t, page, `document.getElementById("`+anchor+`").checkVisibility()`) {
				t.Errorf("%s is not visible", anchor)
			}
		}
		broken := browsertest.Eval[[]string](t, page, `[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute("href"))
			.filter(h => !document.getElementById(h.slice(1)))`)
		if len(broken) > 0 {
			t.Errorf("links that lead nowhere: %q", broken)
		}
		for _, found := range page.Findings() {
			if !strings.Contains(found, "x.assets/0123456789abcdef-media__1.png") {
				t.Error(found)
			}
		}
		for _, found := range browsertest.Eval[[]string](t, page, poorContrast) {
			t.Errorf("dark %v: %s", view.Dark, found)
		}
		page.Close()
	}
}

// Every text must be readable in both colour schemes: contrast of at least 4.5 to 1 with what lies behind it.
func contrast(t *testing.T, browser *browsertest.Browser) {
	file := save(t, render(t, sample()))
	for _, view := range []browsertest.View{browsertest.Desktop, {Width: 1400, Height: 1000, Dark: true}} {
		page := browser.Load(t, file, view)
		page.Unfold(t)
		texts := browsertest.Eval[int](t, page, `document.body.innerText.length`)
		poor := browsertest.Eval[[]string](t, page, poorContrast)
		if texts < 1000 {
			t.Errorf("only %d characters were looked at", texts)
		}
		for _, found := range poor {
			t.Errorf("dark %v: %s", view.Dark, found)
		}
		page.Close()
	}
}

const poorContrast = `(() => {
	const numbers = color => color.match(/[\d.]+/g).map(Number)
	const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = numbers(getComputedStyle(e).backgroundColor)
			if (c.length < 4 || c[3] === 1) return c
		}
		return [255, 255, 255]
	}
	const found = new Set()
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	while (walk.nextNode()) {
		if (!walk.currentNode.data.trim()) continue
		const e = walk.currentNode.parentElement, style = getComputedStyle(e)
		const [a, b] = [light(numbers(style.color)), light(behind(e))].sort((a, b) => b - a)
		const ratio = (a + 0.05) / (b + 0.05) 
		if (ratio < 4.5) found.add(e.localName + "." + e.className + " in " + e.parentElement.className + " " + ratio.toFixed(2))
	}
	return [...found]
})()`

// Headings never skip a level downwards, and only one is the title.
func outline(t *testing.T, browser *browsertest.Browser) {
	outlineOf(t, browser, sample())
	outlineOf(t, browser, whole(t))
}

func outlineOf(t *testing.T, browser *browsertest.Browser, events []*transcriptv1.Event) {
	t.Helper()
	page := browser.Load(t, save(t, render(t, events)), browsertest.Desktop)
	levels := browsertest.Eval[[]int](t, page, `[...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map(h => +h.localName[1])`)
	ones := 0
	for i, level := range levels {
		if level == 1 {
			ones++
		}
		// A message may start at any of its own levels.
		if i > 0 && level <= 4 && level > levels[i-1]+1 {
			t.Errorf("heading %d: level %d follows level %d", i, level, levels[i-1])
		}
	}
	if ones != 1 || levels[0] != 1 {
		t.Errorf("levels %v", levels)
	}
	outside := browsertest.Eval[[]string](t, page, `[...document.body.children].filter(e => !["header", "section", "main", "footer", "nav", "aside"].includes(e.localName)
		&& !e.matches(".skip, .columns")).map(e => e.outerHTML.slice(0, 80))`)
	if len(outside) > 0 {
		t.Errorf("outside of all landmarks: %q", outside)
	}
}

// On paper nothing can be unfolded, so nothing is folded, cut or scrolled.
func paper(t *testing.T, browser *browsertest.Browser) {
	page := browser.Load(t, save(t, render(t, sample())), browsertest.View{Width: 800, Height: 1000, Print: true})
	hidden := browsertest.Eval[[]string](t, page, `[...document.querySelectorAll("details:not([open]) > :not(summary)")]
		.filter(e => !e.checkVisibility() || e.getBoundingClientRect().height === 0).map(e => e.outerHTML.slice(0, 80))`)
	if len(hidden) > 0 {
		t.Errorf("folded away: %q", hidden)
	}
	cut := browsertest.Eval[[]string](t, page, `[...document.querySelectorAll("main *")]
		.filter(e => getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1).map(e => e.outerHTML.slice(0, 80))`)
	if len(cut) > 0 {
		t.Errorf("cut at the side: %q", cut)
	}
}

// On a phone the steps begin within two screens, however many prompts and files there are; on paper every list is whole.
func longLists(t *testing.T, browser *browsertest.Browser) {
	events := conversation(&transcriptv1.Step{Anchor: "step-0"})
	overview := &transcriptv1.Overview{}
	for i := range 200 {
		overview.Prompts = append(overview.Prompts, &transcriptv1.Prompt{Anchor: "step-0", Text: fmt.Sprintf("Prompt %d", i), StepsAfter: 3})
		overview.Files = append(overview.Files, &transcriptv1.TouchedFile{Uri: fmt.Sprintf("file:///w/%d.go", i), ReadAnchors: []string{"step-0"}})
	}
	events[len(events)-1].GetEnd().Overview = overview
	file := save(t, render(t, events))
	const folded = `[...document.querySelectorAll(".side ol, .side ul")].filter(e => e.scrollHeight > e.clientHeight + 1).length`
	phone := browser.Load(t, file, browsertest.Phone)
	phone.Unfold(t)
	if top := browsertest.Eval[float64](t, phone, `document.getElementById("steps").getBoundingClientRect().top`); top > 2*844 {
		t.Errorf("on a phone the steps begin %g pixels down", top)
	}
	if n := browsertest.Eval[int](t, phone, folded); n != 2 {
		t.Errorf("%d lists scroll, want 2", n)
	}
	if n := browsertest.Eval[int](t, phone, `(() => {
		const list = document.querySelector(".prompts")
		list.lastElementChild.scrollIntoView()
		return list.lastElementChild.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 2 ? 1 : 0
	})()`); n != 1 {
		t.Error("the last prompt cannot be scrolled to")
	}
	paper := browser.Load(t, file, browsertest.View{Width: 800, Height: 1000, Print: true})
	paper.Unfold(t)
	if n := browsertest.Eval[int](t, paper, folded); n != 0 {
		t.Errorf("%d lists are cut on paper", n)
	}
}

// AGY_SHOTS names a folder for pictures of the sample page, for people to look at.
func pictures(t *testing.T, browser *browsertest.Browser) {
	folder := os.Getenv("AGY_SHOTS")
	if folder == "" {
		t.Skip("AGY_SHOTS is not set")
	}
	file := save(t, render(t, whole(t)))
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
