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

	"kstatus.dev/severity"
)

// fixture is the state of one scenario while it runs.
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

// subject is an object of the provider that a scenario tests, and its role.
type subject struct {
	*unstructured.Unstructured
	role string
}

// report adds a violation of a rule to the findings.
func (f *fixture) report(rule string, s subject, format string, args ...any) {
	level := severity.Error
	if warnings[rule] {
		level = severity.Warning
	}
	f.add(rule, level, s, format, args...)
}

func (f *fixture) add(rule string, level severity.Level, s subject, format string, args ...any) {
	f.findings = append(f.findings, Finding{
		Rule: rule, Severity: level, Scenario: f.scenario.Name, Role: s.role,
		Object: s.GetKind() + " " + s.GetName(), Evidence: fmt.Sprintf(format, args...),
	})
}

// note records what could not be checked.
func (f *fixture) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// last is an object as it was seen last, and whether it is gone.
func (f *fixture) last(s subject) (obj *unstructured.Unstructured, gone bool, err error) {
	versions, gone, err := f.env.stream.of(s.Unstructured)
	if len(versions) == 0 {
		return s.Unstructured, gone, err
	}
	return versions[len(versions)-1], gone, err
}

// await waits until an object is as it should be. If that does not come, it is a breach of rule.
func (f *fixture) await(rule string, s subject, what string, is func(*unstructured.Unstructured) bool) (*unstructured.Unstructured, error) {
	end := time.Now().Add(f.env.provider.Timeout)
	for {
		obj, gone, err := f.last(s)
		switch {
		case err != nil:
			return nil, err
		case f.ctx.Err() != nil:
			return nil, context.Cause(f.ctx)
		case gone:
			f.report(rule, s, "it is gone, and was never %s", what)
			return nil, errUnmet
		case is(obj):
			return obj, nil
		case time.Now().After(end):
			f.report(rule, s, "not %s within %s: %s", what, f.env.provider.Timeout, brief(obj))
			return nil, errUnmet
		}
		time.Sleep(pollInterval)
	}
}

// awaitGone waits until an object is no more.
func (f *fixture) awaitGone(rule string, s subject) error {
	end := time.Now().Add(f.env.provider.Timeout)
	for {
		obj, gone, err := f.last(s)
		switch {
		case err != nil:
			return err
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		case gone:
			return nil
		case time.Now().After(end):
			f.report(rule, s, "still there %s after it was deleted, with the finalizers %v: %s", f.env.provider.Timeout, obj.GetFinalizers(), brief(obj))
			return errUnmet
		}
		time.Sleep(pollInterval)
	}
}

// waitQuietly lets some time pass in which the provider could do what it should not.
func (f *fixture) waitQuietly() error {
	select {
	case <-f.ctx.Done():
		return context.Cause(f.ctx)
	case <-time.After(f.env.provider.QuietPeriod):
		return nil
	}
}

// outside is what exists outside of the cluster for an object; known is false if nobody can say.
func (f *fixture) outside(s subject) (things []string, known bool, err error) {
	if f.env.provider.ListExternal == nil {
		return nil, false, nil
	}
	things, err = f.env.provider.ListExternal(f.ctx, s.Unstructured)
	if err != nil {
		return nil, false, fmt.Errorf("what exists outside for %s %s: %w", s.GetKind(), s.GetName(), err)
	}
	return things, true, nil
}

// nothingOutside reports what exists outside for an object that must have nothing there.
func (f *fixture) nothingOutside(rule string, s subject, when string) error {
	things, known, err := f.outside(s)
	if known && len(things) > 0 {
		f.report(rule, s, "%s there is %v outside of the cluster", when, things)
	}
	return err
}

// create creates an object that cleanUp deletes.
func (f *fixture) create(obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	made, err := f.env.create(f.ctx, obj)
	if err == nil {
		f.created = append(f.created, made)
	}
	return made, err
}

// patch merges into an object or into one of its subresources.
func (f *fixture) patch(obj *unstructured.Unstructured, patch string, subresources ...string) (*unstructured.Unstructured, error) {
	resource, err := f.env.resource(obj.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	patched, err := resource.Patch(f.ctx, obj.GetName(), types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: manager}, subresources...)
	if err != nil {
		return nil, fmt.Errorf("patch %s %s with %s: %w", obj.GetKind(), obj.GetName(), patch, err)
	}
	return patched, nil
}

// remove deletes an object. It may be gone already.
func (f *fixture) remove(ctx context.Context, obj *unstructured.Unstructured) error {
	resource, err := f.env.resource(obj.GroupVersionKind())
	if err != nil {
		return err
	}
	err = resource.Delete(ctx, obj.GetName(), metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete %s %s: %w", obj.GetKind(), obj.GetName(), err)
	}
	return nil
}

// cleanUp deletes all objects that the scenario created, also if the caller has no time left, and gives the
// provider some time to let go of its own while its Cluster is still there.
func (f *fixture) cleanUp() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(f.ctx), 30*time.Second)
	defer cancel()
	for i := len(f.created) - 1; i >= 0; i-- {
		obj := f.created[i]
		if obj.GetKind() == "Cluster" {
			_ = f.pause(ctx, obj, false) // if it fails, the deletion does as well
			f.awaitAllGone(ctx)
		}
		if err := f.remove(ctx, obj); err != nil && f.err == nil {
			f.err = fmt.Errorf("contract: scenario %s: %w", f.scenario.Name, err)
		}
	}
}

// awaitAllGone waits until the provider's objects are gone, or ctx is over.
func (f *fixture) awaitAllGone(ctx context.Context) {
	for ctx.Err() == nil {
		left := 0
		for _, obj := range f.created {
			if versions, gone, _ := f.env.stream.of(obj); len(versions) > 0 && !gone && obj.GetKind() != "Cluster" {
				left++
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(pollInterval)
	}
}
