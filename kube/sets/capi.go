package sets

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// clusterKinds are the kinds of objects that have the label of a Cluster. The
// status of these objects includes those that they own, such as MachineSets.
var clusterKinds = []schema.GroupKind{
	{Group: "cluster.x-k8s.io", Kind: "MachineDeployment"},
	{Group: "cluster.x-k8s.io", Kind: "MachinePool"},
	{Group: "cluster.x-k8s.io", Kind: "MachineHealthCheck"},
	{Group: "cluster.x-k8s.io", Kind: "Machine"},
}

// capiCluster reads the infrastructure and the control plane that a Cluster
// refers to, and lists the objects with its label. References have an
// apiVersion in v1beta1, and an apiGroup in v1beta2.
func capiCluster(ctx context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	var refs []status.ID
	for _, field := range []string{"infrastructureRef", "controlPlaneRef"} {
		at := func(key string) string { return decoded.Text(u.Object, "spec", field, key) }
		r := refOf(at("apiVersion"), at("kind"), at("namespace"), at("name"))
		if group := at("apiGroup"); group != "" {
			r.Group = group
		}
		if r.Kind.Kind != "" && r.Name != "" {
			refs = append(refs, r)
		}
	}
	all := f.targets(refs, u.GetNamespace())
	s := search{namespaces: []string{u.GetNamespace()}, labels: labels.Set{"cluster.x-k8s.io/cluster-name": u.GetName()}.String(), owned: true}
	for _, kind := range clusterKinds {
		if m, err := f.mapping(status.Kind(kind)); err == nil {
			s.kinds = append(s.kinds, resourceOf(m)) // MachinePools are served only if their feature gate is enabled
		}
	}
	listed, err := f.members(ctx, s)
	return append(all, listed...), err
}
