package writes

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/connection"
)

// TestingT is the part of *testing.T that an audit needs. GinkgoT has it too.
type TestingT interface {
	Helper()
	Cleanup(func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Audit watches objects of the kinds while a test runs. At its end, the test
// fails for every error in the writes to these objects. The kinds must be
// served.
//
// Give the returned config to the manager of the controller, so that the audit
// also sees requests that change nothing or are rejected:
//
//	mgr, err := ctrl.NewManager(writes.Audit(t, cfg, "lamps.example.com"), ctrl.Options{})
func Audit(t TestingT, config *rest.Config, kinds ...string) *rest.Config {
	t.Helper()
	return AuditOptions{Kinds: kinds}.Audit(t, config)
}

// AuditOptions are the options of an audit in a test. Kinds is required.
type AuditOptions struct {
	Kinds      []string // as [Cluster.Kinds]
	Namespaces []string // none means all
	Options    audit.Options
	OnWrite    func(audit.Write) // if set, receives each write, for example to record it
}

// syncTimeout is the timeout for the first list of a cluster, and for the delivery
// of the last writes.
const syncTimeout = 30 * time.Second

// Audit is like the function [Audit], with options.
func (x AuditOptions) Audit(t TestingT, config *rest.Config) *rest.Config {
	t.Helper()
	seen := &progress{versions: map[string]string{}}
	auditor := audit.New(x.Options)
	recorder := &Recorder{}
	listed, ended := make(chan struct{}), make(chan struct{})
	var failed error
	c := &Cluster{Config: config, Kinds: x.Kinds, Namespaces: x.Namespaces, Recorder: recorder,
		OnNote: func(note string) { t.Logf("audit: %s", note) }, OnSynced: func() { close(listed) }}
	ctx, stop := context.WithCancel(context.Background())
	crash.Go(func() {
		defer close(ended)
		failed = c.Watch(ctx, func(w audit.Write) {
			auditor.Add(w)
			seen.record(w)
			if x.OnWrite != nil {
				x.OnWrite(w)
			}
		})
	})
	select {
	case <-listed:
	case <-ended:
	case <-time.After(syncTimeout):
		t.Errorf("audit: %v were not listed within %s", x.Kinds, syncTimeout)
	}
	t.Cleanup(func() {
		t.Helper()
		if err := c.awaitStored(seen, ended); err != nil {
			t.Errorf("audit: %v", err)
		}
		stop()
		<-ended
		if failed != nil {
			t.Errorf("audit: %v", failed)
		}
		reportFindings(t, auditor)
	})
	through := rest.CopyConfig(config)
	through.Wrap(recorder.Wrap)
	return through
}

// reportFindings reports the findings to the test.
func reportFindings(t TestingT, a *audit.Auditor) {
	t.Helper()
	a.Add(audit.Write{Type: audit.WriteTick, Time: now()})
	for _, f := range a.Report().Findings {
		if f.Severity == severity.Error {
			t.Errorf("%s", FormatFinding(f))
		} else {
			t.Logf("%s", FormatFinding(f))
		}
	}
}

// FormatFinding returns a finding as one line of text.
func FormatFinding(f audit.Finding) string {
	text := fmt.Sprintf("%s %s %s: %s: %s", f.Severity, f.Rule, f.Name, strings.TrimSpace(f.Object.String()+" "+f.Path), f.Evidence)
	switch {
	case f.Writer != "" && f.From != "":
		text += fmt.Sprintf(" (written by %s, version %s after %s)", f.Writer, f.To, f.From)
	case f.Writer != "":
		text += fmt.Sprintf(" (written by %s, version %s)", f.Writer, f.To)
	}
	if f.Count > 1 {
		text += fmt.Sprintf(", %d times", f.Count)
	}
	return text
}

// A progress holds the last version of each object that the watch has reported,
// by UID.
type progress struct {
	mu       sync.Mutex // guards versions
	versions map[string]string
}

func (p *progress) record(w audit.Write) {
	meta := decoded.Map(w.Object, "metadata")
	uid, version := decoded.Text(meta, "uid"), decoded.Text(meta, "resourceVersion")
	if w.Request != nil || !w.Restored && (uid == "" || version == "") {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.Restored {
		clear(p.versions) // none of them is later than the stored objects
		return
	}
	p.versions[uid] = version
	if w.Type == audit.WriteDeleted {
		delete(p.versions, uid)
	}
}

// has reports whether the version or a newer one was reported. An empty version
// means that the object is deleted.
func (p *progress) has(uid, version string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	delivered := p.versions[uid]
	return delivered == version || version != "" && integer.OfVersion(delivered) > integer.OfVersion(version)
}

func (p *progress) objects() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sortedKeys(p.versions)
}

// awaitStored waits until the watch has reported everything that the server has
// stored so far.
func (c *Cluster) awaitStored(p *progress, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), syncTimeout)
	defer cancel()
	want, err := c.storedVersions(ctx)
	if err != nil {
		return fmt.Errorf("list the objects at the end: %w", err)
	}
	for _, uid := range p.objects() {
		if want[uid] == "" {
			want[uid] = "" // it is deleted
		}
	}
	for uid, version := range want {
		for !p.has(uid, version) {
			select {
			case <-ended:
				return nil // the watcher reports the error
			case <-ctx.Done():
				return fmt.Errorf("the watch has not reported version %s of the object with UID %s within %s", version, uid, syncTimeout)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	return nil
}

// storedVersions returns the versions of all objects, by UID.
func (c *Cluster) storedVersions(ctx context.Context) (map[string]string, error) {
	server, err := connection.New(c.Config)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	lists, broken := connection.ServedResources(ctx, c.Config, server.Discovery)
	kinds, err := findKinds(lists, broken, c.Kinds)
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for _, w := range c.watches(server, kinds, nil) {
		err := connection.EachPage(ctx, metav1.ListOptions{}, w.Resource.List, func(page *unstructured.UnstructuredList, _ bool) error {
			for _, u := range page.Items {
				versions[string(u.GetUID())] = u.GetResourceVersion()
			}
			return nil
		})
		if err != nil && !connection.IsRefused(err) { // what is refused is not watched
			return nil, err
		}
	}
	return versions, nil
}
