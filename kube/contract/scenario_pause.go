package contract

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/severity"
)

// pauseBeforeCreate is a Cluster that is paused before anything of it exists, as a move creates it.
var pauseBeforeCreate = &Scenario{
	Name:  "pause-before-create",
	Rules: []string{"C-ALL-8"},
	Doc: "The Cluster is paused before its infrastructure is created. The provider says Paused, and does nothing " +
		"until the Cluster goes on; then all becomes provisioned.",
	run: func(f *fixture) error {
		machines, err := f.createCluster(true, nil)
		if err != nil {
			return err
		}
		if err := machines.each(f.expectPausedCondition); err != nil {
			return err
		}
		if err := f.waitQuietly(); err != nil {
			return err
		}
		for _, a := range machines.subjects() {
			obj, _, err := f.last(a)
			if err != nil {
				return err
			}
			if what := changesOf(a.Unstructured, obj); what != "" {
				f.report("C-ALL-8", a, "its Cluster is paused, and the provider wrote: %s", what)
			}
			if err := f.nothingOutside("C-ALL-8", a, "its Cluster is paused, and"); err != nil {
				return err
			}
		}
		if err := f.pause(f.ctx, machines.cluster, false); err != nil {
			return err
		}
		return f.provision(machines)
	},
}

// pauseAfterCreate is a Cluster that is paused while it is used, and goes on later.
var pauseAfterCreate = &Scenario{
	Name:  "pause-after-create",
	Rules: []string{"C-ALL-8"},
	Doc: "A provisioned Cluster is paused, then users change its objects. The provider says Paused, of the latest generation, and does " +
		"nothing until the Cluster goes on; then it says so and catches up.",
	run: func(f *fixture) error {
		return f.pauseReady(f.whilePaused, f.expectContinued)
	},
}

// pauseReady pauses a Cluster that is ready for as long as it does something to each object that
// has said that it is paused, and something else once the Cluster goes on.
func (f *fixture) pauseReady(meanwhile, then func(subject) error) error {
	machines, err := f.createReady()
	if err != nil {
		return err
	}
	if err := f.pause(f.ctx, machines.cluster, true); err != nil {
		return err
	}
	err = machines.each(func(s subject) error {
		if err := f.expectPausedCondition(s); err != nil {
			return err
		}
		return meanwhile(s)
	})
	if err != nil {
		return err
	}
	if err := f.pause(f.ctx, machines.cluster, false); err != nil {
		return err
	}
	return machines.each(then)
}

// createReady creates a Cluster with its Machine and waits until both are ready.
func (f *fixture) createReady() (*clusterMachines, error) {
	machines, err := f.createCluster(false, nil)
	if err != nil {
		return nil, err
	}
	return machines, f.awaitSettled(machines)
}

// awaitSettled waits until a Cluster and its Machine are ready.
func (f *fixture) awaitSettled(machines *clusterMachines) error {
	if err := f.provision(machines); err != nil {
		return err
	}
	for _, s := range machines.subjects() {
		rule := map[string]string{infraCluster: "C-IC-6", infraMachine: "C-IM-6"}[s.role]
		if _, err := f.await(rule, s, "ready", ready); err != nil {
			return err
		}
	}
	return nil
}

// expectPausedCondition waits for the condition Paused.
func (f *fixture) expectPausedCondition(s subject) error {
	return f.awaitAcknowledgement(s, "saying Paused=True", hasCondition("Paused", "True"))
}

// awaitAcknowledgement waits for what a provider says of a pause. The contract asks for it less strictly
// than for what must not happen, so that its absence is a warning and the scenario goes on.
func (f *fixture) awaitAcknowledgement(s subject, what string, says func(*unstructured.Unstructured) bool) error {
	found := len(f.findings)
	_, err := f.await("C-ALL-8", s, what, says)
	if err == errUnmet {
		f.findings[found].Severity = severity.Warning
		return nil
	}
	return err
}

// whilePaused changes a paused object as users do, and holds the provider to leaving it alone.
func (f *fixture) whilePaused(s subject) error {
	before, known, err := f.outside(s)
	if err != nil {
		return err
	}
	changed, err := f.edit(s)
	if err != nil {
		return err
	}
	if err := f.waitQuietly(); err != nil {
		return err
	}
	obj, _, err := f.last(s)
	if err != nil {
		return err
	}
	if what := changesOf(changed, obj); what != "" {
		f.report("C-ALL-8", s, "its Cluster is paused, and the provider wrote: %s", what)
	}
	if _, there := conditions(obj)["Paused"]; there {
		if err := f.awaitAcknowledgement(s, "saying Paused of the latest generation, so that one can tell whether the pause was seen", pausedOfLatest); err != nil {
			return err
		}
	}
	after, _, err := f.outside(s)
	if known && fmt.Sprint(before) != fmt.Sprint(after) {
		f.report("C-ALL-8", s, "its Cluster is paused, and outside of the cluster there was %v and is %v", before, after)
	}
	return err
}

// pausedOfLatest tells whether the condition Paused is of the object's generation.
func pausedOfLatest(obj *unstructured.Unstructured) bool {
	return fmt.Sprint(conditions(obj)["Paused"]["observedGeneration"]) == fmt.Sprint(obj.GetGeneration())
}

// edit changes an object as its users may.
func (f *fixture) edit(s subject) (*unstructured.Unstructured, error) {
	patch := f.env.provider.MachinePatch
	if s.role == infraCluster {
		patch = f.env.provider.ClusterPatch
	}
	if patch == "" {
		f.note("%s: no edit is given, so that only its labels were changed", s.role)
		patch = `{"metadata": {"labels": {"kstatus.dev/edited": "true"}}}`
	}
	return f.patch(s.Unstructured, patch)
}

// expectContinued holds the provider to saying that it has taken up its work, of the latest generation.
func (f *fixture) expectContinued(s subject) error {
	_, err := f.await("C-ALL-8", s, "going on after the pause, with all reported of the latest generation", func(obj *unstructured.Unstructured) bool {
		observed := value(obj, "status", "observedGeneration")
		return !hasCondition("Paused", "True")(obj) && ready(obj) && (observed == nil || observed == obj.GetGeneration())
	})
	if err == errUnmet {
		return nil
	}
	return err
}
