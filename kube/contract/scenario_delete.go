package contract

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// deletePaused is an object that is deleted while its Cluster is paused, as a move does on the cluster it leaves.
var deletePaused = &Scenario{
	Name:  "delete-while-paused",
	Rules: []string{"C-ALL-9"},
	Doc: "Ready objects of a paused Cluster are deleted. What exists outside stays, and so do the objects, until the Cluster goes on; " +
		"then both go.",
	run: func(f *fixture) error {
		return f.pauseReady(f.deletedPaused, f.expectGone)
	},
}

// deletedPaused deletes a paused object, and holds the provider to letting everything be.
func (f *fixture) deletedPaused(s subject) error {
	before, known, err := f.outside(s)
	if err != nil {
		return err
	}
	if err := f.remove(f.ctx, s.Unstructured); err != nil {
		return err
	}
	if err := f.waitQuietly(); err != nil {
		return err
	}
	_, gone, err := f.last(s)
	if err != nil {
		return err
	}
	if gone {
		f.report("C-ALL-9", s, "it was deleted while its Cluster is paused, and the provider let it go")
	}
	after, _, err := f.outside(s)
	if known && fmt.Sprint(before) != fmt.Sprint(after) {
		f.report("C-ALL-9", s, "it was deleted while its Cluster is paused, and outside of the cluster there was %v and is %v", before, after)
	}
	return err
}

// deletion is the end of every object.
var deletion = &Scenario{
	Name:  "delete",
	Rules: []string{"C-ALL-7"},
	Doc:   "Ready objects are deleted. While they go they do not say Ready=True of themselves any more, and when they are gone nothing is left outside.",
	run: func(f *fixture) error {
		machines, err := f.createReady()
		if err != nil {
			return err
		}
		for _, a := range []subject{machines.im, machines.ic} { // machines go before what they share
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

// expectGone waits until an object is gone, when nothing of it may be left outside.
func (f *fixture) expectGone(s subject) error {
	if err := f.awaitGone("C-ALL-7", s); err != nil {
		return err
	}
	return f.nothingOutside("C-ALL-7", s, "it is gone, and")
}

// expectDeletingCondition holds an object that went to not having called itself ready up to its end. Where
// what is outside goes at once there need not be a version that says so.
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
		f.report("C-ALL-7", s, "it said Ready=True up to its end, in version %s", last.GetResourceVersion())
	}
	return nil
}
