package parts

import (
	"context"
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

// A recording replaces the target store and the API server of a Tracker, and records the
// reports of the Tracker.
type recording struct {
	tracker    *Tracker
	podTracker *podTracker
	lines      []string
}

func newRecording(targets ...observe.Target) *recording {
	l := &recording{}
	l.tracker = New(context.Background(), Config{Namespace: "shop", Endpoints: true, Targets: targets})
	l.tracker.Report = func(s observe.Event) bool {
		switch {
		case s.Of == observe.Target{}:
			l.lines = append(l.lines, s.Target.Name+" seen")
		case s.Object != nil && s.Object.UnstructuredContent()["status"].(map[string]any)["conditions"] != nil:
			l.lines = append(l.lines, s.Of.Name+" has "+s.Target.Name+" ready")
		case s.Object != nil:
			l.lines = append(l.lines, s.Of.Name+" has "+s.Target.Name)
		default:
			l.lines = append(l.lines, s.Of.Name+" lost "+s.Target.Name)
		}
		return true
	}
	l.podTracker = newPodTracker(l.tracker, "shop")
	l.tracker.trackers["shop"] = l.podTracker
	return l
}

// report passes the state of a target to the Tracker, as the target store does.
func (l *recording) report(s observe.Event) {
	u, _ := s.Object.(*unstructured.Unstructured)
	switch {
	case s.Target.Kind == ServiceKind:
		l.tracker.ReportService(s)
		return
	case u != nil:
		l.tracker.Revise(s.Target, u)
	default:
		l.tracker.Forget(s.Target, s.Of)
	}
	pending := l.tracker.Report(s)
	if u != nil {
		l.tracker.Track(s.Target, u, pending)
	}
}

// An event is an object as the server reports it.
type event struct {
	kind     status.Kind
	name     string
	uid      types.UID
	owner    metav1.OwnerReference // of a ReplicaSet and of a Pod
	revision string                // of a workload and of a ReplicaSet
	active   int64                 // of a Job: the number of running Pods
	policy   string                // of a StatefulSet: its podManagementPolicy
	strategy string                // of a workload: its updateStrategy
	labels   map[string]string     // of a Pod
	phase    string                // of a Pod
	ready    bool                  // of a Pod
	born     int64                 // of a Pod: the second of its creation
	deleted  bool
}

// in returns the event of a Pod in another phase.
func (e event) in(phase string) event { e.phase = phase; return e }

// becomeReady returns the event of a ready Pod.
func (e event) becomeReady() event { e.phase, e.ready = "Running", true; return e }

// gone returns the event that the object is deleted.
func (e event) gone() event { e.deleted = true; return e }

// of returns the event of an object with another controller.
func (e event) of(owner event) event { e.owner = owner.reference(); return e }

// at returns the event of a workload at another revision.
func (e event) at(revision string) event { e.revision = revision; return e }

// parallel returns the event of a StatefulSet that does not start its Pods in order.
func (e event) parallel() event { e.policy = "Parallel"; return e }

// onDelete returns the event of a workload whose Pods stay until somebody deletes them.
func (e event) onDelete() event { e.strategy = "OnDelete"; return e }

// running returns the event of a Job with so many running Pods.
func (e event) running(active int64) event { e.active = active; return e }

func (e event) reference() metav1.OwnerReference {
	return metav1.OwnerReference{Kind: e.kind.Kind, Name: e.name, UID: e.uid, Controller: new(true)}
}

// send passes an event to the Tracker.
func (l *recording) send(e event) {
	switch e.kind {
	case podKind:
		if e.deleted {
			l.podTracker.podDeleted(e.name)
			return
		}
		l.podTracker.podSeen(e.pod())
	case replicaSetKind:
		l.podTracker.replicaSetSeen(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: e.name, UID: e.uid, OwnerReferences: []metav1.OwnerReference{e.owner}, Annotations: map[string]string{revisionAnnotation: e.revision},
		}})
	default:
		s := observe.Event{Target: observe.Target{Kind: e.kind, Namespace: "shop", Name: e.name}}
		if !e.deleted {
			s.Object = e.workload()
		}
		l.report(s)
	}
}

func (e event) pod() *unstructured.Unstructured {
	state := map[string]any{"phase": e.phase}
	if e.ready {
		state["conditions"] = []any{map[string]any{"type": "Ready", "status": "True"}}
	}
	u := &unstructured.Unstructured{Object: map[string]any{"status": state}}
	u.SetName(e.name)
	u.SetOwnerReferences([]metav1.OwnerReference{e.owner})
	u.SetLabels(e.labels)
	if e.born != 0 {
		u.SetCreationTimestamp(metav1.Unix(e.born, 0))
	}
	return u
}

func (e event) workload() *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"podManagementPolicy": e.policy, "updateStrategy": map[string]any{"type": e.strategy},
	}}}
	u.SetName(e.name)
	u.SetNamespace("shop")
	u.SetUID(e.uid)
	switch e.kind.Kind {
	case "Deployment":
		u.SetAnnotations(map[string]string{revisionAnnotation: e.revision})
	case "DaemonSet":
		u.SetAnnotations(map[string]string{"deprecated.daemonset.template.generation": e.revision})
	case "StatefulSet":
		u.Object["status"] = map[string]any{"updateRevision": e.revision}
	case "Job":
		u.Object["status"] = map[string]any{"active": e.active}
	}
	return u
}

func TestCountedPods(t *testing.T) {
	workload := func(group, kind, name string) event {
		return event{kind: status.Kind{Group: group, Kind: kind}, name: name, uid: "u"}
	}
	web, db, agent, job := workload("apps", "Deployment", "a"), workload("apps", "StatefulSet", "s"), workload("apps", "DaemonSet", "d"), workload("batch", "Job", "j")
	another := web
	another.uid = "v"
	set1 := event{kind: replicaSetKind, name: "a-1", uid: "r1", revision: "1"}.of(web)
	set2 := event{kind: replicaSetKind, name: "a-2", uid: "r2", revision: "2"}.of(web)
	podOf := func(owner event, name, label, value string) event {
		return event{kind: podKind, name: name, labels: map[string]string{label: value}, phase: "Running"}.of(owner)
	}
	x, y := podOf(set1, "a-1-x", "pod-template-hash", "1"), podOf(set2, "a-2-y", "pod-template-hash", "2")
	recreated := set1
	recreated.uid = "r9"
	foreign := event{kind: replicaSetKind, name: "b", uid: "r9"}
	claimed := event{kind: status.Kind{Group: "apps", Kind: "StatefulSet"}, name: "a", uid: "u"}
	nothing := event{kind: status.Kind{Kind: "Nothing"}, name: "x", uid: "y"}
	db0, db1 := podOf(db, "s-0", "controller-revision-hash", "one"), podOf(db, "s-1", "controller-revision-hash", "two")
	agentX, agentY := podOf(agent, "d-x", "pod-template-generation", "1"), podOf(agent, "d-y", "pod-template-generation", "2")
	jobX, jobY := podOf(job, "j-x", "a", "b"), podOf(job, "j-y", "a", "b")
	jobX.born, jobY.born = 1, 2
	rows := []struct {
		it     string
		events []event
		lines  []string
	}{
		{"counts a Pod of the newest ReplicaSet until it is ready", []event{web.at("1"), set1, x.in("Pending"), x, x.becomeReady()},
			[]string{"a seen", "a has a-1-x", "a has a-1-x", "a has a-1-x ready", "a lost a-1-x"}},
		{"holds a Pod of an unknown ReplicaSet", []event{web.at("1"), x.in("Pending"), set1},
			[]string{"a seen", "a has a-1-x"}},
		{"holds a Pod of an unknown Deployment", []event{set1, x.in("Pending"), web.at("1")},
			[]string{"a seen", "a has a-1-x"}},
		{"does not report a held Pod that has become ready", []event{web.at("1"), x.in("Pending"), x.becomeReady(), set1},
			[]string{"a seen"}},
		{"revokes the Pods of the former revision before it reports the new one", []event{web.at("1"), set1, x, set2, web.at("2"), y.in("Pending"), x},
			[]string{"a seen", "a has a-1-x", "a lost a-1-x", "a seen", "a has a-2-y"}},
		{"counts no Pod while the newest ReplicaSet is unknown", []event{web.at("1"), set1, web.at("2"), x, set2},
			[]string{"a seen", "a seen"}},
		{"counts the Pods of a ReplicaSet that a rollback makes the newest", []event{web.at("2"), set1, set2, x, set1.at("3"), web.at("3")},
			[]string{"a seen", "a seen", "a has a-1-x"}},
		{"revokes the Pods of a deleted Deployment", []event{web.at("1"), set1, x, web.gone()},
			[]string{"a seen", "a has a-1-x", "a lost a-1-x", "a seen"}},
		{"revokes the Pods of a replaced Deployment", []event{web.at("1"), set1, x, another.at("1"), x},
			[]string{"a seen", "a has a-1-x", "a lost a-1-x", "a seen"}},
		{"does not count Pods of another owner", []event{web.at("1"), set1, podOf(foreign, "b-1", "pod-template-hash", "1"), x.of(recreated), podOf(claimed, "s-0", "app", "a")},
			[]string{"a seen"}},
		{"does not count a failed Pod that is replaced", []event{web.at("1"), set1, x, x.in("Failed")},
			[]string{"a seen", "a has a-1-x", "a lost a-1-x"}},
		{"does not count a Pod that its owner has released", []event{web.at("1"), set1, x, x.of(nothing)},
			[]string{"a seen", "a has a-1-x", "a lost a-1-x"}},
		{"counts the Pod of the former revision for which an ordered StatefulSet waits", []event{db.at("one"), db0, db.at("two")},
			[]string{"s seen", "s has s-0", "s seen"}},
		{"counts the Pods of all revisions of a DaemonSet that waits for their deletion", []event{agent.at("2").onDelete(), agentX, agentY},
			[]string{"d seen", "d has d-x", "d has d-y"}},
		{"counts the Pods of a parallel StatefulSet with its update revision", []event{db.at("one").parallel(), db0, db1, db.at("two").parallel()},
			[]string{"s seen", "s has s-0", "s lost s-0", "s seen", "s has s-1"}},
		{"counts the Pods of a DaemonSet with the generation of its template", []event{agent.at("2"), agentX, agentY, agentY.gone()},
			[]string{"d seen", "d has d-y", "d lost d-y"}},
		{"counts the Pod of a Job that failed last, unless one runs", []event{
			job.running(1), jobX, jobX.in("Failed"), job.running(0), job.running(1), jobY.in("Failed"), jobX.in("Failed"), job.running(0),
		}, []string{"j seen", "j has j-x", "j lost j-x", "j seen", "j has j-x", "j lost j-x", "j seen", "j seen", "j has j-y"}},
	}
	var targets []observe.Target
	for _, e := range []event{web, db, agent, job} {
		targets = append(targets, observe.Target{Kind: e.kind, Namespace: "shop", Name: e.name})
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			l := newRecording(targets...)
			for _, e := range row.events {
				l.send(e)
			}
			if !slices.Equal(l.lines, row.lines) {
				t.Errorf("reported\n%s\nwant\n%s", strings.Join(l.lines, "\n"), strings.Join(row.lines, "\n"))
			}
			held := 0
			for _, pod := range l.podTracker.unready.byName {
				if len(pod.reportedTo) == 0 {
					held++
				}
			}
			if held != l.podTracker.unready.held {
				t.Errorf("it counts %d held Pods and has %d", l.podTracker.unready.held, held)
			}
		})
	}
}

func TestSelectors(t *testing.T) {
	type labels = map[string]string
	of := func(all ...labels) (workloads []*workload) {
		for _, labels := range all {
			workloads = append(workloads, &workload{labels: labels})
		}
		return workloads
	}
	var many []labels
	for i := range maxSelectorValues + 1 {
		many = append(many, labels{"app": fmt.Sprintf("a%d", i), "part-of": "shop"})
	}
	rows := []struct {
		it        string
		workloads []*workload
		want      string
	}{
		{"is one selector", of(labels{"app": "a", "tier": "web"}), "app in (a),tier in (web)"},
		{"has each value of the common labels", of(labels{"app": "b", "tier": "web"}, labels{"app": "a", "tier": "web", "x": "y"}), "app in (a,b),tier in (web)"},
		{"is everything without a common label", of(labels{"app": "a"}, labels{"tier": "web"}), ""},
		{"is everything without labels", of(labels{"app": "a"}, nil), ""},
		{"omits a label with too many values", of(many...), "part-of in (shop)"},
		{"omits a label whose values are too long", of(labels{"app": strings.Repeat("x", maxSelectorBytes)}, labels{"app": "b"}), ""},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			c := selectorOf(row.workloads)
			if got := c.String(); got != row.want {
				t.Errorf("have %q, want %q", got, row.want)
			}
			for _, w := range row.workloads {
				if !c.matches(w) {
					t.Errorf("%v is not covered", w.labels)
				}
			}
		})
	}
	if selectorOf(of(labels{"app": "a"}, labels{"app": "b"})).matches(of(labels{"app": "c"})[0]) {
		t.Error("it covers a value that it does not ask for")
	}
}

// daemonPod returns the event of a Pod of the DaemonSet a, of its generation 1.
func daemonPod(name string) event {
	return event{kind: podKind, name: name, labels: map[string]string{"pod-template-generation": "1"}, phase: "Running"}.of(daemon)
}

var daemon = event{kind: status.Kind{Group: "apps", Kind: "DaemonSet"}, name: "a", uid: "1", revision: "1"}

// BenchmarkPods measures five thousand Pods of one DaemonSet that appear and become
// ready, one after the other.
func BenchmarkPods(b *testing.B) {
	const many = 5000
	var come, well []event
	for i := range many {
		come = append(come, daemonPod(fmt.Sprintf("a-%d", i)))
		well = append(well, daemonPod(fmt.Sprintf("a-%d", i)).becomeReady())
	}
	for b.Loop() {
		l := newRecording(observe.Target{Kind: daemon.kind, Namespace: "shop", Name: "a"})
		l.tracker.Report = func(observe.Event) bool { return true }
		l.send(daemon)
		for _, e := range slices.Concat(come, well) {
			l.podTracker.podSeen(e.pod())
		}
	}
}

func TestAWorkloadThatLeavesASelectionKeepsItsPods(t *testing.T) {
	target := observe.Target{Kind: daemon.kind, Namespace: "shop", Name: "a"}
	labelled := observe.Target{Kind: target.Kind, Namespace: "shop", LabelSelector: "app=a"}
	l := newRecording(target, labelled)
	l.send(daemon)
	l.send(daemonPod("a-1"))
	l.lines = nil
	l.report(observe.Event{Target: target, Of: labelled})
	l.send(daemonPod("a-1").becomeReady())
	l.send(daemonPod("a-2"))
	l.send(daemon.gone())
	if want := []string{" lost a", "a has a-1 ready", "a lost a-1", "a has a-2", "a lost a-2", "a seen"}; !slices.Equal(l.lines, want) {
		t.Errorf("reported %q, want %q", l.lines, want)
	}
}
