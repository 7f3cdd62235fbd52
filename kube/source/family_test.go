package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A stand-in for the streams and for the one who watches: events go in by hand
// and what is told comes out as lines.
type ledger struct {
	fs   *families
	f    *family
	told []string
}

func newLedger(targets ...observe.Target) *ledger {
	l := &ledger{}
	l.fs = &families{link: &link{namespace: "shop"}, targets: targets, in: map[string]*family{}}
	l.fs.tell = func(s observe.Sighting) bool {
		switch {
		case s.Of == observe.Target{}:
			l.told = append(l.told, s.Target.Name+" seen")
		case s.Object != nil && s.Object.UnstructuredContent()["status"].(map[string]any)["conditions"] != nil:
			l.told = append(l.told, s.Of.Name+" has "+s.Target.Name+" ready")
		case s.Object != nil:
			l.told = append(l.told, s.Of.Name+" has "+s.Target.Name)
		default:
			l.told = append(l.told, s.Of.Name+" lost "+s.Target.Name)
		}
		return true
	}
	l.f = newFamily(l.fs, "shop")
	l.fs.in["shop"] = l.f
	return l
}

// event takes in an event such as "Pod a-1 of ReplicaSet a/1" or "gone …".
func (l *ledger) event(text string) {
	w := strings.Fields(text)
	gone := w[0] == "gone"
	if gone {
		w = w[1:]
	}
	switch w[0] {
	case "Deployment", "StatefulSet", "DaemonSet": // KIND NAME/UID REVISION
		l.parent("apps", w[0], w[1], w[2], gone)
	case "Job": // Job NAME/UID ACTIVE
		l.parent("batch", "Job", w[1], w[2], gone)
	case "ReplicaSet": // ReplicaSet NAME/UID of DEPLOYMENT/UID REVISION
		name, uid, _ := strings.Cut(w[1], "/")
		l.f.sawSet(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID(uid), OwnerReferences: owner("Deployment", w[3]), Annotations: map[string]string{revisionOf: w[4]},
		}}, gone)
	case "Pod": // Pod NAME of KIND NAME/UID LABEL=VALUE PHASE SECOND
		if gone {
			l.f.lostPod(w[1])
			return
		}
		l.f.sawPod(podOf(w))
	}
}

func podOf(w []string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"phase": w[6]}}}
	u.SetName(w[1])
	u.SetOwnerReferences(owner(w[3], w[4]))
	key, value, _ := strings.Cut(w[5], "=")
	u.SetLabels(map[string]string{key: value})
	if len(w) > 7 {
		second := int64(0)
		fmt.Sscan(w[7], &second)
		u.SetCreationTimestamp(metav1.Unix(second, 0))
	}
	if w[6] == "Ready" {
		u.Object["status"] = map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}
	}
	return u
}

func owner(kind, text string) []metav1.OwnerReference {
	name, uid, _ := strings.Cut(text, "/")
	return []metav1.OwnerReference{{Kind: kind, Name: name, UID: types.UID(uid), Controller: new(true)}}
}

func (l *ledger) parent(group, kind, text, revision string, gone bool) {
	name, uid, _ := strings.Cut(text, "/")
	s := observe.Sighting{Target: observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: "shop", Name: name}}
	if !gone {
		u := &unstructured.Unstructured{Object: map[string]any{}}
		u.SetName(name)
		u.SetNamespace("shop")
		u.SetUID(types.UID(uid))
		switch kind {
		case "Deployment":
			u.SetAnnotations(map[string]string{revisionOf: revision})
		case "DaemonSet":
			u.SetAnnotations(map[string]string{"deprecated.daemonset.template.generation": revision})
		case "StatefulSet":
			u.Object["status"] = map[string]any{"updateRevision": revision}
		case "Job":
			active := int64(0)
			fmt.Sscan(revision, &active)
			u.Object["status"] = map[string]any{"active": active}
		}
		s.Object = u
	}
	l.fs.saw(s)
}

func TestWhichPodsCount(t *testing.T) {
	a := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "a"}
	set := observe.Target{Kind: status.Kind{Group: "apps", Kind: "StatefulSet"}, Namespace: "shop", Name: "s"}
	daemon := observe.Target{Kind: status.Kind{Group: "apps", Kind: "DaemonSet"}, Namespace: "shop", Name: "d"}
	job := observe.Target{Kind: status.Kind{Group: "batch", Kind: "Job"}, Namespace: "shop", Name: "j"}
	rows := []struct {
		it     string
		events []string
		told   []string
	}{
		{"counts a Pod of the newest ReplicaSet until it is ready", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Pending",
			"Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Ready",
		}, []string{"a seen", "a has a-1-x", "a has a-1-x", "a has a-1-x ready", "a lost a-1-x"}},
		{"holds a Pod whose ReplicaSet is not known yet", []string{
			"Deployment a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Pending", "ReplicaSet a-1/r1 of a/u 1",
		}, []string{"a seen", "a has a-1-x"}},
		{"holds a Pod whose Deployment is not known yet", []string{
			"ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Pending", "Deployment a/u 1",
		}, []string{"a seen", "a has a-1-x"}},
		{"tells nothing of a held Pod that has become ready", []string{
			"Deployment a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Pending",
			"Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Ready", "ReplicaSet a-1/r1 of a/u 1",
		}, []string{"a seen"}},
		{"takes the Pods of the former revision back before it tells of the new one", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
			"ReplicaSet a-2/r2 of a/u 2", "Deployment a/u 2", "Pod a-2-y of ReplicaSet a-2/r2 pod-template-hash=2 Pending",
			"Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
		}, []string{"a seen", "a has a-1-x", "a lost a-1-x", "a seen", "a has a-2-y"}},
		{"counts no Pod while the newest ReplicaSet is not known", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Deployment a/u 2", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
			"ReplicaSet a-2/r2 of a/u 2",
		}, []string{"a seen", "a seen"}},
		{"counts the Pods of a ReplicaSet that a rollback makes the newest", []string{
			"Deployment a/u 2", "ReplicaSet a-1/r1 of a/u 1", "ReplicaSet a-2/r2 of a/u 2", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
			"ReplicaSet a-1/r1 of a/u 3", "Deployment a/u 3",
		}, []string{"a seen", "a seen", "a has a-1-x"}},
		{"takes the Pods of a Deployment back that is gone", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running", "gone Deployment a/u 1",
		}, []string{"a seen", "a has a-1-x", "a lost a-1-x", "a seen"}},
		{"takes the Pods of a Deployment back that another one replaced", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running", "Deployment a/v 1",
			"Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
		}, []string{"a seen", "a has a-1-x", "a lost a-1-x", "a seen"}},
		{"does not count Pods of another owner", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod b-1 of ReplicaSet b/r9 pod-template-hash=1 Running",
			"Pod a-1-x of ReplicaSet a-1/r9 pod-template-hash=1 Running", "Pod s-0 of StatefulSet a/u app=a Running",
		}, []string{"a seen"}},
		{"does not count a Pod that has failed and is replaced", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
			"Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Failed",
		}, []string{"a seen", "a has a-1-x", "a lost a-1-x"}},
		{"does not count a Pod any more that its owner has let go", []string{
			"Deployment a/u 1", "ReplicaSet a-1/r1 of a/u 1", "Pod a-1-x of ReplicaSet a-1/r1 pod-template-hash=1 Running",
			"Pod a-1-x of Nothing x/y pod-template-hash=1 Running",
		}, []string{"a seen", "a has a-1-x", "a lost a-1-x"}},
		{"counts the Pods of a StatefulSet that have its update revision", []string{
			"StatefulSet s/u one", "Pod s-0 of StatefulSet s/u controller-revision-hash=one Running",
			"Pod s-1 of StatefulSet s/u controller-revision-hash=two Running", "StatefulSet s/u two",
		}, []string{"s seen", "s has s-0", "s lost s-0", "s seen", "s has s-1"}},
		{"counts the Pods of a DaemonSet that have its template's generation", []string{
			"DaemonSet d/u 2", "Pod d-x of DaemonSet d/u pod-template-generation=1 Running", "Pod d-y of DaemonSet d/u pod-template-generation=2 Running",
			"gone Pod d-y",
		}, []string{"d seen", "d has d-y", "d lost d-y"}},
		{"counts the Pod of a Job that failed last, unless one runs", []string{
			"Job j/u 1", "Pod j-x of Job j/u a=b Running 1", "Pod j-x of Job j/u a=b Failed 1", "Job j/u 0", "Job j/u 1",
			"Pod j-y of Job j/u a=b Failed 2", "Pod j-x of Job j/u a=b Failed 1", "Job j/u 0",
		}, []string{"j seen", "j has j-x", "j lost j-x", "j seen", "j has j-x", "j lost j-x", "j seen", "j seen", "j has j-y"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			l := newLedger(a, set, daemon, job)
			for _, e := range row.events {
				l.event(e)
			}
			if !slices.Equal(l.told, row.told) {
				t.Errorf("it %s: told\n%s\nwant\n%s", row.it, strings.Join(l.told, "\n"), strings.Join(row.told, "\n"))
			}
			held := 0
			for _, pod := range l.f.unready {
				if pod.told == nil {
					held++
				}
			}
			if held != l.f.held {
				t.Errorf("it counts %d held Pods and has %d", l.f.held, held)
			}
		})
	}
}

func TestCoverOfParents(t *testing.T) {
	of := func(labels ...string) (parents []*parent) {
		for _, text := range labels {
			p := &parent{labels: map[string]string{}}
			for pair := range strings.FieldsSeq(text) {
				key, value, _ := strings.Cut(pair, "=")
				p.labels[key] = value
			}
			parents = append(parents, p)
		}
		return parents
	}
	var many []string
	for i := range coverValues + 1 {
		many = append(many, fmt.Sprintf("app=a%d part-of=shop", i))
	}
	rows := []struct {
		it      string
		parents []*parent
		want    string
	}{
		{"is the whole of one selector", of("app=a tier=web"), "app in (a),tier in (web)"},
		{"has each value of the labels that all have", of("app=b tier=web", "app=a tier=web x=y"), "app in (a,b),tier in (web)"},
		{"is everything where no label is common", of("app=a", "tier=web"), ""},
		{"is everything where there is no label", of("app=a", ""), ""},
		{"leaves out a label with too many values", of(many...), "part-of in (shop)"},
		{"leaves out a label whose values are too long", of("app="+strings.Repeat("x", coverBytes), "app=b"), ""},
	}
	for _, row := range rows {
		c := coverOf(row.parents)
		if got := c.String(); got != row.want {
			t.Errorf("it %s: have %q, want %q", row.it, got, row.want)
		}
		for _, p := range row.parents {
			if !c.has(p) {
				t.Errorf("it %s: %v is not covered", row.it, p.labels)
			}
		}
	}
	if coverOf(of("app=a", "app=b")).has(of("app=c")[0]) {
		t.Error("it covers a value that it does not ask for")
	}
}

// BenchmarkPods measures how five thousand Pods of one DaemonSet come and get
// ready, one after the other.
func BenchmarkPods(b *testing.B) {
	const many = 5000
	var come, well [][]string
	for i := range many {
		come = append(come, strings.Fields(fmt.Sprintf("Pod a-%d of DaemonSet a/1 pod-template-generation=1 Running", i)))
		well = append(well, strings.Fields(fmt.Sprintf("Pod a-%d of DaemonSet a/1 pod-template-generation=1 Ready", i)))
	}
	for b.Loop() {
		l := newLedger(observe.Target{Kind: status.Kind{Group: "apps", Kind: "DaemonSet"}, Namespace: "shop", Name: "a"})
		l.fs.tell = func(observe.Sighting) bool { return true }
		l.event("DaemonSet a/1 1")
		for _, w := range slices.Concat(come, well) {
			l.f.sawPod(podOf(w))
		}
	}
}

func TestAParentThatLeavesASelectionKeepsItsPods(t *testing.T) {
	target := observe.Target{Kind: status.Kind{Group: "apps", Kind: "DaemonSet"}, Namespace: "shop", Name: "a"}
	labelled := observe.Target{Kind: target.Kind, Namespace: "shop", Match: "app=a"}
	l := newLedger(target, labelled)
	l.event("DaemonSet a/1 1")
	l.event("Pod a-1 of DaemonSet a/1 pod-template-generation=1 Running")
	l.told = nil
	l.fs.saw(observe.Sighting{Target: target, Of: labelled})
	l.event("Pod a-1 of DaemonSet a/1 pod-template-generation=1 Ready")
	l.event("Pod a-2 of DaemonSet a/1 pod-template-generation=1 Running")
	l.event("gone DaemonSet a/1 1")
	if want := []string{" lost a", "a has a-1 ready", "a lost a-1", "a has a-2", "a lost a-2", "a seen"}; !slices.Equal(l.told, want) {
		t.Errorf("told %q, want %q", l.told, want)
	}
}
