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

// fixture is a scenario while it is played.
type fixture struct {
	env      *environment
	scenario *Scenario
	ctx      context.Context
	created  []*unstructured.Unstructured // to be removed at the end, last first
	findings []Finding
	skipped  string
	notes    []string
	err      error
}

// errUnmet ends a scenario that cannot go on after what has been found.
var errUnmet = errors.New("the provider did not do what the scenario goes on from")

// subject is an object of the provider in a scene, and the role it has.
type subject struct {
	*unstructured.Unstructured
	role string
}

// report reports that a rule is broken.
func (s *fixture) report(rule string, subj subject, format string, args ...any) {
	severity := lint.Error
	if warnings[rule] {
		severity = lint.Warning
	}
	s.add(rule, severity, subj, format, args...)
}

func (s *fixture) add(rule string, severity lint.Severity, subj subject, format string, args ...any) {
	s.findings = append(s.findings, Finding{
		Rule: rule, Severity: severity, Scenario: s.scenario.Name, Role: subj.role,
		Object: subj.GetKind() + " " + subj.GetName(), Evidence: fmt.Sprintf(format, args...),
	})
}

// note says what could not be looked at.
func (s *fixture) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// last is an object as it was seen last, and whether it is gone.
func (s *fixture) last(subj subject) (obj *unstructured.Unstructured, gone bool, err error) {
	versions, gone, err := s.env.stream.of(subj.Unstructured)
	if len(versions) == 0 {
		return subj.Unstructured, gone, err
	}
	return versions[len(versions)-1], gone, err
}

// await waits until an object is as it should be. If that does not come, it is a breach of rule.
func (s *fixture) await(rule string, subj subject, what string, is func(*unstructured.Unstructured) bool) (*unstructured.Unstructured, error) {
	end := time.Now().Add(s.env.provider.Patience)
	for {
		obj, gone, err := s.last(subj)
		switch {
		case err != nil:
			return nil, err
		case s.ctx.Err() != nil:
			return nil, context.Cause(s.ctx)
		case gone:
			s.report(rule, subj, "it is gone, and was never %s", what)
			return nil, errUnmet
		case is(obj):
			return obj, nil
		case time.Now().After(end):
			s.report(rule, subj, "not %s within %s: %s", what, s.env.provider.Patience, brief(obj))
			return nil, errUnmet
		}
		time.Sleep(pollInterval)
	}
}

// awaitGone waits until an object is no more.
func (s *fixture) awaitGone(rule string, subj subject) error {
	end := time.Now().Add(s.env.provider.Patience)
	for {
		obj, gone, err := s.last(subj)
		switch {
		case err != nil:
			return err
		case s.ctx.Err() != nil:
			return context.Cause(s.ctx)
		case gone:
			return nil
		case time.Now().After(end):
			s.report(rule, subj, "still there %s after it was deleted, with the finalizers %v: %s", s.env.provider.Patience, obj.GetFinalizers(), brief(obj))
			return errUnmet
		}
		time.Sleep(pollInterval)
	}
}

// waitQuietly lets some time pass in which the provider could do what it should not.
func (s *fixture) waitQuietly() error {
	select {
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	case <-time.After(s.env.provider.Quiet):
		return nil
	}
}

// outside is what exists outside of the cluster for an object; known is false if nobody can say.
func (s *fixture) outside(subj subject) (things []string, known bool, err error) {
	if s.env.provider.Outside == nil {
		return nil, false, nil
	}
	things, err = s.env.provider.Outside(s.ctx, subj.Unstructured)
	if err != nil {
		return nil, false, fmt.Errorf("what exists outside for %s %s: %w", subj.GetKind(), subj.GetName(), err)
	}
	return things, true, nil
}

// nothingOutside reports what exists outside for an object that must have nothing there.
func (s *fixture) nothingOutside(rule string, subj subject, when string) error {
	things, known, err := s.outside(subj)
	if known && len(things) > 0 {
		s.report(rule, subj, "%s there is %v outside of the cluster", when, things)
	}
	return err
}

// create makes an object that goes away with the scene.
func (s *fixture) create(obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	made, err := s.env.create(s.ctx, obj)
	if err == nil {
		s.created = append(s.created, made)
	}
	return made, err
}

// patch merges into an object or into one of its subresources.
func (s *fixture) patch(obj *unstructured.Unstructured, patch string, subresources ...string) (*unstructured.Unstructured, error) {
	resource, err := s.env.resource(obj.GroupVersionKind())
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
func (s *fixture) remove(ctx context.Context, obj *unstructured.Unstructured) error {
	resource, err := s.env.resource(obj.GroupVersionKind())
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
func (s *fixture) cleanUp() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 30*time.Second)
	defer cancel()
	for i := len(s.created) - 1; i >= 0; i-- {
		obj := s.created[i]
		if obj.GetKind() == "Cluster" {
			_ = s.pause(ctx, obj, false) // if it fails, the deletion does as well
			s.awaitAllGone(ctx)
		}
		if err := s.remove(ctx, obj); err != nil && s.err == nil {
			s.err = fmt.Errorf("contract: scenario %s: %w", s.scenario.Name, err)
		}
	}
}

// awaitAllGone waits until the provider's objects are gone, or ctx is over.
func (s *fixture) awaitAllGone(ctx context.Context) {
	for ctx.Err() == nil {
		left := 0
		for _, obj := range s.created {
			if versions, gone, _ := s.env.stream.of(obj); len(versions) > 0 && !gone && obj.GetKind() != "Cluster" {
				left++
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(pollInterval)
	}
}
