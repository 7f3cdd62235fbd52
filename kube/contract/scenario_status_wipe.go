package contract

import (
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// statusWipe is what is left of an object when a backup or a move has brought it to another cluster.
var statusWipe = &Scenario{
	Name:  "status-wipe",
	Rules: []string{"C-ALL-10"},
	Doc: "The status of ready objects is lost. The provider reports all of it again, from the spec and from what exists outside, " +
		"and creates nothing anew.",
	play: func(s *fixture) error {
		f, err := s.createReady()
		if err != nil {
			return err
		}
		for _, a := range f.subjects() {
			if err := s.wipeStatus(a); err != nil && err != errUnmet {
				return err
			}
		}
		return nil
	},
}

// wipeStatus takes the status of an object away, and waits until it is back.
func (s *fixture) wipeStatus(subj subject) error {
	before, _, err := s.last(subj)
	if err != nil {
		return err
	}
	outside, known, err := s.outside(subj)
	if err != nil {
		return err
	}
	wiped, err := s.withoutStatus(subj)
	if err != nil {
		return err
	}
	after, err := s.await("C-ALL-10", subj, "as it was before its status was lost, "+short(summary(before)), func(obj *unstructured.Unstructured) bool {
		return number(obj) > number(wiped) && reflect.DeepEqual(summary(obj), summary(before))
	})
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(value(before, "spec"), value(after, "spec")) {
		s.report("C-ALL-10", subj, "when its status was lost its spec changed from %s to %s", short(value(before, "spec")), short(value(after, "spec")))
	}
	now, _, err := s.outside(subj)
	if known && fmt.Sprint(outside) != fmt.Sprint(now) {
		s.report("C-ALL-10", subj, "when its status was lost there was %v outside of the cluster, now there is %v", outside, now)
	}
	return err
}

// withoutStatus replaces the status of an object by an empty one.
func (s *fixture) withoutStatus(subj subject) (*unstructured.Unstructured, error) {
	resource, err := s.env.resource(subj.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	for {
		now, err := resource.Get(s.ctx, subj.GetName(), metav1.GetOptions{})
		if err != nil {
			return nil, fmt.Errorf("read %s %s: %w", subj.GetKind(), subj.GetName(), err)
		}
		now.Object["status"] = map[string]any{}
		wiped, err := resource.UpdateStatus(s.ctx, now, metav1.UpdateOptions{FieldManager: manager})
		if apierrors.IsConflict(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("take the status of %s %s away: %w", subj.GetKind(), subj.GetName(), err)
		}
		return wiped, nil
	}
}
