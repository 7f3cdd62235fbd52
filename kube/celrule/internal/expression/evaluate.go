package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Evaluate returns the value of x for an object. An expression that depends on
// a field that does not exist has no value, and missing is that field. A null
// field exists in a comparison with null, and is missing otherwise.
func (x *Expression) Evaluate(object map[string]any, m *Meter) (v ref.Val, missing Missing, err error) {
	v, err = x.run(object, m)
	if err != nil && m.err == nil && missingFrom(err) == (Missing{}) {
		if without, had := withoutNulls(object); had {
			if _, again := x.run(without.(map[string]any), m); again != nil && missingFrom(again) != (Missing{}) {
				err = again
			}
		}
	}
	if err == nil {
		return v, Missing{}, nil
	}
	if missing = missingFrom(err); missing != (Missing{}) {
		return nil, missing, nil
	}
	if have, ok := strings.CutPrefix(err.Error(), "no such overload: "+nonEmpty+"("); ok {
		err = fmt.Errorf("all() wants a list or a map, have %s", strings.TrimSuffix(have, ")"))
	}
	return nil, Missing{}, err
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
// is missing, missing is that field.
func (x *Expression) Holds(object map[string]any, m *Meter) (is bool, missing Missing, err error) {
	v, missing, err := x.Evaluate(object, m)
	if v == nil {
		return false, missing, err
	}
	b, ok := v.(types.Bool)
	if !ok {
		return false, Missing{}, fmt.Errorf("want true or false, have a value of type %s", v.Type().TypeName())
	}
	return bool(b), Missing{}, nil
}

// A Missing is what an expression needs and an object lacks. The zero value is nothing.
type Missing struct {
	Field string // the name of a field
	Item  string // an item of a list or map, as in "item 3", if no field is missing
}

func (m Missing) String() string {
	if m.Field != "" {
		return "no field " + m.Field
	}
	return "no " + m.Item
}

// missingFrom returns what is missing by an error. CEL has this information only in the
// text of its errors: see resolutionError in
// github.com/google/cel-go/interpreter/attributes.go, and Get of lists and maps in its
// common/types.
func missingFrom(err error) Missing {
	if errors.Is(err, errNoExpression) {
		return Missing{Item: "item in the list or map"}
	}
	text := err.Error()
	for _, prefix := range [...]string{"no such key: ", "no such attribute(s): "} {
		if name, ok := strings.CutPrefix(text, prefix); ok {
			return Missing{Field: name}
		}
	}
	if index, ok := strings.CutPrefix(text, "index out of bounds: "); ok {
		return Missing{Item: "item " + index}
	}
	return Missing{}
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
