package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Evaluate returns the value of x for an object. An expression that depends on
// a field that does not exist has no value. Then missing describes the field,
// as in "no field phase". A null field exists in a comparison with null, and is
// missing otherwise.
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

// Holds reports whether x is true for an object. If it is not because a field
// is missing, missing describes that field.
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

// missingFrom describes the missing field of an error, as in "no field phase".
// It is empty for other errors. CEL has this information only in the text of
// its errors: see resolutionError in
// github.com/google/cel-go/interpreter/attributes.go, and Get of lists and maps
// in its common/types.
func missingFrom(err error) string {
	if errors.Is(err, errNoExpression) {
		return "no item in the list or map"
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

// withoutNulls returns a copy of v without null fields, and whether it had any.
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
