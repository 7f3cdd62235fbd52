package tree_test

import (
	"fmt"

	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func ExampleIDOf() {
	t := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	fmt.Println(tree.IDOf(t))
	// Output: Deployment/shop/web
}
