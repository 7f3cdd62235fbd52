package plan_test

import (
	"fmt"

	"kstatus.dev/clusterapi/move/plan"
)

func Example() {
	p := &plan.Plan{Scope: plan.Scope{Namespaces: []string{"shop"}}, Items: []*plan.Item{
		{Version: "v1", Kind: "ConfigMap", Resource: "configmaps", Namespace: "shop", Name: "notes", Decision: plan.Exclude, Step: -1},
		{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Machine", Resource: "machines", Namespace: "shop", Name: "web-0", Decision: plan.Move, Step: 1},
		{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Cluster", Resource: "clusters", Namespace: "shop", Name: "web", Decision: plan.Move},
	}}
	p.Sort()
	fmt.Println("whole namespaces:", p.Scope.IsWhole())
	fmt.Println(p.Count(plan.Move), "objects are moved")
	for _, i := range p.Selected() {
		fmt.Println(i.Step, i.Key())
	}
	fmt.Println(p.Items[0].ID(), "is", plan.Key(p.Items[0].ID()))
	// Output:
	// whole namespaces: true
	// 2 objects are moved
	// 0 Cluster.cluster.x-k8s.io shop/web
	// 1 Machine.cluster.x-k8s.io shop/web-0
	// Cluster/shop/web is Cluster.cluster.x-k8s.io shop/web
}

func ExampleDiff() {
	web := func(decision plan.Decision) *plan.Plan {
		return &plan.Plan{Items: []*plan.Item{{Kind: "Secret", Namespace: "shop", Name: "token", Decision: decision, Reason: "it also belongs to Cluster db, which stays"}}}
	}
	for _, line := range plan.Diff(web(plan.Move), web(plan.Copy)) {
		fmt.Println(line)
	}
	// Output: Secret shop/token: Move, now Copy: it also belongs to Cluster db, which stays
}
