package real

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/report"
	"kstatus.dev/test/command/gallery"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
	"kstatus.dev/test/lib/node"
)

var (
	live   = cluster.Shared{Options: cluster.Options{RealNodes: 2}}
	update = flag.Bool("update", false, "write docs/reference/gallery-real.md")
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

// situations returns the situations of the gallery that a real Node plays, and those of this package.
func situations(t *testing.T) []gallery.Situation {
	t.Helper()
	all, err := gallery.Real(filepath.Join("..", "testdata"), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// maxParallel is the number of parallel situations. They mostly wait.
const maxParallel = 8

// Each situation has the same first cause on a real Node as on a simulated one, with the same
// evidence. Situations that switch off a Node are played one after the other, on a Node that no
// other Pods use.
func TestReal(t *testing.T) {
	if err := node.Supported(); err != nil {
		t.Skip(err)
	}
	c := live.Cluster(t)
	c.Apply(t, "default", spareNode)
	all := situations(t)
	outputs := make([]string, len(all))
	room := make(chan struct{}, maxParallel)
	var group sync.WaitGroup
	for i := range all {
		s := &all[i]
		if needsSpareNode(s) {
			continue
		}
		group.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			t.Run(s.Family+"/"+s.Name, func(t *testing.T) { outputs[i] = play(t, c, s) })
		})
	}
	group.Wait()
	for i := range all {
		if s := &all[i]; needsSpareNode(s) {
			t.Run(s.Family+"/"+s.Name, func(t *testing.T) { outputs[i] = play(t, c, s) })
		}
	}
	if *update && !t.Failed() {
		writePage(t, all, outputs)
	}
}

// spareNode lets no scheduler choose the second Node.
const spareNode = `
apiVersion: v1
kind: Node
metadata: {name: real-2}
spec: {unschedulable: true}
`

func needsSpareNode(s *gallery.Situation) bool {
	return slices.ContainsFunc(s.Steps, func(s gallery.Step) bool { return s.Verb == "power-off" })
}

// pagePath is the path of the page with the outputs.
const pagePath = "../../../../docs/reference/gallery-real.md"

// writePage writes the outputs to the page. A run of some situations keeps the outputs of the others.
func writePage(t *testing.T, all []gallery.Situation, outputs []string) {
	page, err := os.ReadFile(pagePath)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	have := gallery.Outputs(string(page))
	for i, s := range all {
		if outputs[i] != "" {
			have[s.Name] = outputs[i]
		}
	}
	if err := os.WriteFile(pagePath, []byte(gallery.RealPage(all, have)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The page describes each situation as its file does now. The outputs differ from run to run.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	all := situations(t)
	outputs := gallery.Outputs(string(text))
	if gallery.RealPage(all, outputs) != string(text) {
		t.Errorf("%s differs from the situations: run make gallery-real", pagePath)
	}
	for _, s := range all {
		if outputs[s.Name] == "" {
			t.Errorf("%s has no output of %s: run make gallery-real", pagePath, s.Name)
		}
	}
}

// play plays a situation, checks the first cause, and returns the output.
func play(t *testing.T, c *cluster.Cluster, s *gallery.Situation) string {
	p := gallery.NewTestPlayer(t, c.Config(), s.Name, nil)
	p.Change = func(o *unstructured.Unstructured) error {
		images, err := workload(o)
		if err != nil {
			return err
		}
		return c.RealNodes().Registry().Add(images...)
	}
	p.PowerOff = func(name string) error {
		t.Cleanup(func() {
			if err := c.RealNodes().PowerOn(context.Background(), name); err != nil {
				t.Error(err)
			}
		})
		return c.RealNodes().PowerOff(name)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(events(t, c, s.Name))
		}
	})
	if err := p.Play(t.Context(), s); err != nil {
		// A kubelet sometimes loses the exit status of a container that it evicts.
		t.Logf("%v; playing it again", err)
		if err := errors.Join(p.Clear(t.Context()), p.Play(t.Context(), s)); err != nil {
			t.Fatal(err)
		}
	}
	out, run, err := p.Wait(t.Context(), s, filepath.Join(bin, "kstatus"), c.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", out)
	checkCause(t, run, s.Cause, out)
	for _, want := range s.Evidence {
		if want = p.Expand(want); !strings.Contains(anyRun(gallery.Evidence(out)), anyRun(want)) {
			t.Errorf("the evidence does not contain %q\n%s", want, out)
		}
	}
	return out
}

// anyRun returns a text with the same field for the last two runs of a container. While a container
// waits for its restart, a real kubelet reports its exit in state, and a simulated one in lastState.
func anyRun(text string) string {
	return strings.ReplaceAll(text, ".lastState.", ".state.")
}

// events returns the events of a namespace, for the log of a failed test.
func events(t *testing.T, c *cluster.Cluster, namespace string) string {
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.CoreV1().Events(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return err.Error()
	}
	var text strings.Builder
	for _, e := range list.Items {
		fmt.Fprintf(&text, "%s %s%s %s x%d: %s\n", e.LastTimestamp.Format(time.TimeOnly), e.InvolvedObject.Name, e.InvolvedObject.FieldPath, e.Reason, e.Count, e.Message)
	}
	return text.String()
}

func checkCause(t *testing.T, run *report.Run, want, out string) {
	t.Helper()
	if len(run.Causes) == 0 {
		t.Fatalf("no cause is named, want %s\n%s", want, out)
	}
	if first := run.Causes[0]; first.Kind != want {
		t.Errorf("the first cause is %s: %s, want %s\n%s", first.Kind, first.Text, want, out)
	}
}
