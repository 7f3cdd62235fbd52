package follow_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

var served = []wiretest.Resource{
	{Version: "v1", Kind: "ConfigMap", Name: "configmaps"},
	{Version: "v1", Kind: "Secret", Name: "secrets"},
	{Version: "v1", Kind: "Pod", Name: "pods"},
	{Group: "apps", Version: "v1", Kind: "Deployment", Name: "deployments"},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet", Name: "replicasets"},
}

// revision is the ConfigMap of a revision of the Helm release web with a Deployment.
func revision(number int, status, deployment string) string {
	document, _ := json.Marshal(map[string]any{ // of texts and numbers
		"name": "web", "namespace": "shop", "version": number, "info": map[string]any{"status": status, "description": "the hook has failed"},
		"manifest": fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\n", deployment),
	})
	return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop, name: sh.helm.release.v1.web.v%[1]d, uid: r%[1]d, labels: {owner: helm, name: web, status: %[2]s, version: "%[1]d"}}
data: {release: %[3]s}
`, number, status, base64.StdEncoding.EncodeToString(document))
}

// deployment is a Deployment whose controller has reported a condition Progressing.
func deployment(name string, available int, progressing string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: %[1]s, uid: %[1]s, generation: 1}
spec: {replicas: 1, selector: {matchLabels: {app: %[1]s}}, template: {metadata: {labels: {app: %[1]s}}}}
status:
  observedGeneration: 1
  replicas: 1
  updatedReplicas: 1
  availableReplicas: %[2]d
  readyReplicas: %[2]d
  conditions: [%[3]s]
`, name, available, progressing)
}

const (
	rolledOut = `{type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}`
	stuck     = `{type: Progressing, status: "False", reason: ProgressDeadlineExceeded}`
	inventory = "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: shop, name: all, uid: i, labels: {cli-utils.sigs.k8s.io/inventory-id: all}}\ndata: {shop_web_apps_Deployment: \"\"}\n"
)

var ready, progressing, failing = deployment("web", 1, rolledOut), deployment("web", 0, ""), deployment("web", 0, stuck)

// A step changes objects ten seconds after the step before. A document with the prefix "delete" is
// deleted.
type step []string

// do changes the objects of the server.
func (s step) do(t *testing.T, server *wiretest.Server) {
	for _, text := range s {
		document, isDeleted := strings.CutPrefix(text, "delete ")
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
			t.Error(err)
			return
		}
		if isDeleted {
			server.Delete(u)
		} else {
			server.Put(u)
		}
	}
}

// mapper knows the served kinds.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}})
	for _, r := range served {
		m.Add(schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}, meta.RESTScopeNamespace)
	}
	return m
}

// An ended is how a wait has ended.
type ended struct {
	outcome observe.Outcome
	board   *observe.Board
	took    time.Duration
}

// wait waits for the sets while steps change objects.
func wait(t *testing.T, server *wiretest.Server, set follow.Set, p observe.Policy, steps []step) ended {
	set.Cluster = &sets.Cluster{Config: server.Config(), Mapper: mapper(), Namespace: "shop"}
	s := &follow.Source{Objects: &source.Cluster{Config: server.Config(), Namespace: "shop", PartsFirst: p.Once}, Sets: []follow.Set{set}, Once: p.Once}
	ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, observe.ErrTimeout)
	defer stop()
	if len(steps) > 0 {
		steps[0].do(t, server)
		var changes sync.WaitGroup
		defer changes.Wait()
		changes.Go(func() {
			for _, later := range steps[1:] {
				bubble.Sleep(10 * time.Second)
				later.do(t, server)
			}
		})
	}
	began := time.Now()
	e := ended{board: new(observe.Board)}
	for u, err := range (observe.Watcher{Source: s}).Updates(ctx, s.Targets()...) {
		if err != nil {
			t.Fatal(err)
		}
		s.MarkSeen(&u)
		e.board.Add(u)
		if e.outcome = s.Outcome(ctx, e.board, p); e.outcome != observe.OutcomePending {
			break
		}
	}
	if e.outcome == observe.OutcomePending {
		e.outcome = e.board.End(p, context.Cause(ctx))
	}
	e.took = time.Since(began)
	return e
}

func TestFollow(t *testing.T) {
	helm, kpt := sets.Owner{Type: sets.TypeHelm, Namespace: "shop", Name: "web"}, sets.Owner{Type: sets.TypeKpt, Namespace: "shop", Name: "all"}
	for _, row := range []struct {
		it    string
		set   follow.Set
		once  bool
		steps []step
		want  observe.Outcome
		after time.Duration // how long the wait takes at least
		last  string        // part of a message on the board
	}{
		{"succeeds with a release", follow.Set{Owner: helm}, false, []step{{revision(1, "deployed", "web"), ready}}, observe.OutcomeSuccess, 0, ""},
		{"waits for the objects of a release", follow.Set{Owner: helm}, false, []step{{revision(1, "deployed", "web"), progressing}, {ready}}, observe.OutcomeSuccess, 10 * time.Second, ""},
		{"waits for a release that does not exist", follow.Set{Owner: helm}, false, []step{{ready}, {revision(1, "deployed", "web")}}, observe.OutcomeSuccess, 10 * time.Second, ""},
		{"names a release that does not exist", follow.Set{Owner: helm}, false, []step{{ready}}, observe.OutcomeTimeout, time.Minute, "no release with that name in namespace shop"},
		{"repeats why a set was not found", follow.Set{Owner: helm, Absent: "the namespace is new"}, true, nil, observe.OutcomeMissing, 0, "the namespace is new"},
		{"looks once", follow.Set{Owner: helm}, true, []step{{revision(1, "pending-install", "web"), ready}}, observe.OutcomeTimeout, 0, "Helm is not done with it"},
		{"waits while Helm is at work", follow.Set{Owner: helm}, false, []step{{revision(1, "pending-install", "web"), ready}, {revision(1, "deployed", "web")}}, observe.OutcomeSuccess, 10 * time.Second, ""},
		{"fails with a revision", follow.Set{Owner: helm}, false, []step{{revision(1, "pending-install", "web"), ready}, {revision(1, "failed", "web")}}, observe.OutcomeFailure, 10 * time.Second, "revision 1 failed: the hook has failed"},
		{"ignores failures of objects while Helm is at work", follow.Set{Owner: helm}, false, []step{{revision(1, "pending-install", "web"), failing}, {}, {ready, revision(1, "deployed", "web")}}, observe.OutcomeSuccess, 20 * time.Second, ""},
		{"counts failures of objects when Helm has finished", follow.Set{Owner: helm}, false, []step{{revision(1, "deployed", "web"), failing}}, observe.OutcomeFailure, 0, ""},
		{"continues with the objects of a new revision", follow.Set{Owner: helm}, false, []step{
			{revision(1, "deployed", "web"), progressing}, {revision(1, "superseded", "web"), revision(2, "deployed", "api"), deployment("api", 1, rolledOut)},
		}, observe.OutcomeSuccess, 10 * time.Second, ""},
		{"fails with a release that is uninstalled", follow.Set{Owner: helm}, false, []step{{revision(1, "deployed", "web"), progressing}, {revision(1, "uninstalled", "web")}}, observe.OutcomeFailure, 10 * time.Second, "revision 1 is uninstalled"},
		{"fails with an installation that is undone", follow.Set{Owner: helm}, false, []step{{revision(1, "pending-install", "web"), ready}, {"delete " + revision(1, "", "")}}, observe.OutcomeFailure, 10 * time.Second, "the release is gone"},
		{"waits for the wanted revision", follow.Set{Owner: helm, Revision: 2}, false, []step{{revision(1, "deployed", "web"), ready}, {revision(2, "deployed", "web")}}, observe.OutcomeSuccess, 10 * time.Second, ""},
		{"fails if another revision replaces the wanted one", follow.Set{Owner: helm, Revision: 1}, false, []step{{revision(1, "deployed", "web"), progressing}, {revision(2, "deployed", "web"), ready}}, observe.OutcomeFailure, 10 * time.Second, "revision 1 was replaced"},
		{"finds an inventory", follow.Set{Owner: kpt}, false, []step{{ready}, {inventory}}, observe.OutcomeSuccess, 10 * time.Second, ""},
		{"begins with what was found", follow.Set{Owner: helm, Found: &sets.Set{Revision: &sets.Revision{Number: 1, Status: "uninstalled"}}}, false, nil, observe.OutcomeFailure, 0, "revision 1 is uninstalled"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				have := wait(t, wiretest.New(t, served...), row.set, observe.Policy{Once: row.once}, row.steps)
				if have.outcome != row.want || have.took < row.after {
					t.Errorf("have %s after %s, want %s after at least %s", have.outcome, have.took, row.want, row.after)
				}
				var text strings.Builder
				for _, u := range have.board.Updates() {
					fmt.Fprintf(&text, "%s %s: %s\n", u.Target, u.Result.Status, u.Message())
				}
				if !strings.Contains(text.String(), row.last) {
					t.Errorf("have\n%swant %q", &text, row.last)
				}
			})
		})
	}
}

// A release that may not be read is not waited for.
func TestForbiddenRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := wiretest.New(t, served...)
		for _, resource := range []string{"secrets", "configmaps"} {
			server.On(wiretest.Rule{Match: wiretest.Match{Resource: resource}, Reply: wiretest.Forbidden})
		}
		set := follow.Set{Owner: sets.Owner{Type: sets.TypeHelm, Namespace: "shop", Name: "web"}}
		if have := wait(t, server, set, observe.Policy{}, nil); have.outcome != observe.OutcomeForbidden {
			t.Errorf("have %s", have.outcome)
		}
	})
}

// A caller learns of each state of a release.
func TestReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := wiretest.New(t, served...)
		step{revision(1, "pending-install", "web"), ready}.do(t, server)
		var states []follow.State
		s := &follow.Source{
			Objects: &source.Cluster{Config: server.Config(), Namespace: "shop"},
			Sets: []follow.Set{{
				Cluster: &sets.Cluster{Config: server.Config(), Mapper: mapper(), Namespace: "shop"},
				Owner:   sets.Owner{Type: sets.TypeHelm, Namespace: "shop", Name: "web"},
			}},
			OnRelease: func(r follow.Release) { states = append(states, r.State) },
		}
		for u, err := range (observe.Watcher{Source: s}).Updates(t.Context(), s.Targets()...) {
			if err != nil {
				t.Fatal(err)
			}
			if s.MarkSeen(&u); u.Target == s.Targets()[0] && u.Evidence != nil {
				t.Error("a release has evidence")
			}
			all := s.Releases()
			if len(all) != 1 || all[0].First != 1 || len(all[0].Objects) != 1 {
				t.Fatalf("have %+v", all)
			}
			if all[0].State == follow.StateSettled {
				break
			}
			step{revision(1, "deployed", "web")}.do(t, server)
		}
		if len(states) != 2 || states[0] != follow.StatePending || states[1] != follow.StateSettled {
			t.Errorf("have the states %q", states)
		}
	})
}
