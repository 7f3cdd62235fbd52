package printer

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

var update = flag.Bool("update", false, "rewrite testdata/tree")

var treeNow = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// A testTree is a tree for tests. Objects that a controller created have an ownerReference.
type testTree struct {
	kind, name string
	result     status.Result
	parts      []testTree
}

func (g testTree) addTo(to func(output.Verdict), above *status.ID, made bool) {
	group := map[string]string{"Deployment": "apps", "ReplicaSet": "apps", "HelmRelease": "helm.toolkit.fluxcd.io"}[g.kind]
	v := output.Verdict{Created: treeNow.Add(-2 * time.Minute), ObjectFact: &explain.ObjectFact{Object: status.Map{}}}
	if made {
		v.ObjectFact.Object = status.Map{"metadata": map[string]any{"ownerReferences": []any{map[string]any{"uid": "u"}}}}
	}
	v.ID, v.Parent = status.ID{Kind: status.Kind{Group: group, Kind: g.kind}, Namespace: "shop", Name: g.name}, above
	v.Result = g.result
	to(v)
	for _, p := range g.parts {
		p.addTo(to, &v.ID, g.kind != "HelmRelease")
	}
}

func shopTree() testTree {
	current := status.Result{Status: status.CurrentStatus, Confidence: status.ConfidenceStrong}
	moving := func(text string) status.Result {
		return status.Result{Status: status.InProgressStatus, Message: text, Confidence: status.ConfidenceStrong}
	}
	failing := moving("0/6 nodes are available: 6 Insufficient memory. preemption: 0/6 nodes are available: 6 No preemption victims found for incoming pod.")
	failing.Failure = status.FailureRecoverable
	root := testTree{"HelmRelease", "web", moving("waiting for Deployment/web"), []testTree{
		{"Deployment", "web", moving("2/3 available"), []testTree{
			{"ReplicaSet", "web-5d8", moving("2/3 available"), []testTree{{"Pod", "web-5d8-k2x", failing, nil}}},
		}},
		{"Deployment", "a-name-of-a-deployment-that-is-much-longer-than-others-are", moving("0/7 available"), []testTree{
			{"ReplicaSet", "many-1", moving("0/7 available"), nil},
		}},
		{"Widget", "w", status.Result{Status: status.CurrentStatus, Confidence: status.ConfidenceAssumed}, nil},
	}}
	for i := range 7 {
		many := &root.parts[1].parts[0]
		many.parts = append(many.parts, testTree{"Pod", fmt.Sprintf("many-1-%d", i), failing, nil})
	}
	for i, kind := range []string{"ConfigMap", "ConfigMap", "ConfigMap", "ConfigMap", "Secret", "Secret", "PodDisruptionBudget"} {
		root.parts = append(root.parts, testTree{kind, fmt.Sprintf("c%d", i), current, nil})
	}
	return root
}

// hostileTree is a tree with hostile texts from a cluster.
func hostileTree() testTree {
	bad := "a\x1b[31mred\x1b]0;title\a\u202ertl\nline\ttab\r\x00\u200b 漢字 " + strings.Repeat("x", 1<<20)
	return testTree{"Widget\x1b[2J", "w\n" + bad, status.Result{Status: status.FailedStatus, Message: bad}, []testTree{
		{"Part", bad, status.Result{Status: status.InProgressStatus, Message: bad}, nil},
		{"Kind\x1b[1m", "c", status.Result{Status: status.CurrentStatus}, nil},
		{"Kind\x1b[1m", "d", status.Result{Status: status.CurrentStatus}, nil},
	}}
}

func drawnTree(t *testing.T, g testTree, f terminal.Style) string {
	t.Helper()
	var out bytes.Buffer
	p := &Tree{Out: &out, Options: Options{Style: f, Now: treeNow, Headers: true}}
	g.addTo(func(v output.Verdict) {
		if err := p.Object(v); err != nil {
			t.Fatal(err)
		}
	}, nil, false)
	if err := p.End(output.Result{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTreeViews prints the tree at every width, with and without UTF-8 and colours. -update
// rewrites the golden files.
func TestTreeViews(t *testing.T) {
	for name, f := range map[string]terminal.Style{
		"pipe": {}, "60": {Width: 60, UTF8: true}, "60-ascii": {Width: 60}, "100": {Width: 100, UTF8: true}, "200": {Width: 200, UTF8: true},
		"100-colour": {Width: 100, UTF8: true, Colour: true},
	} {
		text := drawnTree(t, shopTree(), f)
		path := filepath.Join("testdata", "tree", name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s: have\n%s\nwant\n%s", name, text, want)
		}
	}
	if plain := ansi.Strip(drawnTree(t, shopTree(), terminal.Style{Width: 100, UTF8: true, Colour: true})); plain != drawnTree(t, shopTree(), terminal.Style{Width: 100, UTF8: true}) {
		t.Errorf("colours change the words:\n%s", plain)
	}
}

// For hostile texts, no line is wider than the terminal, and the output contains only text.
func TestTreeOfAHostileCluster(t *testing.T) {
	for width := 60; width <= 200; width += 35 {
		for _, f := range []terminal.Style{{Width: width}, {Width: width, UTF8: true}} {
			for _, g := range []testTree{shopTree(), hostileTree()} {
				for line := range strings.Lines(drawnTree(t, g, f)) {
					line = strings.TrimSuffix(line, "\n")
					if w := ansi.StringWidthWc(line); w > width {
						t.Errorf("%d columns: a line has %d: %q", width, w, line)
					}
					if i := strings.IndexFunc(line, func(r rune) bool {
						return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || !f.UTF8 && r > unicode.MaxASCII
					}); i >= 0 {
						t.Errorf("%d columns: %q", width, line)
					}
				}
			}
		}
	}
	if text := drawnTree(t, hostileTree(), terminal.Style{}); strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
		t.Errorf("in a pipe: %.200q", text)
	}
}
