package contract

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/lint"
)

// scene is a scenario while it is played.
type scene struct {
	stage    *stage
	scenario *Scenario
	ctx      context.Context
	made     []*unstructured.Unstructured // to be removed at the end, last first
	findings []Finding
	skipped  string
	notes    []string
	err      error
}

// errUnmet ends a scenario that cannot go on after what has been found.
var errUnmet = errors.New("the provider did not do what the scenario goes on from")

// actor is an object of the provider in a scene, and the role it has.
type actor struct {
	*unstructured.Unstructured
	role string
}

// find reports that a rule is broken.
func (s *scene) find(rule string, a actor, format string, args ...any) {
	severity := lint.Error
	if warnings[rule] {
		severity = lint.Warning
	}
	s.add(rule, severity, a, format, args...)
}

func (s *scene) add(rule string, severity lint.Severity, a actor, format string, args ...any) {
	s.findings = append(s.findings, Finding{
		Rule: rule, Severity: severity, Scenario: s.scenario.Name, Role: a.role,
		Object: a.GetKind() + " " + a.GetName(), Evidence: fmt.Sprintf(format, args...),
	})
}

// note says what could not be looked at.
func (s *scene) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// last is an object as it was seen last, and whether it is gone.
func (s *scene) last(a actor) (obj *unstructured.Unstructured, gone bool, err error) {
	versions, gone, err := s.stage.stream.of(a.Unstructured)
	if len(versions) == 0 {
		return a.Unstructured, gone, err
	}
	return versions[len(versions)-1], gone, err
}

// await waits until an object is as it should be. If that does not come, it is a breach of rule.
func (s *scene) await(rule string, a actor, what string, is func(*unstructured.Unstructured) bool) (*unstructured.Unstructured, error) {
	end := time.Now().Add(s.stage.provider.Patience)
	for {
		obj, gone, err := s.last(a)
		switch {
		case err != nil:
			return nil, err
		case s.ctx.Err() != nil:
			return nil, context.Cause(s.ctx)
		case gone:
			s.find(rule, a, "it is gone, and was never %s", what)
			return nil, errUnmet
		case is(obj):
			return obj, nil
		case time.Now().After(end):
			s.find(rule, a, "not %s within %s: %s", what, s.stage.provider.Patience, brief(obj))
			return nil, errUnmet
		}
		time.Sleep(glance)
	}
}

// awaitGone waits until an object is no more.
func (s *scene) awaitGone(rule string, a actor) error {
	end := time.Now().Add(s.stage.provider.Patience)
	for {
		obj, gone, err := s.last(a)
		switch {
		case err != nil:
			return err
		case s.ctx.Err() != nil:
			return context.Cause(s.ctx)
		case gone:
			return nil
		case time.Now().After(end):
			s.find(rule, a, "still there %s after it was deleted, with the finalizers %v: %s", s.stage.provider.Patience, obj.GetFinalizers(), brief(obj))
			return errUnmet
		}
		time.Sleep(glance)
	}
}

// quiet lets some time pass in which the provider could do what it should not.
func (s *scene) quiet() error {
	select {
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	case <-time.After(s.stage.provider.Quiet):
		return nil
	}
}

// outside is what exists outside of the cluster for an object; known is false if nobody can say.
func (s *scene) outside(a actor) (things []string, known bool, err error) {
	if s.stage.provider.Outside == nil {
		return nil, false, nil
	}
	things, err = s.stage.provider.Outside(s.ctx, a.Unstructured)
	if err != nil {
		return nil, false, fmt.Errorf("what exists outside for %s %s: %w", a.GetKind(), a.GetName(), err)
	}
	return things, true, nil
}

// nothingOutside reports what exists outside for an object that must have nothing there.
func (s *scene) nothingOutside(rule string, a actor, when string) error {
	things, known, err := s.outside(a)
	if known && len(things) > 0 {
		s.find(rule, a, "%s there is %v outside of the cluster", when, things)
	}
	return err
}

// create makes an object that goes away with the scene.
func (s *scene) create(obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	made, err := s.stage.create(s.ctx, obj)
	if err == nil {
		s.made = append(s.made, made)
	}
	return made, err
}

// patch merges into an object or into one of its subresources.
func (s *scene) patch(obj *unstructured.Unstructured, patch string, subresources ...string) (*unstructured.Unstructured, error) {
	resource, err := s.stage.resource(obj.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	patched, err := resource.Patch(s.ctx, obj.GetName(), types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: manager}, subresources...)
	if err != nil {
		return nil, fmt.Errorf("patch %s %s with %s: %w", obj.GetKind(), obj.GetName(), patch, err)
	}
	return patched, nil
}

// remove deletes an object. It may be gone already.
func (s *scene) remove(ctx context.Context, obj *unstructured.Unstructured) error {
	resource, err := s.stage.resource(obj.GroupVersionKind())
	if err != nil {
		return err
	}
	err = resource.Delete(ctx, obj.GetName(), metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete %s %s: %w", obj.GetKind(), obj.GetName(), err)
	}
	return nil
}

// cleanUp deletes all that the scene has made, also if the caller has no time left, and gives the
// provider some time to let go of its own while its Cluster is still there.
func (s *scene) cleanUp() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 30*time.Second)
	defer cancel()
	for i := len(s.made) - 1; i >= 0; i-- {
		obj := s.made[i]
		if obj.GetKind() == "Cluster" {
			_ = s.pause(ctx, obj, false) // if it fails, the deletion does as well
			s.awaitEnds(ctx)
		}
		if err := s.remove(ctx, obj); err != nil && s.err == nil {
			s.err = fmt.Errorf("contract: scenario %s: %w", s.scenario.Name, err)
		}
	}
}

// awaitEnds waits until the provider's objects are gone, or ctx is over.
func (s *scene) awaitEnds(ctx context.Context) {
	for ctx.Err() == nil {
		left := 0
		for _, obj := range s.made {
			if versions, gone, _ := s.stage.stream.of(obj); len(versions) > 0 && !gone && obj.GetKind() != "Cluster" {
				left++
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(glance)
	}
}
