package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// commandOutput is the output of a command, with its exit code.
type commandOutput struct {
	code     int
	out, err string
}

// runAs runs the command as the user of a kubeconfig.
func runAs(t *testing.T, kubeconfig, input string, args ...string) commandOutput {
	t.Helper()
	return runAsInto(t, io.Discard, kubeconfig, input, args...)
}

// runAsInto is runAs with a second writer of the output.
func runAsInto(t *testing.T, second io.Writer, kubeconfig, input string, args ...string) commandOutput {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "kstatus"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+t.TempDir())
	var out, err bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), io.MultiWriter(&out, second), &err
	code, failed := codeOf(cmd.Run())
	if failed != nil {
		t.Fatalf("kstatus %s: %v", strings.Join(args, " "), failed)
	}
	return commandOutput{code, out.String(), err.String()}
}

// withoutRule returns the objects without one rule of one role, and the resources of that rule.
func withoutRule(all []*unstructured.Unstructured, role, rule int) (less []*unstructured.Unstructured, what string) {
	for i, u := range all {
		u = u.DeepCopy()
		if i == role {
			rules, _, _ := unstructured.NestedSlice(u.Object, "rules")
			lost, _ := rules[rule].(map[string]any)
			resources, _, _ := unstructured.NestedStringSlice(lost, "resources")
			what = strings.Join(resources, ",")
			u.Object["rules"] = slices.Delete(rules, rule, rule+1)
		}
		less = append(less, u)
	}
	return less, what
}

// A user with exactly the printed permissions can wait in the best way. With any one of them
// removed, something is missed.
func TestPermissionsThatArePrintedSuffice(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const group = "rbac.example.org"
	definition, custom := gizmoDefinition(group), gizmo(group)
	c.Apply(t, "", definition)
	t.Cleanup(func() { c.Delete(t, "", definition) })
	stay := manifest.ConfigMap("m") + "---\n" + manifest.Namespace(ns)
	c.Apply(t, ns, stay+"---\n"+custom)
	account := c.User(t, ns, "waiter")

	printed := runAs(t, c.Kubeconfig(), gated(0)+"---\n"+stay+"---\n"+custom, "rbac", "--optional", "-n", ns, "-f", "-", "--name", ns, "--serviceaccount", ns+":waiter")
	if printed.code != 0 || printed.err != "" {
		t.Fatalf("have %+v", printed)
	}
	all, err := apply.Parse([]byte(printed.out))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Delete(t, "", printed.out) })
	rollouts := 0
	try := func(roles []*unstructured.Unstructured, roll bool) commandOutput {
		if err := apply.To(t.Context(), c.Config(), ns, roles, nil); err != nil {
			t.Fatal(err)
		}
		if roll || rollouts == 0 {
			rollouts++
			c.Apply(t, ns, gated(rollouts))
		}
		waited := waitWithGates(t, c, ns, account, gated(rollouts)+"---\n"+stay)
		got := runAs(t, account, custom, "get", "-n", ns, "-f", "-", "-o", "json", "--first-status", "1h") // no controller makes it Current
		return commandOutput{waited.code, waited.out + got.out, waited.err + got.err}
	}

	if none := try(nil, false); none.code != 6 {
		t.Errorf("without any permission: have %+v, want exit code 6", none)
	}
	if with := try(all, true); with.code != 0 || with.err != "" || strings.Contains(with.out, " may not ") || !strings.Contains(with.out, "NotObserved") {
		t.Errorf("with all that was printed: have %+v", with)
	}
	targets := []observe.Target{
		manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("apps", "Deployment", ns, "d"), manifest.Target("apps", "Deployment", ns, "e"),
		manifest.Target("", "Namespace", "", ns), manifest.Target(group, "Gizmo", ns, "g"),
	}
	if notes := readNotes(t, account, targets...); len(notes) > 0 {
		t.Errorf("with all that was printed: it steps down: %v", notes)
	}
	var rules []string
	for i, u := range all {
		own, _, _ := unstructured.NestedSlice(u.Object, "rules")
		for k := range own {
			less, what := withoutRule(all, i, k)
			rules = append(rules, what)
			have := try(less, what == "pods" || what == "replicasets")
			told := strings.Contains(have.out+have.err, " may not ") || strings.Contains(have.err, " is forbidden")
			switch {
			case what == "customresourcedefinitions": // the OpenAPI document has the same information
				told = strings.Contains(have.out, "NotObserved") && !strings.Contains(have.out, "CustomResourceDefinition")
			case what == "gizmos": // the schema leaves no question for other objects to answer, and either role lets get read the Gizmo
				told = !told && strings.Contains(have.out, "NotObserved")
			}
			if !told {
				t.Errorf("without %s nothing is missed: %+v", what, have)
			}
		}
	}
	slices.Sort(rules)
	if want := "configmaps customresourcedefinitions deployments gizmos gizmos namespaces pods replicasets"; strings.Join(rules, " ") != want {
		t.Errorf("have rules for %v, want %s", rules, want)
	}
}

// The permissions for unnamed objects are also sufficient.
func TestPermissionsForManySuffice(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	var many, spread []observe.Target
	for i := range 21 {
		many = append(many, manifest.Target("", "ConfigMap", ns, fmt.Sprintf("m%d", i)))
		spread = append(spread, manifest.Target("", "ConfigMap", fmt.Sprintf("%s-%d", ns, i), "m"))
	}
	selection := observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: ns, LabelSelector: "app=web"}
	for name, targets := range map[string][]observe.Target{"many": many, "spread": spread, "selection": {selection}} {
		needs, err := (&source.Cluster{Config: c.Config()}).Permissions(t.Context(), targets...)
		if err != nil || len(needs) != 1 || len(needs[0].Names) > 0 {
			t.Errorf("%s: have %v, %v, want one that names nothing", name, needs, err)
			continue
		}
		n := needs[0]
		account := c.User(t, ns, name, cluster.Grant{Namespace: n.Namespace, Verbs: n.Verbs, Resources: []string{n.Resource}})
		if notes := readNotes(t, account, targets...); len(notes) > 0 {
			t.Errorf("%s: it steps down: %v", name, notes)
		}
	}
}

// readNotes reads targets until each has a verdict, and returns the notes. All targets must
// be readable.
func readNotes(t *testing.T, kubeconfig string, targets ...observe.Target) (notes []string) {
	t.Helper()
	var mu sync.Mutex
	c := &source.Cluster{Config: configOf(t, kubeconfig), OnNote: func(note string) {
		mu.Lock()
		defer mu.Unlock()
		notes = append(notes, note)
	}}
	for u, err := range (observe.Watcher{Source: c}).Updates(t.Context(), targets...) {
		if err != nil || u.Err != nil {
			t.Errorf("%s: have %v, %v", u.Target, err, u.Err)
		}
		if u.Synced {
			break
		}
	}
	return notes
}

// gated returns two Deployments whose Pods become ready when openGates has opened their gates. Each
// number is another revision.
func gated(n int) string {
	text := manifest.Deployment("d", readyPod, fmt.Sprintf("n: '%d'", n)) + "---\n" + manifest.Deployment("e", readyPod, fmt.Sprintf("n: '%d'", n))
	return strings.ReplaceAll(text, "spec: {terminationGracePeriodSeconds", "spec: {readinessGates: [{conditionType: example.com/open}], terminationGracePeriodSeconds")
}

// waitWithGates waits for manifests as the user of a kubeconfig. The Pods become ready once the wait
// has looked at them, or reports that it may not.
func waitWithGates(t *testing.T, c *cluster.Cluster, ns, kubeconfig, manifests string) commandOutput {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var opening sync.WaitGroup
	defer opening.Wait()
	defer stop()
	looked := &awaitedText{pattern: regexp.MustCompile(`(?s) may not |Pod d-.*Pod e-|Pod e-.*Pod d-`), reached: func() {
		opening.Go(func() { openGates(ctx, t, c, ns) })
	}}
	return runAsInto(t, looked, kubeconfig, manifests, "wait", "-n", ns, "-f", "-", "--timeout", "1m", "-o", "json")
}

// openGates opens the gates of all Pods of a namespace, until ctx ends.
func openGates(ctx context.Context, t *testing.T, c *cluster.Cluster, ns string) {
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Error(err)
		return
	}
	pods := client.CoreV1().Pods(ns)
	const open = `{"status": {"conditions": [{"type": "example.com/open", "status": "True"}]}}`
	_ = poll.Until(ctx, func() error {
		all, err := pods.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, pod := range all.Items {
			if slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == "example.com/open" }) {
				continue
			}
			if _, err := pods.Patch(ctx, pod.Name, types.StrategicMergePatchType, []byte(open), metav1.PatchOptions{}, "status"); err != nil {
				return err
			}
		}
		return errGates
	})
}

// errGates keeps openGates at work, since a Pod may come later.
var errGates = errors.New("a Pod may come")

// rollout returns two Deployments whose Pods take some seconds to become ready. Each number is
// another revision.
func rollout(n int) string {
	slow, number := "kstatus.dev/pod: slow", fmt.Sprintf("n: '%d'", n)
	return manifest.Deployment("d", readyPod, slow, number) + "---\n" + manifest.Deployment("e", readyPod, slow, number)
}
