package move_test

import (
	"fmt"
	"strings"
	"testing"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// chain returns a Cluster with a chain of Boxes, each of which owns the next one.
func chain(boxes int) string {
	text, owner := "Cluster shop/a : {spec: {controlPlaneEndpoint: {host: a, port: 6443}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}}", "Cluster shop/a"
	for n := range boxes {
		text += fmt.Sprintf("\nBox shop/b%d < %s cluster.x-k8s.io/cluster-name=a", n, owner)
		owner = fmt.Sprintf("Box shop/b%d", n)
	}
	return text
}

// costs are the requests of a move that grow faster than its objects if something is wrong.
type costs struct{ journals, lists, others int }

// costsOf moves a chain, and counts.
func costsOf(t *testing.T, boxes int) (c costs) {
	w := newWorld(t, fleetKinds, chain(boxes), "")
	began := [2]int{len(w.from.Requests()), len(w.to.Requests())}
	w.mustRun(with(w.options(), func(o *move.Options) { o.JournalNamespace, o.ID = "journals", "film" }))
	for side, s := range []*wiretest.Server{w.from, w.to} {
		for _, r := range s.Requests()[began[side]:] {
			switch {
			case r.Namespace == "journals" && (r.Verb == "create" || r.Verb == "update") && r.Resource == "configmaps":
				c.journals++
			case r.Verb == "list":
				c.lists++
			case !strings.HasPrefix(r.Resource, "leases"):
				c.others++
			}
		}
	}
	return c
}

// A chain of owners has a step for each object. A longer one does not write its plan more often, and
// does not list more often. The other requests grow no faster than its objects.
func TestCostsOfChains(t *testing.T) {
	var all []costs
	for _, boxes := range []int{10, 20, 40} {
		inBubble(t, fmt.Sprintf("%d Boxes", boxes), func(t *testing.T) { all = append(all, costsOf(t, boxes)) })
	}
	t.Logf("%+v", all)
	short, middle, long := all[0], all[1], all[2]
	if long.journals != short.journals || long.lists > short.lists {
		t.Errorf("40 Boxes cost %+v, and 10 Boxes %+v", long, short)
	}
	// How often a step looks whether its object is gone depends on the order of goroutines.
	if middle.others > 2*short.others || long.others > 4*short.others {
		t.Errorf("10 Boxes cost %d requests, 20 cost %d, and 40 cost %d", short.others, middle.others, long.others)
	}
}
