package contract

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// deletePaused deletes objects while their Cluster is paused, as a move does on
// the source cluster.
var deletePaused = &Scenario{
	Name:  "delete-while-paused",
	Rules: []string{"C-ALL-9"},
	Doc: "Ready objects of a paused Cluster are deleted. They and their external resources remain until the Cluster is resumed; " +
		"then both are deleted.",
	run: func(f *fixture) error {
		return f.pauseReady(f.deletedPaused, f.expectGone)
	},
}

// deletedPaused deletes a paused object, and checks that the provider does not
// react.
func (f *fixture) deletedPaused(s subject) error {
	before, known, err := f.externalObjects(s)
	if err != nil {
		return err
	}
	if err := f.remove(f.ctx, s.Unstructured); err != nil {
		return err
	}
	if err := f.waitQuietPeriod(); err != nil {
		return err
	}
	_, gone, err := f.last(s)
	if err != nil {
		return err
	}
	if gone {
		f.report("C-ALL-9", s, "it was deleted while its Cluster is paused, and the provider removed its finalizers")
	}
	after, _, err := f.externalObjects(s)
	if known && fmt.Sprint(before) != fmt.Sprint(after) {
		f.report("C-ALL-9", s, "it was deleted while its Cluster is paused, and its external resources changed from %v to %v", before, after)
	}
	return err
}

// deletion deletes every object.
var deletion = &Scenario{
	Name:  "delete",
	Rules: []string{"C-ALL-7"},
	Doc:   "Ready objects are deleted. During the deletion they do not report Ready=True. Once they are deleted, no external resources remain.",
	run: func(f *fixture) error {
		machines, err := f.createReady()
		if err != nil {
			return err
		}
		for _, a := range []subject{machines.im, machines.ic} { // machines are deleted before the cluster that they share
			if a.Unstructured == nil {
				continue
			}
			if err := f.remove(f.ctx, a.Unstructured); err != nil {
				return err
			}
			if err := f.expectGone(a); err != nil {
				return err
			}
			if err := f.expectDeletingCondition(a); err != nil {
				return err
			}
		}
		return nil
	},
}

// expectGone waits until an object is deleted, and checks that no external
// resources remain.
func (f *fixture) expectGone(s subject) error {
	if err := f.awaitGone("C-ALL-7", s); err != nil {
		return err
	}
	return f.expectNoExternal("C-ALL-7", s, "after its deletion")
}

// expectDeletingCondition checks that a deleted object did not report Ready
// until its end. If the external resources are deleted at once, there may be no
// such version.
func (f *fixture) expectDeletingCondition(s subject) error {
	versions, _, err := f.env.stream.of(s.Unstructured)
	if err != nil {
		return err
	}
	var deleting []*unstructured.Unstructured
	for _, v := range versions {
		if v.GetDeletionTimestamp() != nil {
			deleting = append(deleting, v)
		}
	}
	if len(deleting) == 0 {
		return nil
	}
	if last := deleting[len(deleting)-1]; hasCondition("Ready", "True")(last) {
		f.report("C-ALL-7", s, "it reported Ready=True until its end, in version %s", last.GetResourceVersion())
	}
	return nil
}
