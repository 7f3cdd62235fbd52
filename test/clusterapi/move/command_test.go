package move

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
)

// built returns the path of the command.
var built = sync.OnceValues(command.Build)

// A shell runs the command in a folder.
type shell struct {
	t    *testing.T
	f    *fixture
	dir  string
	path string // of the command
}

func newShell(f *fixture) *shell {
	f.t.Helper()
	folder, err := built()
	if err != nil {
		f.t.Fatal(err)
	}
	return &shell{f.t, f, f.t.TempDir(), filepath.Join(folder, "kstatus")}
}

// command returns a command of capi move with the flags for both clusters.
func (s *shell) command(args ...string) *exec.Cmd {
	args = append([]string{"capi", "move"}, args...)
	cmd := exec.Command(s.path, append(args, "--kubeconfig", s.f.from.Kubeconfig(), "--to-kubeconfig", s.f.to.Kubeconfig())...)
	cmd.Dir = s.dir
	return cmd
}

// run runs a command and returns its outputs. It fails the test at another exit code.
func (s *shell) run(code int, args ...string) (out, errors string) {
	s.t.Helper()
	cmd := s.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code says how it ended
	if have := cmd.ProcessState.ExitCode(); have != code {
		s.t.Fatalf("%q: have exit code %d, want %d\n%s\n%s", args, have, code, stdout.String(), stderr.String())
	}
	s.t.Logf("$ kstatus capi move %s\n%s%s", strings.Join(args, " "), stdout.String(), stderr.String())
	return stdout.String(), stderr.String()
}

// checkContains checks that a text has parts.
func checkContains(t *testing.T, have string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(have, part) {
			t.Errorf("have\n%s\nwant %q in it", have, part)
		}
	}
}

// A plan is written, refused when the source has changed, and carried out. The move writes all
// reports.
func TestMoveCommand(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	s := newShell(f)

	_, problem := s.run(2, "-n", f.ns, "--to-directory", "x")
	checkContains(t, problem, "--to-directory cannot be used with --to-kubeconfig")
	_, problem = s.run(2, "resume")
	checkContains(t, problem, "want the journal of the move")

	out, _ := s.run(0, "-n", f.ns, "--dry-run", "--plan", "plan.json")
	checkContains(t, out, "Plan: everything of namespace "+f.ns, "Move ", "Cluster.cluster.x-k8s.io", "Copy ", "To move as planned: kstatus capi move --kubeconfig ")
	wide, _ := s.run(0, "-n", f.ns, "--dry-run", "-o", "wide")
	checkContains(t, wide, "Cluster.cluster.x-k8s.io "+f.ns+"/"+names[0])
	if before := len(f.names(f.to, clusters)); before != 0 {
		t.Errorf("the dry run has created %d Clusters", before)
	}
	var document struct{ Plan struct{ Items []any } }
	encoded, _ := s.run(0, "-n", f.ns, "--dry-run", "-o", "json")
	if err := json.Unmarshal([]byte(encoded), &document); err != nil || len(document.Plan.Items) == 0 {
		t.Errorf("have %d items and error %v", len(document.Plan.Items), err)
	}

	label := []byte(`{"metadata":{"labels":{"changed":"yes"}}}`)
	if _, err := f.in(f.from, clusters).Patch(t.Context(), names[0], types.MergePatchType, label, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	out, problem = s.run(7, "-n", f.ns, "--plan", "plan.json")
	checkContains(t, out, "Changes since the plan of plan.json", "Cluster.cluster.x-k8s.io "+f.ns+"/"+names[0]+": changed")
	checkContains(t, problem, "nothing was changed")

	changes := len(f.cloud.Changes())
	s.run(0, "-n", f.ns, "--dry-run", "--plan", "plan.json")
	out, progress := s.run(0, "-n", f.ns, "--plan", "plan.json", "--window", "1s", "--report", "html=move.html,junit=move.xml,md=move.md,json=move.json")
	checkContains(t, out, "Journal: kstatus-move-", "Moved in ")
	checkContains(t, progress, "Pausing: ", "Creating: ", "Verifying: ", "Deleting: ", "Unpausing: ", "Done: done")
	for file, part := range map[string]string{"move.html": names[0], "move.xml": "<testcase", "move.md": "current", "move.json": `"Moved"`} {
		content, err := os.ReadFile(filepath.Join(s.dir, file))
		if err != nil || !bytes.Contains(content, []byte(part)) {
			t.Errorf("%s has %d bytes and error %v, want %q in it", file, len(content), err, part)
		}
	}
	journals, err := filepath.Glob(filepath.Join(s.dir, "kstatus-move-*.json"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("have the journals %v and error %v, want one", journals, err)
	}
	out, _ = s.run(0, "status", "--journal", journals[0])
	checkContains(t, out, "Done: done", "Clusters:  "+f.ns+"/"+names[0])
	_, problem = s.run(3, "rollback", "--journal", journals[0])
	checkContains(t, problem, "so it cannot be rolled back")
	f.waitAvailable(f.to, names...)
	if after := f.changes(changes); len(after) > 0 {
		t.Errorf("the move changed the cloud: %v", after)
	}
}

// A move is interrupted while it waits for a controller, rolled back, interrupted again and
// resumed.
func TestMoveCommandIsInterrupted(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	s := newShell(f)
	changes := len(f.cloud.Changes())

	interrupt := func(at string, journal string) string {
		t.Helper()
		return s.interrupt(at, s.command("-n", f.ns, "--window", "1s", "--journal", journal, "--progress", "log"))
	}
	text := interrupt("Pausing: ", "first.json")
	checkContains(t, text, "the source is as before")
	out, _ := s.run(0, "status", "--journal", "first.json")
	checkContains(t, out, "RolledBack")

	text = interrupt("Verifying: ", "second.json")
	checkContains(t, text, "to continue: kstatus capi move resume --kubeconfig ", "to undo it: kstatus capi move rollback --kubeconfig ", "--journal second.json")
	out, _ = s.run(0, "status", "--journal", "second.json")
	checkContains(t, out, "Verifying", "Stopped:", "to undo it: ")
	out, _ = s.run(0, "rollback", "--journal", "second.json")
	checkContains(t, out, "Rolled back in ")
	if left := f.names(f.to, clusters); len(left) > 0 {
		t.Errorf("the target has the Clusters %v after the rollback", left)
	}
	f.waitAvailable(f.from, names...)

	interrupt("Deleting: ", "third.json")
	out, _ = s.run(0, "resume", "--journal", "third.json")
	checkContains(t, out, "Moved in ")
	f.waitAvailable(f.to, names...)
	if after := f.changes(changes); len(after) > 0 {
		t.Errorf("the moves changed the cloud: %v", after)
	}
}

// interrupt runs a command, sends SIGINT when its log has a text, and returns its log.
func (s *shell) interrupt(at string, cmd *exec.Cmd) string {
	s.t.Helper()
	watched := &watchedOutput{wanted: at, found: make(chan struct{})}
	cmd.Stderr = watched
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit code says how it ended
		close(ended)
	}()
	select {
	case <-watched.found:
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			s.t.Error(err)
		}
	case <-ended:
	}
	<-ended
	if have := cmd.ProcessState.ExitCode(); have != 130 {
		s.t.Fatalf("have exit code %d after SIGINT at %q, want 130\n%s", have, at, watched.text())
	}
	s.t.Logf("%s", watched.text())
	return watched.text()
}

// A watchedOutput collects what is written, and closes found when it has a text.
type watchedOutput struct {
	wanted string
	found  chan struct{}

	mu     sync.Mutex // guards the fields below
	all    bytes.Buffer
	isOver bool
}

// Write adds to the output.
func (w *watchedOutput) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all.Write(p)
	if !w.isOver && strings.Contains(w.all.String(), w.wanted) {
		w.isOver = true
		close(w.found)
	}
	return len(p), nil
}

func (w *watchedOutput) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// The roles that kstatus rbac prints are enough for a move, in both clusters.
func TestPrintedRolesAreEnough(t *testing.T) {
	y := newYard(t)
	y.create(fleet)
	s := newShell(y.fixture)
	out, err := exec.Command(s.path, "rbac", "--secrets", "--name", "mover-"+y.ns, "--serviceaccount", y.ns+":mover",
		"--kubeconfig", y.from.Kubeconfig(), "-n", y.ns, "--", "capi", "move", "--journal-namespace", y.ns).Output()
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, string(out), "- validatingwebhookconfigurations")
	namespace := "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + y.ns + "}\n---\n"
	o := y.options()
	for side, at := range map[*site]**rest.Config{y.from: &o.Source, y.to: &o.Target} {
		side.Apply(t, "default", namespace+string(out))
		t.Cleanup(func() { side.Delete(t, "default", string(out)) })
		*at = side.As("system:serviceaccount:"+y.ns+":mover", "system:serviceaccounts", "system:serviceaccounts:"+y.ns, "system:authenticated")
	}
	o.JournalNamespace = y.ns
	until(t, "the account may read", func() error {
		m, err := move.New(t.Context(), o)
		if err != nil {
			return err
		}
		defer m.Close()
		p, err := m.Plan(t.Context())
		if err != nil {
			return err
		}
		problems, err := m.Preflight(t.Context(), p)
		for _, problem := range problems {
			if problem.Check == "permissions" {
				return errors.New(problem.String())
			}
		}
		return err
	})
	y.mustRun(o)
	y.wantActive(y.to, clusters, "a")
}
