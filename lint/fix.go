package lint

import (
	"errors"
	"fmt"
)

// rounds bounds how often fixing looks again: what one fix makes possible
// another may need.
const rounds = 1000

// A FixResult is what [ApplyFixes] did.
type FixResult struct {
	Findings []Finding // those whose fixes were applied, in order; the notes of the fixes say what else to check
	Bundle   Bundle    // after the fixes
}

// Edits returns the edits that were made, in order.
func (m FixResult) Edits() (all []Edit) {
	for _, f := range m.Findings {
		all = append(all, f.Fix.Edits...)
	}
	return all
}

// ApplyFixes applies the fixes of all findings about the object of the bundle with the
// index. It applies unsafe fixes only if unsafe is true. It runs the checks again after
// each fix, so that applying fixes to the result changes nothing. It leaves out a fix that
// does not apply, or whose result [Options.Validator] rejects. The error joins a
// [FixError] for each of those; the other fixes are applied.
func ApplyFixes(b Bundle, index int, unsafe bool, o Options) (FixResult, error) {
	o.fixableOnly = true
	// Validating a large definition takes seconds. So the result is validated first,
	// and each fix only if the result is refused.
	fast := o
	fast.skipSchemaCheck = true
	m, err := mend(b, index, unsafe, fast)
	if o.Validator == nil || len(m.Findings) == 0 || o.refusal(b.Objects[index], m.Bundle.Objects[index]) == nil {
		return m, err
	}
	return mend(b, index, unsafe, o)
}

func mend(b Bundle, index int, unsafe bool, o Options) (FixResult, error) {
	m := FixResult{Bundle: b}
	var errs []error
	refused := map[string]bool{}
	selected := func(crd CRD) bool { return crd.Index == index } // no other definition is fixed here
	for range rounds {
		applied := false
		for _, f := range run(m.Bundle, o, selected) {
			key := f.ID + " " + f.Version + " " + f.Path.String()
			if f.Object != index || f.Fix == nil || f.Fix.Unsafe && !unsafe || refused[key] {
				continue
			}
			changed, err := o.fixed(m.Bundle.Objects[index], f.Fix)
			if err != nil {
				refused[key] = true
				errs = append(errs, &FixError{Finding: f, Err: err})
				continue
			}
			m.Bundle = m.Bundle.with(index, changed)
			m.Findings, applied = append(m.Findings, f), true
			break // what was found next may no longer hold
		}
		if !applied {
			break
		}
	}
	return m, errors.Join(errs...)
}

// fixed returns an object after a fix, unless the API server would refuse it.
func (o Options) fixed(object map[string]any, f *Fix) (map[string]any, error) {
	changed, err := Apply(object, f.Edits...)
	if err != nil || o.skipSchemaCheck {
		return changed, err
	}
	return changed, o.refusal(object, changed)
}

// refusal returns why the API server would refuse a definition, apart from what it
// would refuse it for before.
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

// A FixError is why a fix was not applied.
type FixError struct {
	Finding Finding
	Err     error
}

// Error names the check and the object.
func (e *FixError) Error() string {
	return "fix " + e.Finding.Check + " of " + e.Finding.Name + ": " + e.Err.Error()
}

// Unwrap returns what stood in the way.
func (e *FixError) Unwrap() error { return e.Err }

// with returns the bundle with one object replaced.
func (b Bundle) with(index int, object map[string]any) Bundle {
	objects := append([]map[string]any(nil), b.Objects...)
	objects[index] = object
	return Bundle{Objects: objects}
}
