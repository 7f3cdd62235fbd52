package lint

import (
	"errors"
	"fmt"
	"slices"

	"kstatus.dev/author/severity"
)

// maxRounds limits how often the checks run again: a fix may make another fix possible.
const maxRounds = 1000

// A FixResult is the result of [ApplyFixes].
type FixResult struct {
	Findings []Finding // the findings whose fixes were applied, in order; the notes of the fixes say what else to check
	Bundle   Bundle    // the bundle after the fixes
}

// Edits returns the applied edits, in order.
func (m FixResult) Edits() (all []Edit) {
	for _, f := range m.Findings {
		all = append(all, f.Fix.Edits...)
	}
	return all
}

// ApplyFixes applies the fixes of all findings about the object with the index. It applies
// unsafe fixes only if unsafe is true. It runs the checks again after each fix, so applying
// fixes to the result changes nothing. It skips a fix that does not apply, or whose result
// [Options.Validator] rejects. The error joins a [FixError] for each of those; the other fixes
// are applied.
//
// For all definitions of a bundle, use a [Fixer].
func ApplyFixes(b Bundle, index int, unsafe bool, o Options) (FixResult, error) {
	f := NewFixer(b, unsafe, o)
	found, err := f.Fix(index)
	return FixResult{Findings: found, Bundle: f.bundle}, err
}

// A Fixer applies fixes to the definitions of a bundle one after the other, like [ApplyFixes].
// It computes only once what checks need from the whole bundle. It is not safe for concurrent
// use.
type Fixer struct {
	bundle  Bundle
	unsafe  bool
	options Options
	index   *bundleIndex
}

// NewFixer returns a Fixer. It does not change the bundle.
func NewFixer(b Bundle, unsafe bool, o Options) *Fixer {
	o.fixableOnly = true
	b = Bundle{Objects: slices.Clone(b.Objects)}
	return &Fixer{bundle: b, unsafe: unsafe, options: o, index: newIndex(b)}
}

// Object returns an object of the bundle in its current state.
func (f *Fixer) Object(index int) map[string]any { return f.bundle.Objects[index] }

// Fix applies the fixes of the object with the index, and returns the findings whose fixes
// were applied, in order. Later fixes of other objects see the result.
func (f *Fixer) Fix(index int) ([]Finding, error) {
	// Validating a large definition takes seconds. So the result is validated first, and the single
	// fixes only if the result is rejected.
	before, o := f.bundle.Objects[index], f.options
	o.skipSchemaCheck = true
	found, err := f.applyFixes(index, o)
	if o.Validator == nil || len(found) == 0 || o.refusal(before, f.bundle.Objects[index]) == nil {
		return found, err
	}
	f.replace(index, before)
	return f.applyFixes(index, f.options)
}

func (f *Fixer) applyFixes(index int, o Options) (fixed []Finding, err error) {
	var errs []error
	refused := map[string]bool{}
	f.index.clean = cleanVersions{}
	for range maxRounds {
		applied := f.search(index, o, func(found Finding) bool {
			key := found.ID + " " + found.Version + " " + found.Path.String()
			if found.Object != index || found.Fix == nil || found.Fix.Unsafe && !f.unsafe || refused[key] {
				return false
			}
			changed, err := o.applyFix(f.bundle.Objects[index], found.Fix)
			if err != nil {
				refused[key] = true
				errs = append(errs, &FixError{Finding: found, Err: err})
				return false
			}
			f.replace(index, changed)
			f.index.clean.invalidate(found.Fix.Edits)
			fixed = append(fixed, found)
			return true // later findings may no longer hold
		})
		if !applied {
			break
		}
	}
	return fixed, errors.Join(errs...)
}

// packageChecks holds the checks of this package.
var packageChecks = func() map[*Check]bool {
	all := map[*Check]bool{}
	for _, c := range Checks {
		all[c] = true
	}
	return all
}()

// search runs the checks on an object, until enough returns true for a finding.
func (f *Fixer) search(index int, o Options, enough func(Finding) bool) bool {
	definitions := f.index.definition(index)
	if len(definitions) == 0 {
		return slices.ContainsFunc(run(f.bundle, o, f.index, index), enough)
	}
	crd, settled, once := definitions[0], &f.index.clean, map[any]any{}
	settled.compare(&crd)
	for _, c := range o.checks() {
		weight := c.SeverityIn(o.Profile)
		if weight == severity.Off {
			continue
		}
		var found []Finding
		p := &Pass{Check: c, Bundle: f.bundle, Options: o, found: &found, memo: once, index: f.index}
		p.current = Finding{ID: c.ID, Check: c.Name, Severity: weight, Object: -1}
		ends := func() bool {
			all := found
			if found = nil; o.Ignore != nil {
				all = slices.DeleteFunc(all, o.Ignore)
			}
			return slices.ContainsFunc(all, enough)
		}
		settled.readsAllVersions = false
		p.runOnDefinition(crd)
		if ends() {
			return true
		}
		for i, v := range crd.Versions {
			if c.Version == nil || settled.has(c, i) || !c.appliesTo(v) {
				continue
			}
			settled.readsAllVersions = false
			p.runOnVersion(v)
			if ends() {
				return true
			}
			if packageChecks[c] {
				settled.add(c, i)
			}
		}
	}
	return false
}

// replace replaces an object of the bundle.
func (f *Fixer) replace(index int, object map[string]any) {
	f.bundle.Objects[index] = object
	f.index.replace(index, object)
}

// applyFix returns an object after a fix, or an error if the API server would reject it.
func (o Options) applyFix(object map[string]any, f *Fix) (map[string]any, error) {
	changed, err := Apply(object, f.Edits...)
	if err != nil || o.skipSchemaCheck {
		return changed, err
	}
	return changed, o.refusal(object, changed)
}

// refusal returns why the API server would reject a definition, without the reasons that it had
// before.
func (o Options) refusal(before, after map[string]any) error {
	if o.Validator == nil {
		return nil
	}
	known := map[string]bool{}
	for _, p := range o.Validator.Validate(before) {
		known[p.Path.String()+": "+p.Message] = true
	}
	for _, p := range o.Validator.Validate(after) {
		if text := p.Path.String() + ": " + p.Message; !known[text] {
			return fmt.Errorf("the API server would refuse the result: %s", text)
		}
	}
	return nil
}

// A FixError says why a fix was not applied.
type FixError struct {
	Finding Finding
	Err     error
}

// Error names the check and the object.
func (e *FixError) Error() string {
	return "fix " + e.Finding.Check + " of " + e.Finding.Name + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *FixError) Unwrap() error { return e.Err }
