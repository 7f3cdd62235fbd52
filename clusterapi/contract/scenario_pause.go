package contract

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

// pauseBeforeCreate has a Cluster that is paused before its other objects are
// created, as in a move.
var pauseBeforeCreate = &Scenario{
	Name:  "pause-before-create",
	Rules: []string{"C-ALL-8"},
	Doc: "The Cluster is paused before its infrastructure is created. The provider reports Paused, and does nothing " +
		"until the Cluster is resumed. Then it ends the report before its work begins, and all objects become provisioned.",
	run: func(f *fixture) error {
		machines, err := f.createCluster(true, nil)
		if err != nil {
			return err
		}
		if err := machines.each(f.expectPausedCondition); err != nil {
			return err
		}
		if err := f.waitQuietPeriod(); err != nil {
			return err
		}
		for _, a := range machines.subjects() {
			obj, _, err := f.last(a)
			if err != nil {
				return err
			}
			if what := changesOf(a.Unstructured, obj); what != "" {
				f.report("C-ALL-8", a, "its Cluster is paused, but the provider wrote: %s", what)
			}
			if err := f.expectNoExternal("C-ALL-8", a, "although its Cluster is paused"); err != nil {
				return err
			}
		}
		if err := f.pause(f.ctx, machines.cluster, false); err != nil {
			return err
		}
		if err := f.provision(machines); err != nil {
			return err
		}
		return machines.each(f.expectNoWorkWhilePaused)
	},
}

// pauseAfterCreate has a Cluster that is paused while it is in use, and resumed
// later.
var pauseAfterCreate = &Scenario{
	Name:  "pause-after-create",
	Rules: []string{"C-ALL-8"},
	Doc: "A provisioned Cluster is paused, then users change its objects. The provider reports Paused for the latest generation, and does " +
		"nothing until the Cluster is resumed; then it reports that and processes the changes.",
	run: func(f *fixture) error {
		return f.pauseReady(f.whilePaused, f.expectContinued)
	},
}

// pauseReady pauses a ready Cluster, and runs meanwhile on each object that has
// acknowledged the pause. Then it resumes the Cluster, and runs then on each
// object.
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
	if err := machines.each(then); err != nil {
		return err
	}
	return machines.each(f.expectNoWorkWhilePaused)
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
	return f.awaitAcknowledgement(s, "reporting Paused=True", hasCondition("Paused", "True"))
}

// awaitAcknowledgement waits for a report about a pause. The contract
// recommends the report, so its absence is a warning, and the scenario
// continues.
func (f *fixture) awaitAcknowledgement(s subject, what string, isExpected func(*unstructured.Unstructured) bool) error {
	found := len(f.findings)
	_, err := f.await("C-ALL-8", s, what, isExpected)
	if err == errUnmet {
		f.findings[found].Severity = severity.Warning
		return nil
	}
	return err
}

// whilePaused changes a paused object like a user, and checks that the provider
// does not react.
func (f *fixture) whilePaused(s subject) error {
	before, known, err := f.externalObjects(s)
	if err != nil {
		return err
	}
	changed, err := f.edit(s)
	if err != nil {
		return err
	}
	if err := f.waitQuietPeriod(); err != nil {
		return err
	}
	obj, _, err := f.last(s)
	if err != nil {
		return err
	}
	if what := changesOf(changed, obj); what != "" {
		f.report("C-ALL-8", s, "its Cluster is paused, but the provider wrote: %s", what)
	}
	if _, ok := conditions(obj)["Paused"]; ok {
		if err := f.awaitAcknowledgement(s, "reporting Paused for the latest generation, as the acknowledgement of the pause", pausedOfLatest); err != nil {
			return err
		}
	}
	after, _, err := f.externalObjects(s)
	if known && fmt.Sprint(before) != fmt.Sprint(after) {
		f.report("C-ALL-8", s, "its Cluster is paused, but its external resources changed from %v to %v", before, after)
	}
	return err
}

// pausedOfLatest reports whether the condition Paused is about the object's
// generation.
func pausedOfLatest(obj *unstructured.Unstructured) bool {
	return fmt.Sprint(conditions(obj)["Paused"]["observedGeneration"]) == fmt.Sprint(obj.GetGeneration())
}

// edit changes an object like a user.
func (f *fixture) edit(s subject) (*unstructured.Unstructured, error) {
	patch := f.env.provider.MachinePatch
	if s.role == infraCluster {
		patch = f.env.provider.ClusterPatch
	}
	if patch == "" {
		f.note("%s: the provider has no patch for it, so only its labels were changed", s.role)
		patch = `{"metadata": {"labels": {"kstatus.dev/edited": "true"}}}`
	}
	return f.patch(s.Unstructured, patch)
}

// expectContinued checks that the provider reports its status for the latest
// generation after a pause.
func (f *fixture) expectContinued(s subject) error {
	_, err := f.await("C-ALL-8", s, "resumed after the pause, with a status for the latest generation", func(obj *unstructured.Unstructured) bool {
		observed := decoded.At(obj.Object, "status", "observedGeneration")
		return !hasCondition("Paused", "True")(obj) && ready(obj) && (observed == nil || observed == obj.GetGeneration())
	})
	if err == errUnmet {
		return nil
	}
	return err
}
