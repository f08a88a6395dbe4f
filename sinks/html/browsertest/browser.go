// Package browsertest opens finished pages in a headless Chromium and reports what a person would never notice: requests,
// script errors, policy violations, elements without size. It is for tests only.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Limit for one page to load and answer, far above what any page needs.
const pageTimeout = 60 * time.Second

// Browser is one running Chromium. It may be used by one test at a time.
type Browser struct {
	ctx context.Context
}

// Start runs a browser until the test ends, or skips the test when this machine has none. AGY_CHROMIUM names the program
// if it is not in the search path.
func Start(t testing.TB) *Browser {
	t.Helper()
	program := find(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.NoFirstRun,
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		// Nothing outside of this machine can be reached, whatever a page tries.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
	)
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		cancel()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", program, err)
	}
	return &Browser{ctx: ctx}
}

func find(t testing.TB) string {
	t.Helper()
	if named := os.Getenv("AGY_CHROMIUM"); named != "" {
		return named
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium in the search path and AGY_CHROMIUM is not set: pages were not opened in a browser")
	return ""
}
