package page

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"kstatus.dev/report"
)

// browser is the Chromium that all tests share.
var browser context.Context

func TestMain(m *testing.M) {
	os.Exit(func() int {
		path, err := chromium()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return missing()
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU)
		if os.Getuid() == 0 {
			options = append(options, chromedp.NoSandbox)
		}
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		defer stop()
		ctx, cancel := chromedp.NewContext(allocator)
		defer cancel()
		if err := chromedp.Do(ctx); err != nil {
			fmt.Fprintf(os.Stderr, "start %s: %v\n", path, err)
			return 1
		}
		browser = ctx
		return m.Run()
	}())
}

// chromium finds the browser as test/browser.sh does.
func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium is installed, in which the page of reports is tested: run test/browser.sh install, or install it yourself")
}

// missing is the exit code without a browser: the tests are skipped, and make test reports that
// at its end. In continuous integration they fail instead.
func missing() int {
	if os.Getenv("CI") == "true" {
		return 1
	}
	return 0
}

// A browserTab shows the page of a run.
type browserTab struct {
	*testing.T
	ctx context.Context
	url string

	mu      sync.Mutex // guards the fields below
	console []string   // errors, warnings, and the output of scripts
	asked   []string   // requested addresses
	dialogs []string
}

// open shows a run in its own tab, at a fragment of the page.
func open(t *testing.T, r *report.Run, hash string) *browserTab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.HTML(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	page := &browserTab{T: t, ctx: ctx, url: (&url.URL{Scheme: "file", Path: file, Fragment: hash}).String()}
	page.check(chromedp.Listen(ctx, page.handleEvent))
	command(page, network.Enable, network.EnableParams{})
	command(page, log.Enable, cdp.Empty{})
	page.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(page.url))
	t.Cleanup(page.checkNoOutput)
	return page
}

func (p *browserTab) handleEvent(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		p.console = append(p.console, e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		p.console = append(p.console, fmt.Sprint("console.", e.Type))
	case *runtime.EventExceptionThrown:
		p.console = append(p.console, e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		p.asked = append(p.asked, e.Request.URL)
	case *cdppage.EventJavascriptDialogOpening:
		p.dialogs = append(p.dialogs, e.Message)
	}
}

// checkNoOutput checks that the page has logged nothing and requested only itself.
func (p *browserTab) checkNoOutput() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.console) > 0 || len(p.dialogs) > 0 {
		p.Errorf("the console has %q, there were dialogs %q", p.console, p.dialogs)
	}
	for _, address := range p.asked {
		itself, _, _ := strings.Cut(p.url, "#")
		if before, _, _ := strings.Cut(address, "#"); before != itself && !strings.HasPrefix(address, "data:") {
			p.Errorf("it asks for %s", address)
		}
	}
}

func (p *browserTab) check(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *browserTab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Minute)
	defer cancel()
	p.check(chromedp.Do(ctx, steps...))
}

// keys presses keys one after the other.
func (p *browserTab) keys(keys ...string) {
	p.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// command runs a command of the protocol.
func command[P, R any](p *browserTab, c cdp.Command[P, R], params P) R {
	p.Helper()
	result, err := chromedp.Call(p.ctx, c, params)
	p.check(err)
	return result
}

// value evaluates an expression in the page.
func value[T any](p *browserTab, expression string) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// want compares a value of the page with its expected value.
func want[T comparable](p *browserTab, what, expression string, wanted T) {
	p.Helper()
	if have := value[T](p, expression); have != wanted {
		p.Errorf("%s: have %v, want %v", what, have, wanted)
	}
}
