package writes

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/test/lib/poll"
)

// requestLine formats a request as one line.
func requestLine(w audit.Write) string {
	meta, _ := w.Object["metadata"].(map[string]any)
	changed := "knows no version"
	if meta["resourceVersion"] != nil {
		changed = fmt.Sprintf("version %s", meta["resourceVersion"])
	}
	return fmt.Sprintf("%s %s %v %s %d: %s", w.Request.Verb, w.Request.Subresource, meta["name"], w.Object["kind"], w.Request.Code, changed)
}

// TestRequests makes requests with and without events in a watch. The recorder of the client
// and the audit log of the API server must contain all of them.
func TestRequests(t *testing.T) {
	c, ns := newFixture(t)
	recorder := &writes.Recorder{}
	h := follow(t, writes.Cluster{Config: c.Config(), Kinds: []string{"lmp"}, Namespaces: []string{ns}, Recorder: recorder})
	config := c.Config()
	config.UserAgent = "lamp-controller/v1 (test)"
	config.Wrap(recorder.Wrap)
	l := client(t, config, ns, lamps)
	first := createLamp(t, l, "a")
	second := writeStatus(t, l, first, map[string]any{"on": true})
	version := second.GetResourceVersion()
	same := writeStatus(t, l, second, map[string]any{"on": true}) // no change
	if same.GetResourceVersion() != version {
		t.Fatalf("a request that changes nothing makes version %s of %s", same.GetResourceVersion(), version)
	}
	if _, err := l.Patch(t.Context(), "a", types.MergePatchType, []byte(`{"status":{"on":true}}`), metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.UpdateStatus(t.Context(), first, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Fatalf("an update of version %s: want a conflict, have %v", first.GetResourceVersion(), err)
	}
	if _, err := l.Patch(t.Context(), "b", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}, "status"); !apierrors.IsNotFound(err) {
		t.Fatalf("a patch of what is not there: %v", err)
	}
	want := []string{
		"create  a Lamp 201: version " + first.GetResourceVersion(),
		"update status a Lamp 200: version " + version,
		"update status a Lamp 200: version " + version,
		"patch status a Lamp 200: version " + version,
		"update status a Lamp 409: knows no version",
		"patch status b Lamp 404: knows no version",
	}
	poll.Wait(t, "all requests are reported", func() bool { return len(h.requests()) >= len(want) })
	var have []string
	for _, w := range h.requests() {
		have = append(have, requestLine(w))
		if w.Request.Agent != config.UserAgent || w.Request.ID == "" {
			t.Errorf("%s: the agent is %q and the ID %q", requestLine(w), w.Request.Agent, w.Request.ID)
		}
	}
	if !slices.Equal(have, want) {
		t.Errorf("the recorder tells\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	poll.Wait(t, "the audit log tells the same", func() bool {
		have, err := loggedRequests(c.AuditLog(), ns)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Equal(have, want)
	})
}

// loggedRequests returns the requests for Lamps and Secrets in a namespace from an audit log.
func loggedRequests(file, namespace string) (all []string, err error) {
	log, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	err = writes.Reader{Kinds: []string{"lamps.audit.example.com", "secrets"}}.Read(log, func(w audit.Write) {
		if meta, _ := w.Object["metadata"].(map[string]any); meta["namespace"] == namespace {
			all = append(all, requestLine(w))
		}
	})
	return all, err
}

// TestSecretsAreNotKept creates a Secret, which the audit log contains in full.
func TestSecretsAreNotKept(t *testing.T) {
	c, ns := newFixture(t)
	var told []string
	recorder := &writes.Recorder{OnWrite: func(w audit.Write) { told = append(told, requestLine(w)) }}
	config := c.Config()
	config.Wrap(recorder.Wrap)
	config.ContentType, config.AcceptContentTypes = "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf,application/json"
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "key"}, StringData: map[string]string{"password": "opensesame"}}
	if _, err := clients.CoreV1().Secrets(ns).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	account, err := clients.CoreV1().ServiceAccounts(ns).Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if account.Name != "a" || account.UID == "" {
		t.Errorf("through the recorder a client that speaks protobuf reads %+v", account.ObjectMeta)
	}
	poll.Wait(t, "the audit log has the Secret", func() bool {
		text, err := os.ReadFile(c.AuditLog())
		return err == nil && strings.Contains(string(text), `"name":"key"`)
	})
	have, err := loggedRequests(c.AuditLog(), ns)
	if err != nil || len(have) > 0 {
		t.Errorf("of the audit log %q is told, %v", have, err)
	}
	if want := []string{"create  a ServiceAccount 201: version " + account.ResourceVersion}; !slices.Equal(told, want) {
		t.Errorf("the recorder tells %q, want %q", told, want)
	}
}

// A recordedTest is a test under test.
type recordedTest struct {
	cleanup []func()
	logs    []string
	errors  []string
}

func (s *recordedTest) Helper()                    {}
func (s *recordedTest) Cleanup(f func())           { s.cleanup = append(s.cleanup, f) }
func (s *recordedTest) Logf(f string, args ...any) { s.logs = append(s.logs, fmt.Sprintf(f, args...)) }
func (s *recordedTest) Errorf(f string, args ...any) {
	s.errors = append(s.errors, fmt.Sprintf(f, args...))
}

func (s *recordedTest) end() {
	for _, f := range slices.Backward(s.cleanup) {
		f()
	}
}

// TestAudit audits two controllers with the function for controllers' tests.
func TestAudit(t *testing.T) {
	c, _ := newFixture(t)
	for _, row := range []struct {
		it       string
		observed []int64 // the values that it writes, in order
		want     []string
	}{
		{it: "is content with a controller that does well", observed: []int64{1, 1}},
		{it: "fails for one that goes back", observed: []int64{1, 0}, want: []string{"W-01"}},
	} {
		ns := c.Namespace(t)
		s := &recordedTest{}
		config := writes.AuditOptions{Kinds: []string{"lamps.audit.example.com"}, Namespaces: []string{ns}}.Audit(s, c.Config())
		config.UserAgent = "lamp-controller/v1"
		l := client(t, config, ns, lamps)
		u := createLamp(t, l, "a")
		for _, n := range row.observed {
			u = writeStatus(t, l, u, map[string]any{"observedGeneration": n})
		}
		s.end()
		var rules []string
		for _, text := range s.errors {
			rules = append(rules, strings.Fields(text)[1])
			if !strings.Contains(text, "Lamp/"+ns+"/a") || !strings.Contains(text, "written by lamp-controller, version "+u.GetResourceVersion()) {
				t.Errorf("it %s: it says %q", row.it, text)
			}
		}
		if !slices.Equal(rules, row.want) {
			t.Errorf("it %s: it fails for %q, says %q", row.it, s.errors, s.logs)
		}
	}
}

func TestAuditFailsWhereNothingCanBeWatched(t *testing.T) {
	c, _ := newFixture(t)
	s := &recordedTest{}
	writes.Audit(s, c.Config(), "chairs.audit.example.com")
	s.end()
	if len(s.errors) == 0 || !strings.Contains(strings.Join(s.errors, "\n"), "chairs.audit.example.com: want a kind") {
		t.Errorf("it says %q", s.errors)
	}
}
