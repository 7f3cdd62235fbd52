package gallery

import (
	"os"
	"strings"
	"testing"
)

// pagePath is the path of the page.
const pagePath = "../../../docs/reference/gallery.md"

// The page describes each situation as its file does now.
func TestPage(t *testing.T) {
	all, err := All("testdata")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	if Page(all, Outputs(string(text))) != string(text) {
		t.Errorf("%s does not tell of the situations as they are: run make gallery", pagePath)
	}
}

// The number of situations that the project promises.
func TestGalleryIsLargeEnough(t *testing.T) {
	all, err := All("testdata")
	if err != nil {
		t.Fatal(err)
	}
	byHand, names := 0, map[string]bool{}
	for _, s := range all {
		if len(s.ByHand) > 0 {
			byHand++
		}
		if names[s.Name] {
			t.Errorf("two situations are called %s", s.Name)
		}
		names[s.Name] = true
	}
	if len(all) < 70 || byHand < 10 {
		t.Errorf("there are %d situations, %d with commands, want 70 and 10", len(all), byHand)
	}
}

func TestStableText(t *testing.T) {
	for _, row := range []struct {
		name string // it …
		a, b string
		same bool
	}{
		{"takes times of the log for equal", "00:03 RESULT      failed: 1 failed, took 3s, exit 3\n", "01:12 RESULT      failed: 1 failed, took 1m12s, exit 3\n", true},
		{"leaves out the way to the result", "00:01 Failing     Pod/a: x\n00:02 RESULT      ok\n", "00:02 RESULT      ok\n", true},
		{"takes random ends of names for equal", "Pod/web-7b76c59969-qft5f  x\n", "Pod/web-7b76c59969-zz2kd  x\n", true},
		{"takes counts of events for equal", "event   Warning BackOff (x9 in 2m) Back-off\n", "event   Warning BackOff Back-off\n", true},
		{"takes the place where a line is cut for equal", strings.Repeat("a", 310) + "bb…\n", strings.Repeat("a", 310) + "b…\n", true},
		{"tells lines that are cut apart", strings.Repeat("a", 290) + "b" + strings.Repeat("a", 30) + "…\n", strings.Repeat("a", 300) + "…\n", false},
		{"takes nodes for equal", "to node \"node-1\"\n", "to node \"node-3\"\n", true},
		{"tells exit codes apart", "exits with code 1\n", "exits with code 2\n", false},
		{"tells results apart", "00:03 RESULT      failed: 1 failed, took 3s, exit 3\n", "00:03 RESULT      timeout: 1 in progress, took 3s, exit 4\n", false},
		{"tells images apart", "registry.example.com/web:1.8\n", "registry.example.com/web:1.9\n", false},
		{"tells templates apart", "ReplicaSet/web-7b76c59969\n", "ReplicaSet/web-7b76c59968\n", false},
		{"tells quantities apart", "limit 64Mi\n", "limit 128Mi\n", false},
		{"tells how many Pods apart", "Cause     3 Pods: x\n", "Cause     2 Pods: x\n", false},
		{"misses no line of a cause", "  Cause     x\n  Evidence  y\n", "  Cause     x\n", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if same := Stable(row.a) == Stable(row.b); same != row.same {
				t.Errorf("it %s: equal is %t:\n%s%s", row.name, same, Stable(row.a), Stable(row.b))
			}
		})
	}
}
