package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Evaluate returns the value of x for an object. What depends on something that
// the object does not have has none: then missing says so, as "no field phase". A field that
// is null is there for who compares it with null, and missing for all else.
func (x *Expression) Evaluate(object map[string]any, m *Meter) (v ref.Val, missing string, err error) {
	v, err = x.run(object, m)
	if err != nil && m.err == nil && missingFrom(err) == "" {
		if without, had := withoutNulls(object); had {
			if _, again := x.run(without.(map[string]any), m); again != nil && missingFrom(again) != "" {
				err = again
			}
		}
	}
	if err == nil {
		return v, "", nil
	}
	if missing = missingFrom(err); missing != "" {
		return nil, missing, nil
	}
	if have, ok := strings.CutPrefix(err.Error(), "no such overload: "+nonEmpty+"("); ok {
		err = fmt.Errorf("all() wants a list or a map, have %s", strings.TrimSuffix(have, ")"))
	}
	return nil, "", err
}

// run evaluates x once.
func (x *Expression) run(object map[string]any, m *Meter) (ref.Val, error) {
	if m.charge(x.steps); m.err != nil {
		return nil, m.err
	}
	v, _, err := x.program.Eval(activation{object, m})
	if m.err != nil {
		return nil, m.err
	}
	return v, err
}

var (
	errCost    = fmt.Errorf("it takes more than %d steps", MaxSteps)
	errStopped = errors.New("it was stopped")
)

// Holds reports whether x is true of an object, and if it is not because of
// something that is missing, says so.
func (x *Expression) Holds(object map[string]any, m *Meter) (is bool, missing string, err error) {
	v, missing, err := x.Evaluate(object, m)
	if v == nil {
		return false, missing, err
	}
	b, ok := v.(types.Bool)
	if !ok {
		return false, "", fmt.Errorf("want true or false, have a value of type %s", v.Type().TypeName())
	}
	return bool(b), "", nil
}

// missingFrom says what is missing, as "no field phase", if that is all that the error
// is about; empty if it is another error. CEL tells it in the text of its errors only: see
// resolutionError in github.com/google/cel-go/interpreter/attributes.go, and the
// Get of lists and maps in its common/types.
func missingFrom(err error) string {
	if errors.Is(err, errNothing) {
		return "nothing to go through"
	}
	text := err.Error()
	for prefix, what := range missingPrefixes {
		if name, ok := strings.CutPrefix(text, prefix); ok {
			return what + name
		}
	}
	return ""
}

var missingPrefixes = map[string]string{
	"no such key: ":          "no field ",
	"no such attribute(s): ": "no field ",
	"index out of bounds: ":  "no item ",
}

// withoutNulls returns a copy of v without the fields that are null, and whether
// there were any.
func withoutNulls(v any) (without any, had bool) {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			if value == nil {
				had = true
				continue
			}
			inner, has := withoutNulls(value)
			m[key], had = inner, had || has
		}
		return m, had
	case []any:
		list := make([]any, len(v))
		for i, value := range v {
			inner, has := withoutNulls(value)
			list[i], had = inner, had || has
		}
		return list, had
	}
	return v, false
}
