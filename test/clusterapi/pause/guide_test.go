package pause

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
)

// shBlocks matches the blocks of commands on a page.
var shBlocks = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")

// velero replaces Velero. A backup saves the Clusters, and a restore fails unless they are paused.
const velero = `#!/bin/sh
set -eu
case "$1 $2" in
"backup create") kubectl get clusters.cluster.x-k8s.io -o jsonpath='{.items[*].metadata.annotations.kstatus\.dev/pause-state}' >saved ;;
"restore create") grep -qx Paused saved && kubectl patch clusters.cluster.x-k8s.io shop --type merge -p "$PAUSED" ;;
esac
`

// paused is what a restore of a Cluster that was paused brings back.
const paused = `{"metadata": {"annotations": {"kstatus.dev/pause-before": "{\"paused\":false,\"by\":\"pause\"}", "kstatus.dev/pause-state": "Paused"}}, "spec": {"paused": true}}`

// A shell runs command lines with a kubeconfig for the namespace of a test.
type shell struct {
	*fixture
	dir  string
	env  []string
	edit *strings.Replacer // from the names of the guide to those of the test
}

func (f *fixture) newShell() *shell {
	f.T.Helper()
	bin, err := command.Build()
	if err != nil {
		f.T.Fatal(err)
	}
	f.T.Cleanup(func() { _ = os.RemoveAll(bin) }) // a temporary folder
	s := &shell{fixture: f, dir: f.T.TempDir(), edit: strings.NewReplacer("-n shop", "-n "+f.Namespace, "shop:nightly", f.Namespace+":nightly", "machine/east-0", "machine/web", "east", "shop")}
	kubeconfig := filepath.Join(s.dir, "kubeconfig")
	if err := cluster.WriteKubeconfig(kubeconfig, f.Cluster.Config(), f.Namespace); err != nil {
		f.T.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "velero"), []byte(velero), 0o755); err != nil {
		f.T.Fatal(err)
	}
	s.env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "PAUSED="+paused, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return s
}

// run runs a command line, and returns its output and exit code.
func (s *shell) run(line string) (out string, code int) {
	s.T.Helper()
	cmd := exec.Command("sh", "-c", s.edit.Replace(line))
	cmd.Dir, cmd.Env = s.dir, s.env
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		s.T.Fatal(err)
	}
	return string(bytes.TrimSpace(text)), cmd.ProcessState.ExitCode()
}

// The commands of the guide run as the page shows them.
func TestGuide(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createShop()
	s := f.newShell()
	page, err := os.ReadFile("../../../docs/guides/pause.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range shBlocks.FindAllSubmatch(page, -1) {
		for line := range strings.Lines(string(block[1])) {
			n++
			out, code := s.run(strings.TrimSpace(line))
			if code != 0 {
				t.Fatalf("$ %s\n%s\nexit code %d", line, out, code)
			}
			t.Logf("$ %s\n%s", strings.TrimSpace(line), out)
		}
	}
	if n < 10 || isPaused(f.Get(clusters, "shop")) || f.annotation(pause.StateAnnotation) != "Unpaused" {
		t.Errorf("after %d commands, the Cluster has %v", n, f.Get(clusters, "shop").GetAnnotations())
	}
}

// The exit codes and the last lines are those of a wait.
func TestCommand(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createBare()
	s := f.newShell()
	for _, row := range []struct {
		it, line string
		code     int
		want     string
	}{
		{"wants a name", "kstatus capi pause", 2, "want CLUSTER, TYPE/NAME, -l, --all or -A"},
		{"wants names or a selector", "kstatus capi pause east -A", 2, "want either names, or -l, --all and -A"},
		{"wants a kind of Cluster API", "kstatus capi pause deployment/east", 2, "want a kind of Cluster API"},
		{"wants a valid window", "kstatus capi pause east --window -1s", 2, "--window -1s: want 0 or more"},
		{"misses a Cluster", "kstatus capi pause west", 5, "it does not exist"},
		{"selects nothing", "kstatus capi pause -l a=b", 5, "No resources found."},
		{"may not read", "kstatus capi pause east --as nobody", 6, "forbidden"},
		{"pauses", "kstatus capi pause east --window 1s", 0, "cannot tell: its kind does not report Paused; no write for 1s"},
		{"has a timeout", "kstatus capi pause east --window 1s --strict --timeout 10s", 4, "RESULT      timeout: 1 current, 2 unknown, took"},
		{"prints names", "kstatus capi pause east --window 1s -o name", 0, "cluster.cluster.x-k8s.io/shop"},
		{"prints JSON", "kstatus capi pause east --window 1s -o json", 0, `"outcome":"ok"`},
		{"writes a report", "kstatus capi pause east --window 1s -q --report md=-", 0, "ShelfMachine"},
		{"resumes", "kstatus capi unpause east --window 1s --wake-after 1s", 0, "RESULT      ok: 3 current"},
		{"leaves others alone", "kstatus capi unpause -l '!a'", 0, "left alone: it is not paused"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if out, code := s.run(row.line); code != row.code || !strings.Contains(out, row.want) {
				t.Errorf("$ %s\n%s\nexit code %d, want %d and %q", row.line, out, code, row.code, row.want)
			}
		})
	}
}
