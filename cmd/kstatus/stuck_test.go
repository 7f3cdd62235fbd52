package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/kube/wiretest"
)

// stuckObjects returns a Current Deployment with an old Pod whose deletion does not end since a time,
// a Secret that is being deleted, and ConfigMaps.
func stuckObjects(since time.Time) string {
	at := since.UTC().Format(time.RFC3339)
	all := []string{
		`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, uid: web-uid, generation: 1}
spec: {replicas: 1, selector: {matchLabels: {app: web}}}
status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}`,
		`apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-1, uid: web-1-uid, generation: 1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web-uid, controller: true}]}
spec: {replicas: 1}
status: {observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1}`,
		`apiVersion: v1
kind: Pod
metadata: {name: web-1-x, deletionTimestamp: "` + at + `", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: web-1-uid, controller: true}]}
spec: {nodeName: n1, containers: [{name: app, image: web}]}
status: {phase: Running}`,
		`apiVersion: v1
kind: Secret
metadata: {name: token, deletionTimestamp: "` + at + `", finalizers: [example.com/hold]}`,
	}
	for i := range 3 {
		all = append(all, fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings-%d}", i))
	}
	return strings.Join(all, "\n---\n")
}

// Objects whose deletion does not end are in the overview and in an explanation of everything, whatever
// their kind and their owner.
func TestStuckDeletions(t *testing.T) {
	for _, row := range []struct {
		it     string
		since  time.Time
		args   []string
		want   []string
		absent string
	}{
		{"are in the overview", time.Now().Add(-time.Hour), nil, []string{"Pod/web-1-x", "Secret/token", "finalizer example.com/hold"}, "settings"},
		{"are in the overview of all namespaces", time.Now().Add(-time.Hour), []string{"-A"}, []string{"Pod/shop/web-1-x", "Secret/shop/token"}, "settings"},
		{"are explained", time.Now().Add(-time.Hour), []string{"explain", "--logs", "none"}, []string{"Pod/web-1-x in shop: Terminating", "Secret/token in shop: Terminating"}, "settings"},
		{"do not include a Pod in its grace period", time.Now().Add(time.Hour), nil, []string{"Secret/token"}, "web-1-x"},
		{"are not in get", time.Now().Add(-time.Hour), []string{"get"}, []string{"Deployment/web"}, "token"},
	} {
		t.Run(row.it, func(t *testing.T) {
			out := newMemoryCluster(t, stuckObjects(row.since)).run("", row.args...).out
			for _, want := range row.want {
				if !strings.Contains(out, want) {
					t.Errorf("want %s in\n%s", want, out)
				}
			}
			if strings.Contains(out, row.absent) {
				t.Errorf("want no %s in\n%s", row.absent, out)
			}
		})
	}
}

// A kind that may not be listed is left out of the search for stuck objects, without a note.
func TestStuckDeletionsWithoutPermission(t *testing.T) {
	c := newMemoryCluster(t, stuckObjects(time.Now().Add(-time.Hour)))
	c.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}, Resource: "secrets"}, Reply: wiretest.Forbidden})
	a := c.run("")
	if a.code != 0 || strings.Contains(a.out+a.notes, "secrets") || !strings.Contains(a.out, "web-1-x") {
		t.Errorf("it exits with %d and prints\n%s%s", a.code, a.out, a.notes)
	}
}

// The overview lists each kind once, and no other command lists kinds without a status.
func TestRequestsForStuckDeletions(t *testing.T) {
	c := newMemoryCluster(t, stuckObjects(time.Now().Add(-time.Hour)))
	for _, row := range []struct {
		args []string
		want int
	}{{nil, 1}, {[]string{"explain", "--logs", "none"}, 1}, {[]string{"get"}, 0}, {[]string{"wait", "--timeout", "0"}, 0}} {
		c.Requests()
		c.run("", row.args...)
		lists := slices.DeleteFunc(c.Requests(), func(r wiretest.Request) bool { return r.Verb != "list" || r.Resource != "configmaps" })
		if len(lists) != row.want {
			t.Errorf("%q lists ConfigMaps %d times, want %d: %v", row.args, len(lists), row.want, lists)
		}
	}
}
