package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Page is one opened file. It is closed when the test ends, or by Close.
type Page struct {
	ctx    context.Context
	cancel context.CancelFunc
	url    string

	mu       sync.Mutex
	findings []string
}

// View is how a page is looked at.
type View struct {
	Width, Height int64
	// Dark asks for the dark colour scheme.
	Dark bool
	// Print applies the styles for paper.
	Print bool
}

// Desktop and Phone are the two sizes that pages are checked in.
var (
	Desktop = View{Width: 1400, Height: 1000}
	Phone   = View{Width: 390, Height: 844}
)

// Load opens the file and waits until it is complete.
func (b *Browser) Load(t testing.TB, file string, view View) *Page {
	t.Helper()
	absolute, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	path := "/" + strings.TrimPrefix(filepath.ToSlash(absolute), "/")
	p := &Page{url: (&url.URL{Scheme: "file", Path: path}).String()}
	tab, closeTab := chromedp.NewContext(b.ctx, chromedp.WithListener(p.watch))
	t.Cleanup(closeTab)
	if err := chromedp.Do(tab); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	ctx, stop := context.WithTimeout(tab, pageTimeout)
	p.ctx, p.cancel = ctx, func() {
		stop()
		closeTab()
	}
	t.Cleanup(p.cancel)
	if err := p.open(view); err != nil {
		t.Fatalf("open %s: %v", file, err)
	}
	return p
}

func (p *Page) open(view View) error {
	if _, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, log.Enable, cdp.Empty{}); err != nil {
		return err
	}
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}
	if view.Print {
		media.Media = "print"
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, media); err != nil {
		return err
	}
	return chromedp.Do(p.ctx, chromedp.EmulateViewport(view.Width, view.Height), chromedp.Navigate(p.url))
}

// Close ends the page before the test does.
func (p *Page) Close() { p.cancel() }

// watch notes everything a silent page never does.
func (p *Page) watch(event any) {
	switch ev := event.(type) {
	case *network.EventRequestWillBeSent:
		if u := ev.Request.URL; u != p.url && !strings.HasPrefix(u, "data:") {
			p.note("request", u)
		}
	case *log.EventEntryAdded:
		p.note("log", string(ev.Entry.Source), ev.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		p.note("console", string(ev.Type))
	case *runtime.EventExceptionThrown:
		p.note("script error", ev.ExceptionDetails.Text)
	case *page.EventJavascriptDialogOpening:
		p.note("dialog", ev.Message)
	case *page.EventFrameRequestedNavigation:
		p.note("navigation", ev.URL)
	}
}

func (p *Page) note(words ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.findings = append(p.findings, strings.Join(words, " "))
}

// Findings lists requests, console messages, policy violations, script errors, dialogs and navigations so far.
func (p *Page) Findings() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.findings...)
}

// Eval runs a JavaScript expression from outside of the page and returns its value.
func Eval[T any](t testing.TB, p *Page, expression string) T {
	t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("evaluate %.80q in %s: %v", expression, p.url, err)
	}
	return value
}

// Unfold opens every details element.
func (p *Page) Unfold(t testing.TB) {
	t.Helper()
	Eval[chromedp.Void](t, p, `for (const d of document.querySelectorAll("details")) d.open = true`)
}

// Screenshot captures the window as PNG. selector, if not empty, names the element to bring to the top first.
func (p *Page) Screenshot(t testing.TB, selector string) []byte {
	t.Helper()
	if selector != "" {
		find := fmt.Sprintf(`(() => { const e = document.querySelector(%q); e?.scrollIntoView(); return !!e })()`, selector)
		// What comes near is laid out only then and may move the element away again.
		for range 3 {
			if !Eval[bool](t, p, find) {
				t.Fatalf("no element %s", selector)
			}
		}
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatalf("screenshot of %s: %v", p.url, err)
	}
	return png
}
