package contract

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/lint"
)

// pauseBeforeCreate is a Cluster that is paused before anything of it exists, as a move creates it.
var pauseBeforeCreate = &Scenario{
	Name:  "pause-before-create",
	Rules: []string{"C-ALL-8"},
	Doc: "The Cluster is paused before its infrastructure is created. The provider says Paused, and does nothing " +
		"until the Cluster goes on; then all becomes provisioned.",
	play: func(s *fixture) error {
		f, err := s.createCluster(true, nil)
		if err != nil {
			return err
		}
		if err := f.each(s.expectPausedCondition); err != nil {
			return err
		}
		if err := s.waitQuietly(); err != nil {
			return err
		}
		for _, a := range f.subjects() {
			obj, _, err := s.last(a)
			if err != nil {
				return err
			}
			if what := changesOf(a.Unstructured, obj); what != "" {
				s.report("C-ALL-8", a, "its Cluster is paused, and the provider wrote: %s", what)
			}
			if err := s.nothingOutside("C-ALL-8", a, "its Cluster is paused, and"); err != nil {
				return err
			}
		}
		if err := s.pause(s.ctx, f.cluster, false); err != nil {
			return err
		}
		return s.provision(f)
	},
}

// pauseAfterCreate is a Cluster that is paused while it is used, and goes on later.
var pauseAfterCreate = &Scenario{
	Name:  "pause-after-create",
	Rules: []string{"C-ALL-8"},
	Doc: "A provisioned Cluster is paused, then users change its objects. The provider says Paused, of the latest generation, and does " +
		"nothing until the Cluster goes on; then it says so and catches up.",
	play: func(s *fixture) error {
		return s.pauseReady(s.whilePaused, s.expectContinued)
	},
}

// pauseReady pauses the Cluster of a ready family for as long as it does something to each object that
// has said that it is paused, and something else once the Cluster goes on.
func (s *fixture) pauseReady(meanwhile, then func(subject) error) error {
	f, err := s.createReady()
	if err != nil {
		return err
	}
	if err := s.pause(s.ctx, f.cluster, true); err != nil {
		return err
	}
	err = f.each(func(subj subject) error {
		if err := s.expectPausedCondition(subj); err != nil {
			return err
		}
		return meanwhile(subj)
	})
	if err != nil {
		return err
	}
	if err := s.pause(s.ctx, f.cluster, false); err != nil {
		return err
	}
	return f.each(then)
}

// createReady makes a family and waits until it is ready.
func (s *fixture) createReady() (*clusterMachines, error) {
	f, err := s.createCluster(false, nil)
	if err != nil {
		return nil, err
	}
	return f, s.awaitSettled(f)
}

// awaitSettled waits until a family is ready.
func (s *fixture) awaitSettled(f *clusterMachines) error {
	if err := s.provision(f); err != nil {
		return err
	}
	for _, subj := range f.subjects() {
		rule := map[string]string{infraCluster: "C-IC-6", infraMachine: "C-IM-6"}[subj.role]
		if _, err := s.await(rule, subj, "ready", ready); err != nil {
			return err
		}
	}
	return nil
}

// expectPausedCondition waits for the condition Paused.
func (s *fixture) expectPausedCondition(subj subject) error {
	return s.awaitAcknowledgement(subj, "saying Paused=True", hasCondition("Paused", "True"))
}

// awaitAcknowledgement waits for what a provider says of a pause. The contract asks for it less strictly
// than for what must not happen, so that its absence is a warning and the scenario goes on.
func (s *fixture) awaitAcknowledgement(subj subject, what string, says func(*unstructured.Unstructured) bool) error {
	found := len(s.findings)
	_, err := s.await("C-ALL-8", subj, what, says)
	if err == errUnmet {
		s.findings[found].Severity = lint.Warning
		return nil
	}
	return err
}

// whilePaused changes a paused object as users do, and holds the provider to leaving it alone.
func (s *fixture) whilePaused(subj subject) error {
	before, known, err := s.outside(subj)
	if err != nil {
		return err
	}
	changed, err := s.edit(subj)
	if err != nil {
		return err
	}
	if err := s.waitQuietly(); err != nil {
		return err
	}
	obj, _, err := s.last(subj)
	if err != nil {
		return err
	}
	if what := changesOf(changed, obj); what != "" {
		s.report("C-ALL-8", subj, "its Cluster is paused, and the provider wrote: %s", what)
	}
	if _, there := conditions(obj)["Paused"]; there {
		if err := s.awaitAcknowledgement(subj, "saying Paused of the latest generation, so that one can tell whether the pause was seen", pausedOfLatest); err != nil {
			return err
		}
	}
	after, _, err := s.outside(subj)
	if known && fmt.Sprint(before) != fmt.Sprint(after) {
		s.report("C-ALL-8", subj, "its Cluster is paused, and outside of the cluster there was %v and is %v", before, after)
	}
	return err
}

// pausedOfLatest tells whether the condition Paused is of the object's generation.
func pausedOfLatest(obj *unstructured.Unstructured) bool {
	return fmt.Sprint(conditions(obj)["Paused"]["observedGeneration"]) == fmt.Sprint(obj.GetGeneration())
}

// edit changes an object as its users may.
func (s *fixture) edit(subj subject) (*unstructured.Unstructured, error) {
	patch := s.env.provider.MachineEdit
	if subj.role == infraCluster {
		patch = s.env.provider.ClusterEdit
	}
	if patch == "" {
		s.note("%s: no edit is given, so that only its labels were changed", subj.role)
		patch = `{"metadata": {"labels": {"kstatus.dev/edited": "true"}}}`
	}
	return s.patch(subj.Unstructured, patch)
}

// expectContinued holds the provider to saying that it has taken up its work, of the latest generation.
func (s *fixture) expectContinued(subj subject) error {
	_, err := s.await("C-ALL-8", subj, "going on after the pause, with all reported of the latest generation", func(obj *unstructured.Unstructured) bool {
		observed := value(obj, "status", "observedGeneration")
		return !hasCondition("Paused", "True")(obj) && ready(obj) && (observed == nil || observed == obj.GetGeneration())
	})
	if err == errUnmet {
		return nil
	}
	return err
}
