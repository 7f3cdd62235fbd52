package observe_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// version returns a Current widget with a version.
func version(uid string, generation int64, resource string) observe.Event {
	return widget("a", "True", "", map[string]any{"uid": uid, "generation": generation, "resourceVersion": resource})
}

func TestMinVersion(t *testing.T) {
	full := observe.Version{UID: "u1", Generation: 3, ResourceVersion: "100"}
	rows := []struct {
		it     string
		least  observe.Version
		goal   observe.Goal
		source scriptedSource
		want   []string
	}{
		{"requires nothing if nothing is known", observe.Version{}, goal.Current(), sendAll(version("u9", 1, "1")),
			[]string{"0s a Current/Reconciled met"}},
		{"is reached by the same version", full, goal.Current(), sendAll(version("u1", 3, "100")),
			[]string{"0s a Current/Reconciled met"}},
		{"is reached by a later version", full, goal.Current(), sendAll(version("u1", 4, "1000")),
			[]string{"0s a Current/Reconciled met"}},
		{"rejects an earlier generation", observe.Version{UID: "u1", Generation: 3}, goal.Current(),
			sendAt(timedEvent{0, version("u1", 2, "99")}, timedEvent{time.Second, version("u1", 3, "100")}),
			[]string{"0s a InProgress/LatestGenerationNotObserved open", "1s a Current/Reconciled met"}},
		{"rejects an earlier resourceVersion, compared as a number", full, goal.Current(),
			sendAt(timedEvent{0, version("u1", 3, "99")}, timedEvent{time.Second, version("u1", 3, "101")}),
			[]string{"0s a InProgress/LatestGenerationNotObserved open", "1s a Current/Reconciled met"}},
		{"requires the same version once if versions are not numbers", observe.Version{ResourceVersion: "b"}, goal.Current(),
			sendAt(timedEvent{0, version("u1", 1, "a")}, timedEvent{time.Second, version("u1", 1, "b")}, timedEvent{2 * time.Second, version("u1", 1, "c")}),
			[]string{"0s a InProgress/LatestGenerationNotObserved open", "1s a Current/Reconciled met"}},
		{"fails at once if another object has the name", full, goal.Current(), sendAll(version("u2", 1, "200")),
			[]string{"0s a NotFound/Replaced failed"}},
		{"fails at once if the object was deleted before it was seen", full, goal.Current(), sendAll(missing("a")),
			[]string{"0s a NotFound/Deleted failed"}},
		{"fails at once if the object is being deleted", full, goal.Current(),
			sendAt(timedEvent{0, version("u1", 3, "100")}, timedEvent{time.Second, missing("a")}, timedEvent{2 * time.Second, version("u2", 1, "200")}),
			[]string{"0s a Current/Reconciled met", "1s a NotFound/Deleted failed", "2s a NotFound/Replaced failed"}},
		{"waits for a missing object without a UID", observe.Version{Generation: 1}, goal.Current(), sendAll(missing("a")),
			[]string{"0s a NotFound/NeverSeen missing"}},
		{"treats another object as a deletion", full, goal.Deleted(), sendAll(version("u2", 1, "200")),
			[]string{"0s a NotFound/Replaced met"}},
		{"does not accept another object than the one to be created", full, goal.Created(), sendAll(version("u2", 1, "200")),
			[]string{"0s a NotFound/Replaced failed"}},
		{"does not read the conditions of an earlier version", full, goal.Condition("Ready", "True"), sendAll(version("u1", 2, "100")),
			[]string{"0s a InProgress/LatestGenerationNotObserved open"}},
		{"is not needed for unreadable objects", full, goal.Current(), sendAll(unreadable("a", "Forbidden")),
			[]string{"0s a Unknown/Forbidden barred"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{
					Source:       row.source,
					Requirements: observe.Requirements{Goals: []observe.Goal{row.goal}},
					MinVersion:   func(observe.Target) observe.Version { return row.least },
				}
				expect(t, history(t, w, target("a")), row.want...)
			})
		})
	}
}

func TestMinVersionMessages(t *testing.T) {
	least := func(observe.Target) observe.Version { return observe.Version{Generation: 3, ResourceVersion: "100"} }
	for _, row := range []struct {
		it   string
		seen observe.Event
		want string
	}{
		{"names the generations", version("u1", 2, "100"), "its last known state is from before the change: generation is 2, the change made it 3"},
		{"names the resourceVersions", version("u1", 3, "99"), `its last known state is from before the change: resourceVersion is "99", the change made it "100"`},
	} {
		t.Run(row.it, func(t *testing.T) {
			for u, err := range (observe.Watcher{Source: sendAll(row.seen), MinVersion: least}).Updates(t.Context(), target("a")) {
				if err != nil || u.Result.Message != row.want {
					t.Errorf("have %q, %v, want %q", u.Result.Message, err, row.want)
				}
				break
			}
		})
	}
}

// deployed returns an event of a Current Deployment: its generation, its replicas, its image, and
// the value of a variable.
func deployed(generation, replicas int64, image, variable string) observe.Event {
	container := map[string]any{"name": "web", "image": image, "env": []any{map[string]any{"name": "MODE", "value": variable}}}
	return observe.Event{Target: observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Name: "web"}, Object: status.Map{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "web", "uid": "u1", "generation": generation, "resourceVersion": "5"},
		"spec": map[string]any{"replicas": replicas, "minReadySeconds": int64(0), "template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"app": "web"}, "annotations": map[string]any{"kubectl.kubernetes.io/restartedAt": "10:00"}}, "spec": map[string]any{"containers": []any{container}},
		}},
		"status": map[string]any{"observedGeneration": generation, "replicas": replicas, "updatedReplicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
			"conditions": []any{map[string]any{"type": "Available", "status": "True"}}},
	}}
}

func TestApplied(t *testing.T) {
	applied := deployed(3, 2, "web:2", "a").Object
	restarted := deployed(4, 2, "web:2", "a")
	restarted.Object.(status.Map)["spec"].(map[string]any)["template"].(map[string]any)["metadata"].(map[string]any)["annotations"] = map[string]any{"kubectl.kubernetes.io/restartedAt": "11:00", "a": "b"}
	labelled := deployed(4, 2, "web:2", "a")
	labelled.Object.(status.Map)["spec"].(map[string]any)["template"].(map[string]any)["metadata"] = map[string]any{}
	slow := deployed(4, 2, "web:2", "a")
	slow.Object.(status.Map)["spec"].(map[string]any)["minReadySeconds"] = float64(9)
	another := deployed(4, 2, "web:2", "a")
	spec := another.Object.(status.Map)["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	spec["containers"] = append(spec["containers"].([]any), map[string]any{"name": "log"})
	for _, row := range []struct {
		it      string
		goal    observe.Goal
		source  scriptedSource
		want    []string
		message string
		caveat  string
	}{
		{it: "accepts the applied generation", source: sendAll(deployed(3, 2, "web:2", "a")), want: []string{"0s web Current/Reconciled met"}},
		{it: "accepts a later generation with the same template and other replicas", source: sendAll(deployed(5, 7, "web:2", "a")), want: []string{"0s web Current/Reconciled met"}},
		{it: "accepts a restart", source: sendAll(restarted), want: []string{"0s web Current/Reconciled met"}},
		{it: "warns of other labels", source: sendAll(labelled), want: []string{"0s web Current/Reconciled met"},
			caveat: "generation 3 was applied, and this is generation 4, with another spec.template.metadata"},
		{it: "fails if another image runs", source: sendAll(deployed(4, 2, "web:1", "a")), want: []string{"0s web Failed/Superseded failed"},
			message: "another change has replaced generation 3, which was applied, by generation 4: spec.template.spec.containers[0].image is web:1, and web:2 was applied"},
		{it: "fails if another variable is set, and does not print it", source: sendAll(deployed(4, 2, "web:2", "b")), want: []string{"0s web Failed/Superseded failed"},
			message: "another change has replaced generation 3, which was applied, by generation 4: spec.template.spec.containers[0].env[0].value differs"},
		{it: "fails if a container was added", source: sendAll(another), want: []string{"0s web Failed/Superseded failed"},
			message: "another change has replaced generation 3, which was applied, by generation 4: spec.template.spec.containers has 2 items, and 1 applied"},
		{it: "fails when it is replaced during the wait", source: sendPaced(deployed(3, 2, "web:2", "a"), deployed(4, 2, "web:1", "a"), deployed(5, 2, "web:2", "a")),
			want: []string{"0s web Current/Reconciled met", "1s web Failed/Superseded failed", "2s web Current/Reconciled met"}},
		{it: "warns of another field", source: sendAll(slow), want: []string{"0s web Current/Reconciled met"},
			caveat: "generation 3 was applied, and this is generation 4, with another spec.minReadySeconds"},
		{it: "does not matter for deletion", goal: goal.Deleted(), source: sendAll(deployed(4, 2, "web:1", "a")), want: []string{"0s web Failed/Superseded open"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source, Applied: func(observe.Target) status.Object { return applied }}
				if row.goal.Name != "" {
					w.Requirements.Goals = []observe.Goal{row.goal}
				}
				web := deployed(0, 0, "", "").Target
				expect(t, history(t, w, web), row.want...)
				for u := range w.Updates(t.Context(), web) {
					if row.message != "" && u.Result.Message != row.message || u.Result.Caveat != row.caveat {
						t.Errorf("have %q with %q", u.Result.Message, u.Result.Caveat)
					}
					break
				}
			})
		})
	}
}

// If the applied version is not known, the first one counts.
func TestFirstApplied(t *testing.T) {
	const caveat = "another change has replaced generation 3, with which the wait began, by generation 4: it has another spec.template.spec"
	unready := deployed(3, 2, "web:2", "a")
	unready.Object.(status.Map)["status"].(map[string]any)["availableReplicas"] = int64(0)
	labelled := deployed(4, 2, "web:2", "a")
	labelled.Object.(status.Map)["spec"].(map[string]any)["template"].(map[string]any)["metadata"] = map[string]any{}
	for _, row := range []struct {
		it     string
		source scriptedSource
		want   string // the caveat of the last update
	}{
		{"accepts the first", sendAll(deployed(3, 2, "web:2", "a")), ""},
		{"accepts other replicas", sendPaced(unready, deployed(4, 7, "web:2", "a")), ""},
		{"accepts other labels", sendPaced(unready, labelled), ""},
		{"warns of another image", sendPaced(unready, deployed(4, 2, "web:1", "a")), caveat},
		{"warns of another image after it was Current", sendPaced(deployed(3, 2, "web:2", "a"), deployed(4, 2, "web:1", "a")), caveat},
		{"accepts the first again", sendPaced(unready, deployed(4, 2, "web:1", "a"), deployed(5, 2, "web:2", "a")), ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source, FirstApplied: func(observe.Target) bool { return true }}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				var last observe.Update
				for u := range w.Updates(ctx, deployed(0, 0, "", "").Target) {
					last = u
				}
				if last.Result.Status != status.CurrentStatus || last.Result.Caveat != row.want {
					t.Errorf("have %s with %q, want %q", last.Result.Status, last.Result.Caveat, row.want)
				}
			})
		})
	}
}

// Go types lack the fields of newer versions, so added fields are no difference.
func TestAppliedTyped(t *testing.T) {
	applied := deployed(3, 2, "web:2", "a").Object
	for _, row := range []struct {
		it    string
		image string
		want  status.Status
	}{
		{"accepts a field that the type lacks", "web:2", status.CurrentStatus},
		{"fails if another image runs", "web:1", status.FailedStatus},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				live := deployed(4, 2, row.image, "a")
				template := live.Object.(status.Map)["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
				template["newer"] = "field"
				template["containers"].([]any)[0].(map[string]any)["newer"] = "field"
				w := observe.Watcher{Source: sendAll(live), AppliedTyped: true, Applied: func(observe.Target) status.Object { return applied }}
				for u := range w.Updates(t.Context(), live.Target) {
					if u.Result.Status != row.want || u.Result.Caveat != "" {
						t.Errorf("have %s with %q, want %s", u.Result.Status, u.Result.Caveat, row.want)
					}
					break
				}
			})
		})
	}
}
