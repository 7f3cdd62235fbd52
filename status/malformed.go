package status

import "kstatus.dev/status/internal/value"

// malformed records a field of the wrong type, which makes the verdict Unknown.
func (f *Fields) malformed(path, want string, have any) {
	e := &value.MalformedError{Path: f.path(path), Want: want, Have: have}
	f.eval.err = e.First(f.eval.err)
}
