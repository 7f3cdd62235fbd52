package contract

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// externallyManaged has an InfraCluster that another system manages.
var externallyManaged = &Scenario{
	Name:  "externally-managed",
	Rules: []string{"C-IC-7"},
	Doc:   "An InfraCluster has the annotation cluster.x-k8s.io/managed-by. The provider writes neither to it nor to its status, and creates nothing for it.",
	run: func(f *fixture) error {
		machines, err := f.createCluster(false, func(ic *unstructured.Unstructured) {
			ic.SetAnnotations(with(ic.GetAnnotations(), managedAnnotation, "somebody-else"))
		})
		if err != nil {
			return err
		}
		if err := f.waitQuietPeriod(); err != nil {
			return err
		}
		obj, _, err := f.last(machines.ic)
		if err != nil {
			return err
		}
		if what := changesOf(machines.ic.Unstructured, obj); what != "" {
			f.report("C-IC-7", machines.ic, "another system manages the object, but the provider wrote: %s", what)
		}
		if paused, ok := conditions(obj)["Paused"]; ok {
			f.report("C-IC-7", machines.ic, "another system manages the object, but the provider wrote its condition Paused=%v", paused["status"])
		}
		return f.expectNoExternal("C-IC-7", machines.ic, "although another system manages the object")
	},
}
