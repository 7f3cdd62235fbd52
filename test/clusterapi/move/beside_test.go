package move

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
)

// clusterctl is built only for TestBesideClusterctl, and for the bench of moves.
var clusterctl = sync.OnceValues(func() (string, error) {
	dir, _, err := cluster.Tools{Folder: "clusterctl", Module: "sigs.k8s.io/cluster-api", Names: []string{"clusterctl"}}.Build(context.Background(), os.Stderr)
	return filepath.Join(dir, "clusterctl"), err
})

// A gate is a proxy to a site. It calls do before the first request of a method, or before a later one.
type gate struct {
	*httptest.Server
	method string
	number int // of the request, from 1
	do     func()

	mu   sync.Mutex // guards seen
	seen int        // requests of the method
}

// newGate starts a gate until the end of the test, and returns it with its kubeconfig.
func newGate(t *testing.T, s *site) (g *gate, kubeconfig string) {
	t.Helper()
	to, err := url.Parse(s.Config().Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	if proxy.Transport, err = rest.TransportFor(s.Config()); err != nil {
		t.Fatal(err)
	}
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) } // its client was killed
	g = &gate{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.pass(r)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := cluster.WriteKubeconfig(kubeconfig, &rest.Config{Host: g.URL}, "default"); err != nil {
		t.Fatal(err)
	}
	return g, kubeconfig
}

// pass calls do before a request. Dry runs and questions about permissions do not count.
func (g *gate) pass(r *http.Request) {
	if r.Method != g.method || strings.Contains(r.URL.RawQuery, "dryRun") || strings.Contains(r.URL.Path, "selfsubject") {
		return
	}
	var body bytes.Buffer
	if r.Body != nil {
		_, _ = body.ReadFrom(r.Body) // a short body is refused by the server
		r.Body = http.NoBody
		if body.Len() > 0 {
			r.Body = readCloser{bytes.NewReader(body.Bytes())}
		}
	}
	if strings.Contains(body.String(), "dryRun") {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen++
	if g.seen == g.number {
		g.do()
	}
}

// A readCloser is a body that was read before.
type readCloser struct{ *bytes.Reader }

// Close does nothing.
func (readCloser) Close() error { return nil }

// A thing is a content that must not be lost.
type thing struct {
	kind  schema.GroupVersionResource
	name  string
	path  []string
	value string
}

// String names the content.
func (h thing) String() string { return strings.TrimSuffix(h.kind.Resource, "s") + " " + h.name }

var (
	ca    = thing{secrets, "a-ca", []string{"data", "tls.key"}, "Zmlyc3Q="}
	crate = thing{crates, "c", []string{"spec", "size"}, "first"}
)

// A situation is what happens during a move with either tool.
type situation struct {
	it      string
	create  string // further objects of the source
	prepare func(b *beside)
	side    int    // where method is sent: 0 is the source
	method  string // the attack comes before the first request with it
	number  int
	attack  func(b *beside)
	again   bool                     // it is called again after that; kstatus resumes then
	things  []thing                  // that exist before or are created by the attack, and should not be lost
	harms   func(b *beside) []string // what is wrong at the end, apart from losses; nil means nothing
	theirs  result
	ours    result
}

// A result is how a call has ended.
type result struct {
	code  int
	says  string // in the last lines
	harms string // what was lost, or done wrong
}

// A beside is a yard for one tool in a situation.
type beside struct {
	*yard
	gates   [2]*gate
	configs [2]string
	cmd     *exec.Cmd
}

// lost returns the contents that neither side has.
func (b *beside) lost(things []thing) (lost []string) {
	for _, h := range things {
		found := slices.ContainsFunc([]*site{b.from, b.to}, func(s *site) bool {
			o := b.find(s, h.kind, h.name)
			return o != nil && o.GetDeletionTimestamp() == nil && field(o, h.path...) == h.value
		})
		if !found {
			lost = append(lost, "loses "+h.String())
		}
	}
	return lost
}

// run calls a tool, and returns the exit code and the last lines.
func (b *beside) run(path string, args ...string) result {
	b.cmd = exec.Command(path, append(args, "--kubeconfig", b.configs[0], "--to-kubeconfig", b.configs[1])...)
	var out bytes.Buffer
	b.cmd.Dir, b.cmd.Stdout, b.cmd.Stderr = b.t.TempDir(), &out, &out
	_ = b.cmd.Run() // the exit code says how it ended
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return result{code: b.cmd.ProcessState.ExitCode(), says: strings.Join(lines[max(0, len(lines)-6):], "\n")}
}

// complete has the Cluster report that it is complete: otherwise clusterctl does not begin.
func (b *beside) complete() {
	b.t.Helper()
	until(b.t, "the Cluster is complete", func() error {
		b.merge(b.from, clusters, "a", `{"status": {"initialization": {"infrastructureProvisioned": true, "controlPlaneInitialized": true},
			"conditions": [{"type": "ControlPlaneInitialized", "status": "True", "reason": "Initialized", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}`, "status")
		if o := b.get(b.from, clusters, "a"); !strings.HasPrefix(condition(o, "ControlPlaneInitialized"), "True/") {
			return fmt.Errorf("%v", field(o, "status"))
		}
		return nil
	})
}

// play plays a situation with a tool.
func (s situation) play(t *testing.T, isOurs bool) result {
	b := &beside{yard: newYard(t)}
	for i, at := range []*site{b.from, b.to} {
		b.gates[i], b.configs[i] = newGate(t, at)
	}
	b.create("Cluster a : " + bare + "\nSecret a-ca : {data: {tls.key: Zmlyc3Q=}}\nCrate c < Cluster a : {spec: {size: first}}\nCrate d < Crate c\nCrate e < Cluster a\n" + s.create)
	b.complete()
	if s.prepare != nil {
		s.prepare(b)
	}
	if s.attack != nil {
		g := b.gates[s.side]
		g.method, g.number, g.do = s.method, max(1, s.number), func() { s.attack(b) }
	}
	var r result
	if isOurs {
		dir, err := built()
		if err != nil {
			t.Fatal(err)
		}
		path, journal := filepath.Join(dir, "kstatus"), filepath.Join(t.TempDir(), "journal.json")
		r = b.run(path, "capi", "move", "-n", b.ns, "--accept", "not-ready", "--window", "1s", "--progress", "none", "--journal", journal)
		if s.again {
			r = b.run(path, "capi", "move", "resume", "--progress", "none", "--journal", journal)
		}
	} else {
		path, err := clusterctl()
		if err != nil {
			t.Fatal(err)
		}
		r = b.run(path, "move", "-n", b.ns)
		if s.again {
			r = b.run(path, "move", "-n", b.ns)
		}
	}
	want := s.theirs.harms
	if isOurs {
		want = s.ours.harms
	}
	limited, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_ = managers.Until(limited, func() bool { // the garbage collector works on after the end
		harms := b.lost(s.things)
		if s.harms != nil {
			harms = append(harms, s.harms(b)...)
		}
		r.harms = strings.Join(harms, ", ")
		return r.harms == want
	})
	return r
}

// Each situation is played with clusterctl and with kstatus. kstatus loses nothing. What clusterctl
// does is in the guide, so that a release that repairs it is noticed.
func TestBesideClusterctl(t *testing.T) {
	cluster.Long(t)
	for _, s := range situations {
		for _, isOurs := range []bool{false, true} {
			tool, want := "clusterctl", s.theirs
			if isOurs {
				tool, want = "kstatus", s.ours
			}
			t.Run(s.it+" with "+tool, func(t *testing.T) {
				t.Parallel()
				have := s.play(t, isOurs)
				t.Logf("exit code %d, %q:\n%s", have.code, have.harms, have.says)
				if have.code != want.code || have.harms != want.harms || !strings.Contains(have.says, want.says) {
					t.Errorf("want %d, %q, and %q in the last lines", want.code, want.harms, want.says)
				}
			})
		}
	}
}
