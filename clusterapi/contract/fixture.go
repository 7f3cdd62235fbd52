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

	"kstatus.dev/author/severity"
)

// fixture is the state of a running scenario.
type fixture struct {
	env      *environment
	scenario *Scenario
	ctx      context.Context
	created  []*unstructured.Unstructured // deleted at the end, last first
	findings []Finding
	skipped  string
	notes    []string
	measured []string
	err      error
}

// errUnmet ends a scenario that cannot continue after a violation.
var errUnmet = errors.New("the scenario cannot continue after a violation")

// subject is one of the provider's objects, with its role.
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

// note records what the scenario could not check.
func (f *fixture) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// measure records a measured time.
func (f *fixture) measure(format string, args ...any) {
	f.measured = append(f.measured, fmt.Sprintf(format, args...))
}

// last returns the last seen version of an object, and whether it is deleted.
func (f *fixture) last(s subject) (obj *unstructured.Unstructured, gone bool, err error) {
	versions, gone, err := f.env.stream.of(s.Unstructured)
	if len(versions) == 0 {
		return s.Unstructured, gone, err
	}
	return versions[len(versions)-1], gone, err
}

// await waits until an object satisfies is. If it does not within the timeout,
// that is a violation of the rule.
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
			f.report(rule, s, "it was deleted before it was %s", what)
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

// awaitGone waits until an object is deleted.
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
			f.report(rule, s, "still exists %s after its deletion, with the finalizers %v: %s", f.env.provider.Timeout, obj.GetFinalizers(), brief(obj))
			return errUnmet
		}
		time.Sleep(pollInterval)
	}
}

// waitQuietPeriod waits for a time in which the provider must do nothing.
func (f *fixture) waitQuietPeriod() error {
	select {
	case <-f.ctx.Done():
		return context.Cause(f.ctx)
	case <-time.After(f.env.provider.QuietPeriod):
		return nil
	}
}

// externalObjects returns the external resources of an object. known is false if the
// provider has no ListExternal.
func (f *fixture) externalObjects(s subject) (things []string, known bool, err error) {
	if f.env.provider.ListExternal == nil {
		return nil, false, nil
	}
	things, err = f.env.provider.ListExternal(f.ctx, s.Unstructured)
	if err != nil {
		return nil, false, fmt.Errorf("external resources of %s %s: %w", s.GetKind(), s.GetName(), err)
	}
	return things, true, nil
}

// expectNoExternal reports the external resources of an object that must not have
// any.
func (f *fixture) expectNoExternal(rule string, s subject, when string) error {
	things, known, err := f.externalObjects(s)
	if known && len(things) > 0 {
		f.report(rule, s, "%s, the external resources are %v", when, things)
	}
	return err
}

// create creates an object that cleanUp deletes.
func (f *fixture) create(obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	created, err := f.env.create(f.ctx, obj)
	if err == nil {
		f.created = append(f.created, created)
	}
	return created, err
}

// patch applies a merge patch to an object or to one of its subresources.
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

// remove deletes an object, which may be deleted already.
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

// cleanUp deletes all objects that the scenario created, also after the
// caller's timeout. It gives the provider some time to delete its own objects
// while its Cluster still exists.
func (f *fixture) cleanUp() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(f.ctx), 30*time.Second)
	defer cancel()
	for i := len(f.created) - 1; i >= 0; i-- {
		obj := f.created[i]
		if obj.GetKind() == "Cluster" {
			_ = f.pause(ctx, obj, false) // if it fails, the deletion fails too
			waiting, done := context.WithTimeout(ctx, min(20*time.Second, f.env.provider.Timeout))
			f.awaitAllGone(waiting)
			done()
		}
		if err := f.remove(ctx, obj); err != nil && f.err == nil {
			f.err = fmt.Errorf("contract: scenario %s: %w", f.scenario.Name, err)
		}
	}
}

// awaitAllGone waits until the provider's objects are deleted, or ctx is done.
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
