package gallery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/report"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/command"
)

var (
	live   cluster.Shared
	update = flag.Bool("update", false, "write docs/reference/gallery.md")
	bin    string // the folder with the built command
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		flag.Parse()
		var err error
		if bin, err = command.Build(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(bin)
		return live.Main(m)
	}())
}

// maxParallel is the number of parallel situations. They mostly wait.
const maxParallel = 12

func TestGallery(t *testing.T) {
	c := live.Cluster(t)
	words := webhooks(t)
	c.Apply(t, "default", gpuNode)
	all, err := All("testdata")
	if err != nil {
		t.Fatal(err)
	}
	outputs, verdicts := make([]string, len(all)), make([][]string, len(all))
	room := make(chan struct{}, maxParallel)
	var group sync.WaitGroup
	for i := range all {
		s := &all[i]
		group.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			t.Run(s.Family+"/"+s.Name, func(t *testing.T) { outputs[i], verdicts[i] = runSituation(t, c, s, words) })
		})
	}
	group.Wait()
	if !t.Failed() {
		compare(t, all, outputs)
		compareVerdicts(t, verdicts)
	}
}

// verdictsPath is the file with which package explain tests its causes.
const verdictsPath = "testdata/verdicts.txt"

// compareVerdicts compares the verdicts with the file, or writes it.
func compareVerdicts(t *testing.T, all [][]string) {
	if slices.ContainsFunc(all, func(lines []string) bool { return len(lines) == 0 }) {
		return // not all situations were played
	}
	if *update {
		if err := os.WriteFile(verdictsPath, []byte(VerdictsFile(all)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(verdictsPath)
	if err != nil {
		t.Fatal(err)
	}
	if have := VerdictsFile(all); have != string(want) {
		t.Errorf("%s, which make gallery writes, differs: have\n%s\nwant\n%s", verdictsPath, have, want)
	}
}

// compare compares the outputs with the page, or writes the page. On the page, it keeps an
// output without relevant differences.
func compare(t *testing.T, all []Situation, outputs []string) {
	page, err := os.ReadFile(pagePath)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	have := Outputs(string(page))
	for i, s := range all {
		was := have[s.Name]
		switch {
		case outputs[i] == "" || Stable(was) == Stable(outputs[i]): // not played, or the same
		case *update:
			have[s.Name] = outputs[i]
		default:
			t.Errorf("%s: %s/%s differs from the page, which make gallery writes:\n%s\nthe page has\n%s",
				pagePath, s.Family, s.Name, Stable(outputs[i]), Stable(was))
		}
	}
	if *update {
		if err := os.WriteFile(pagePath, []byte(Page(all, have)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// gpuNode is a Node for Pods that select it explicitly.
const gpuNode = `
apiVersion: v1
kind: Node
metadata: {name: node-gpu, labels: {pool: gpu, kubernetes.io/hostname: node-gpu, kubernetes.io/os: linux, topology.kubernetes.io/zone: c}}
spec: {taints: [{key: example.com/gpu, value: "true", effect: NoSchedule}]}
`

func webhooks(t *testing.T) map[string]string {
	words := map[string]string{}
	for name, until := range map[string]time.Time{"WEBHOOK": time.Now().AddDate(0, 0, 1), "EXPIRED": time.Now().AddDate(0, 0, -1)} {
		server, authority, err := Webhook(until)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		words[name+"CA"], words[name+"URL"] = authority, server.URL
	}
	return words
}

// runSituation plays a situation and returns the output of kstatus wait, and the verdicts with
// their first causes. The output must begin with the expected cause.
func runSituation(t *testing.T, c *cluster.Cluster, s *Situation, words map[string]string) (string, []string) {
	p, err := NewPlayer(c.Config(), s.Name, words)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Clear(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := p.Play(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	out, run := wait(t, c, p, s)
	if len(run.Causes) == 0 {
		t.Fatalf("no cause is named\n%s", out)
	}
	first := run.Causes[0]
	if first.Kind != s.Cause {
		t.Errorf("the first cause is %s: %s, want %s\n%s", first.Kind, first.Text, s.Cause, out)
	}
	told := evidence(out)
	for _, want := range s.Evidence {
		if !strings.Contains(told, p.Expand(want)) {
			t.Errorf("the evidence says nothing of %q\n%s", p.Expand(want), out)
		}
	}
	verdicts := Verdicts(s, run)
	if len(verdicts) == 0 {
		t.Errorf("no object that is not ready has a cause\n%s", out)
	}
	t.Logf("\n%s", out)
	return out, verdicts
}

// wait runs kstatus wait, once.
func wait(t *testing.T, c *cluster.Cluster, p *Player, s *Situation) (string, *report.Run) {
	dir := t.TempDir()
	for _, f := range s.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(p.Expand(string(f.Data))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config, err := clientcmd.LoadFromFile(c.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	config.Contexts[config.CurrentContext].Namespace = p.Namespace
	if err := clientcmd.WriteToFile(*config, filepath.Join(dir, "kubeconfig")); err != nil {
		t.Fatal(err)
	}
	args := append(strings.Fields(strings.ReplaceAll(s.Command(), "'", ""))[1:], "--report", "json=run.json")
	cmd := exec.Command(filepath.Join(bin, "kstatus"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "kubeconfig"), "HOME="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // not a terminal, so there is no live view
	if err := cmd.Run(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 3 && exit.ExitCode() != 4 {
			t.Fatalf("%v\n%s", err, out.String())
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	run := &report.Run{}
	if err := json.Unmarshal(text, run); err != nil {
		t.Fatal(err)
	}
	return out.String(), run
}

// evidence returns the evidence of the first cause: the text from the word Evidence to the next
// label or blank line.
func evidence(out string) string {
	_, rest, _ := strings.Cut(out, "\n  Cause ")
	_, rest, _ = strings.Cut(rest, "\n  Evidence ")
	var lines strings.Builder
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 && !strings.HasPrefix(line, "     ") {
			break
		}
		lines.WriteString(line + "\n")
	}
	return lines.String()
}
