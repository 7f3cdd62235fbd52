package celrule

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// evaluate returns the value of x for an object. What depends on something that
// the object does not have has none: then missing says so, as "no field phase". A field that
// is null is there for who compares it with null, and missing for all else.
func (x *expression) evaluate(object map[string]any) (v ref.Val, missing string, err error) {
	v, err = x.run(object)
	if err != nil && missingFrom(err) == "" {
		if without, had := withoutNulls(object); had {
			if _, again := x.run(without.(map[string]any)); again != nil && missingFrom(again) != "" {
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

func (x *expression) run(object map[string]any) (ref.Val, error) {
	if !x.loops {
		v, _, err := x.program.Eval(object)
		return v, limitError(err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), maxTime, errSlow)
	defer cancel()
	v, _, err := x.program.ContextEval(ctx, object)
	return v, limitError(err)
}

// limitError puts the errors about what an evaluation takes in our words.
func limitError(err error) error {
	if over, ok := errors.AsType[interpreter.EvalCancelledError](err); ok && over.Cause == interpreter.CostLimitExceeded {
		return errCost
	}
	if errors.Is(err, errSlow) {
		return errSlow
	}
	return err
}

var (
	errCost = fmt.Errorf("it takes more than %d steps", maxCost)
	errSlow = fmt.Errorf("it takes longer than %s", maxTime)
)

// holds reports whether x is true of an object, and if it is not because of
// something that is missing, says so.
func (x *expression) holds(object map[string]any) (is bool, missing string, err error) {
	v, missing, err := x.evaluate(object)
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
