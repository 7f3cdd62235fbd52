package move

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"kstatus.dev/test/lib/cluster"
)

// shBlocks matches the blocks of commands on a page.
var shBlocks = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")

// commandsOf returns the commands of a guide, in their order.
func commandsOf(t *testing.T, guide string) (all []string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("../../../docs/guides", guide))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range shBlocks.FindAllSubmatch(page, -1) {
		for line := range strings.Lines(string(block[1])) {
			all = append(all, strings.TrimSpace(line))
		}
	}
	if len(all) < 3 {
		t.Fatalf("%s has %d commands", guide, len(all))
	}
	return all
}

// A reader runs the commands of guides as their readers do: with a kubeconfig that has both
// clusters, in one folder.
type reader struct {
	*shell
	kubeconfig string
	programs   string            // the folder with kubectl
	edit       *strings.Replacer // from the names of the guides to those of the test
}

func newReader(f *fixture) *reader {
	f.t.Helper()
	r := &reader{shell: newShell(f), kubeconfig: filepath.Join(f.t.TempDir(), "kubeconfig")}
	both := api.NewConfig()
	for name, s := range map[string]*site{"old": f.from, "new": f.to} {
		one, err := clientcmd.LoadFromFile(s.Kubeconfig())
		if err != nil {
			f.t.Fatal(err)
		}
		context := one.Contexts[one.CurrentContext]
		both.Clusters[name], both.AuthInfos[name] = one.Clusters[context.Cluster], one.AuthInfos[context.AuthInfo]
		both.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	}
	both.CurrentContext = "old"
	if err := clientcmd.WriteToFile(*both, r.kubeconfig); err != nil {
		f.t.Fatal(err)
	}
	clients, err := cluster.BuildClients(f.t.Context(), os.Stderr)
	if err != nil {
		f.t.Fatal(err)
	}
	r.programs = filepath.Dir(clients["kubectl"])
	r.edit = r.editor()
	return r
}

// editor replaces the names of the guides, and more.
func (r *reader) editor(more ...string) *strings.Replacer {
	return strings.NewReplacer(append(more, "-n shop", "-n "+r.f.ns, "namespace shop", "namespace "+r.f.ns, "shop:mover", r.f.ns+":mover",
		"namespace kstatus", "namespace "+r.f.ns+"-journal", "-n kstatus", "-n "+r.f.ns+"-journal")...)
}

// shellCommand returns a command of a guide for a shell.
func (r *reader) shellCommand(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", "exec "+r.edit.Replace(line))
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+r.kubeconfig, "PATH="+strings.Join([]string{filepath.Dir(r.path), r.programs, os.Getenv("PATH")}, string(os.PathListSeparator)))
	return cmd
}

// runs runs a command of a guide, which must succeed.
func (r *reader) runs(line string) {
	r.t.Helper()
	out, err := r.shellCommand(line).CombinedOutput()
	if err != nil {
		r.t.Fatalf("$ %s\n%s%v", r.edit.Replace(line), out, err)
	}
	r.t.Logf("$ %s\n%s", r.edit.Replace(line), bytes.TrimSpace(out))
}

// The commands of the guide run as the page shows them. It first writes a backup here, since the
// source has nothing left after the move.
func TestMoveGuides(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	r := newReader(f)
	before := len(f.cloud.Changes())

	all := commandsOf(t, "move.md")
	var backups, others []string
	for _, line := range all {
		switch {
		case strings.Contains(line, "-directory"):
			backups = append(backups, line)
		default:
			others = append(others, line)
		}
	}
	for _, line := range append(backups, others...) {
		r.runs(line)
	}
	f.checkMoved(f.from, f.to, before, names...)
}

// The commands of the page about interruptions follow interruptions.
func TestMoveGuideAboutInterruptions(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	r := newReader(f)
	before := len(f.cloud.Changes())

	const (
		id   = "1a2b3c4d" // on the page
		move = "kstatus capi move -n shop --to-context new --journal move.json --window 1s --progress log"
		back = "kstatus capi move -n shop --context new --to-context old --journal-namespace kstatus --window 1s --progress log"
	)
	for _, line := range commandsOf(t, "interrupted-move.md") {
		switch {
		case strings.Contains(line, "rollback"):
			r.runs(line)
			f.waitAvailable(f.from, names...)
			if err := os.Remove(filepath.Join(r.dir, "move.json")); err != nil {
				t.Fatal(err)
			}
			r.interrupt("Creating: ", r.shellCommand(move))
		case strings.Contains(line, "resume") && strings.Contains(line, "--journal move.json"):
			r.runs(line)
			f.checkMoved(f.from, f.to, before, names...)
			// The way back is a move too.
			text := r.interrupt("Deleting: ", r.shellCommand(back))
			found := regexp.MustCompile(`move ([0-9a-f]{8}) stopped`).FindStringSubmatch(text)
			if found == nil {
				t.Fatalf("the output has no ID of a move:\n%s", text)
			}
			r.edit = r.editor("--to-context new", "--context new --to-context old", id, found[1])
		case strings.Contains(line, "status --journal move.json"):
			r.interrupt("Creating: ", r.shellCommand(move))
			r.runs(line)
		default:
			r.runs(line)
		}
	}
	f.checkMoved(f.to, f.from, before, names...)
}
