package contract

import (
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// statusWipe has objects without a status, as after a restore or a move.
var statusWipe = &Scenario{
	Name:  "status-wipe",
	Rules: []string{"C-ALL-10"},
	Doc: "The status of ready objects is lost. The provider restores it from the spec and the external resources, " +
		"and creates no new resources.",
	run: func(f *fixture) error {
		machines, err := f.createReady()
		if err != nil {
			return err
		}
		for _, a := range machines.subjects() {
			if err := f.wipeStatus(a); err != nil && err != errUnmet {
				return err
			}
		}
		return nil
	},
}

// wipeStatus removes the status of an object, and waits until it is restored.
func (f *fixture) wipeStatus(s subject) error {
	before, _, err := f.last(s)
	if err != nil {
		return err
	}
	outside, known, err := f.externalObjects(s)
	if err != nil {
		return err
	}
	wiped, err := f.withoutStatus(s)
	if err != nil {
		return err
	}
	after, err := f.await("C-ALL-10", s, "in the same state as before its status was lost: "+short(summary(before)), func(obj *unstructured.Unstructured) bool {
		return integer.OfVersion(obj.GetResourceVersion()) > integer.OfVersion(wiped.GetResourceVersion()) && reflect.DeepEqual(summary(obj), summary(before))
	})
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(decoded.At(before.Object, "spec"), decoded.At(after.Object, "spec")) {
		f.report("C-ALL-10", s, "after its status was lost, its spec changed from %s to %s", short(decoded.At(before.Object, "spec")), short(decoded.At(after.Object, "spec")))
	}
	now, _, err := f.externalObjects(s)
	if known && fmt.Sprint(outside) != fmt.Sprint(now) {
		f.report("C-ALL-10", s, "after its status was lost, its external resources changed from %v to %v", outside, now)
	}
	return err
}

// withoutStatus replaces the status of an object by an empty one.
func (f *fixture) withoutStatus(s subject) (*unstructured.Unstructured, error) {
	resource, err := f.env.resource(s.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	for {
		now, err := resource.Get(f.ctx, s.GetName(), metav1.GetOptions{})
		if err != nil {
			return nil, fmt.Errorf("read %s %s: %w", s.GetKind(), s.GetName(), err)
		}
		now.Object["status"] = map[string]any{}
		wiped, err := resource.UpdateStatus(f.ctx, now, metav1.UpdateOptions{FieldManager: manager})
		if apierrors.IsConflict(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("remove the status of %s %s: %w", s.GetKind(), s.GetName(), err)
		}
		return wiped, nil
	}
}
