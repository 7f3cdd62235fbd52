package lint

// rounds bounds how often fixing looks again: what one fix makes possible
// another may need.
const rounds = 1000

// Repair returns the edits that mend all findings about one object of the
// bundle that have a fix, and the bundle after them. Unsafe fixes are left out
// unless wanted. It looks again after each round, so that a second call on the
// result returns no edit. An error names the check whose fix did not apply.
func Repair(b Bundle, index int, unsafe bool, o Options) ([]Edit, Bundle, error) {
	var all []Edit
	asked := func(crd CRD) bool { return crd.Index == index } // of others nothing is mended here
	for range rounds {
		applied := false
		for _, f := range run(b, o, asked) {
			if f.Object != index || f.Fix == nil || f.Fix.Unsafe && !unsafe {
				continue
			}
			changed, err := Apply(b.Objects[index], f.Fix.Edits...)
			if err != nil {
				return nil, b, &FixError{Finding: f, Err: err}
			}
			b = b.with(index, changed)
			all, applied = append(all, f.Fix.Edits...), true
			break // what was found next may no longer hold
		}
		if !applied {
			break
		}
	}
	return all, b, nil
}

// A FixError says that a fix could not be applied.
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
