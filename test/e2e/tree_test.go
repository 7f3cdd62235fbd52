package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
	"kstatus.dev/test/faults"
)

// explained collects facts until their explanation is as wished, and returns it.
func explained(t *testing.T, r tree.Reader, want func(*explain.Explanation) bool, ids ...explain.ID) (*explain.Facts, *explain.Explanation) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), anyPatience)
	defer cancel()
	for {
		facts, err := r.Collect(ctx, ids)
		if err != nil {
			t.Fatal(err)
		}
		e := explain.Explain(facts, ids...)
		if want(e) {
			return facts, e
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the explanation is not as wished:\n%s", e.Text(facts.Now))
		case <-time.After(time.Second):
		}
	}
}

// causes wants causes of these kinds, in any number.
func causes(kinds ...string) func(*explain.Explanation) bool {
	return func(e *explain.Explanation) bool {
		have := map[string]bool{}
		for _, c := range e.Causes {
			have[c.Kind] = true
		}
		for _, kind := range kinds {
			if !have[kind] {
				return false
			}
		}
		return len(have) == len(kinds)
	}
}

func TestCollectGoesFromADeploymentDownToAContainer(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 3", crashing))
	proxy := faults.Start(t, c.Config())
	r := tree.Reader{Config: proxy.Config(), Mapper: mapperOf(t, c.Config())}
	id := explain.ID{Group: "apps", Kind: "Deployment", Namespace: ns, Name: "web"}
	explained(t, r, causes("CrashLoop"), id)

	before := proxy.Count(faults.Match{}).Requests
	facts, e := explained(t, r, causes("CrashLoop"), id)
	if n := proxy.Count(faults.Match{}).Requests - before; n > 6 {
		t.Errorf("%d requests:\n%s", n, proxy.Requests())
	}
	t.Log(e.Text(facts.Now))
	if len(e.Causes) != 1 || e.Causes[0].Count != 3 || !strings.HasPrefix(e.Causes[0].Chain[2].ID.Name, "web-") {
		t.Errorf("have %+v", e.Causes)
	}
	if len(facts.Gaps) > 0 || len(facts.Events) == 0 {
		t.Errorf("have gaps %v and %d events", facts.Gaps, len(facts.Events))
	}
	for _, thing := range facts.Things {
		if thing.Result.Status == status.UnknownStatus {
			t.Errorf("%s is %s: %s", thing.ID, thing.Result.Reason, thing.Result.Message)
		}
	}
}
