package contract

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// orphan has objects that no Cluster owns yet.
var orphan = &Scenario{
	Name:  "orphan",
	Rules: []string{"C-ALL-6", "C-ALL-7"},
	Doc: "Objects are created without an owner. The provider reports in their conditions that it waits, adds no finalizer, " +
		"creates no external resources, and does not block their deletion.",
	run: func(f *fixture) error {
		actors := []subject{f.newSubject(infraCluster, f.env.provider.InfraCluster)}
		if f.env.provider.InfraMachine != nil {
			actors = append(actors, f.newSubject(infraMachine, f.env.provider.InfraMachine))
		}
		for i := range actors {
			created, err := f.create(actors[i].Unstructured)
			if err != nil {
				return err
			}
			actors[i].Unstructured = created
		}
		for _, a := range actors {
			_, err := f.await("C-ALL-6", a, "reporting in its conditions that it waits for an owner", func(obj *unstructured.Unstructured) bool {
				return len(conditions(obj)) > 0
			})
			if err != nil && err != errUnmet {
				return err
			}
		}
		if err := f.waitQuietPeriod(); err != nil {
			return err
		}
		for _, a := range actors {
			if err := f.expectWaiting(a); err != nil {
				return err
			}
			if err := f.remove(f.ctx, a.Unstructured); err != nil {
				return err
			}
		}
		for _, a := range actors {
			if err := f.awaitGone("C-ALL-7", a); err != nil {
				return err
			}
		}
		return nil
	},
}

// expectWaiting checks that the provider has not processed an object without an
// owner.
func (f *fixture) expectWaiting(s subject) error {
	obj, _, err := f.last(s)
	if err != nil {
		return err
	}
	if finalizers := obj.GetFinalizers(); len(finalizers) > 0 {
		f.report("C-ALL-6", s, "it has no owner, but got the finalizers %v", finalizers)
	}
	if initialized(obj) {
		f.report("C-ALL-6", s, "it has no owner, but is provisioned")
	}
	if hasCondition("Ready", "True")(obj) {
		f.report("C-ALL-6", s, "it has no owner, but reports Ready")
	}
	return f.expectNoExternal("C-ALL-6", s, "without an owner")
}
