package gallery

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
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
	words := Webhooks(t)
	c.Apply(t, "default", GPUNode)
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
	if *update && t.Failed() {
		return // without a page of other causes
	}
	compare(t, all, outputs)
	compareVerdicts(t, verdicts)
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

// runSituation plays a situation and returns the output of kstatus wait, and the verdicts with
// their first causes. The output must begin with the expected cause.
func runSituation(t *testing.T, c *cluster.Cluster, s *Situation, words map[string]string) (string, []string) {
	p := NewTestPlayer(t, c.Config(), s.Name, words)
	if err := p.Play(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	out, run, err := p.Wait(t.Context(), s, filepath.Join(bin, "kstatus"), c.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Causes) == 0 {
		t.Fatalf("no cause is named\n%s", out)
	}
	first := run.Causes[0]
	if first.Kind != s.Cause {
		t.Errorf("the first cause is %s: %s, want %s\n%s", first.Kind, first.Text, s.Cause, out)
	}
	told := Evidence(out)
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
