package expression

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// A boundedFunction is a function whose cost depends on the sizes of its
// arguments. The meter charges the cost before the call. A call that is too
// expensive does not happen.
type boundedFunction struct {
	steps func(args []ref.Val) int                       // the cost of a call; nil: of reading the texts among the arguments.
	call  func(m *Meter, args []ref.Val) (ref.Val, bool) // replaces CEL's implementation if it returns true; may be nil.
}

// boundedFunctions are the functions whose arguments are checked before a call.
var boundedFunctions = map[string]boundedFunction{
	operators.Equals:        {steps: oneStep, call: equality(true)},
	operators.NotEquals:     {steps: oneStep, call: equality(false)},
	operators.In:            {steps: oneStep, call: membership},
	operators.Add:           {steps: additionSteps, call: addition},
	operators.Less:          {},
	operators.LessEquals:    {},
	operators.Greater:       {},
	operators.GreaterEquals: {},

	"contains": {}, "endsWith": {}, "startsWith": {}, "size": {},
	"charAt": {}, "lowerAscii": {}, "upperAscii": {}, "reverse": {}, "strings.quote": {}, "substring": {}, "trim": {},
	"indexOf": {call: indexOf}, "lastIndexOf": {call: lastIndexOf},
	"matches": {steps: matchSteps, call: matches},
	"split":   {steps: splitSteps},

	"bool": {}, "bytes": {}, "double": {}, "duration": {}, "int": {}, "string": {}, "timestamp": {}, "uint": {},

	"getDate": {steps: zoneSteps}, "getDayOfMonth": {steps: zoneSteps}, "getDayOfWeek": {steps: zoneSteps}, "getDayOfYear": {steps: zoneSteps},
	"getFullYear": {steps: zoneSteps}, "getHours": {steps: zoneSteps}, "getMilliseconds": {steps: zoneSteps}, "getMinutes": {steps: zoneSteps},
	"getMonth": {steps: zoneSteps}, "getSeconds": {steps: zoneSteps},

	"optional.unwrap": {steps: listSteps}, "unwrapOpt": {steps: listSteps},
}

// stepFunctions are the functions that take one step, whatever their arguments.
// Expressions call them directly.
var stepFunctions = []string{
	operators.Conditional, operators.Divide, operators.Index, operators.LogicalAnd, operators.LogicalNot, operators.LogicalOr,
	operators.Modulo, operators.Multiply, operators.Negate, operators.NotStrictlyFalse, operators.OptIndex, operators.OptSelect, operators.Subtract,
	"dyn", "first", "hasValue", "last", "optional.none", "optional.of", "optional.ofNonZeroValue", "or", "orValue", "type", "value",
	nonEmpty,
}

// unboundedFunctions are functions whose result can be as large as the product
// of their arguments. They take one step, which cannot be stopped.
var unboundedFunctions = []string{"format", "join", "replace"}

// boundedPrefix precedes the name of a function that checks its arguments.
// Expressions cannot call it, because the name is not an identifier.
const boundedPrefix = "@bounded "

// boundedEnvironment adds the functions that check their arguments to an
// environment. Their last argument is the meter of the evaluation.
func boundedEnvironment(base *cel.Env) (*cel.Env, error) {
	all := meterFunctions()
	for name, bounded := range boundedFunctions {
		original, err := implementation(base, name)
		if err != nil {
			return nil, err
		}
		call := func(args ...ref.Val) ref.Val { return bounded.apply(original, args) }
		var overloads []cel.FunctionOpt
		for n := 1; n <= 3; n++ {
			overloads = append(overloads, cel.Overload(boundedID(name, n), slices.Repeat([]*cel.Type{cel.DynType}, n+1), cel.DynType, cel.FunctionBinding(call)))
		}
		all = append(all, cel.Function(boundedPrefix+name, overloads...))
	}
	return base.Extend(all...)
}

func boundedID(name string, args int) string {
	return fmt.Sprintf("%s%s/%d", boundedPrefix, name, args)
}

// implementation returns CEL's implementation of a function.
func implementation(env *cel.Env, name string) (func(args []ref.Val) ref.Val, error) {
	declared := env.Functions()[name]
	if declared == nil {
		return nil, fmt.Errorf("CEL does not have the function %s", name)
	}
	bindings, err := declared.Bindings()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(bindings, func(b *functions.Overload) bool { return b.Operator == name })
	if at < 0 {
		return nil, fmt.Errorf("CEL has no implementation of %s", name)
	}
	b := bindings[at]
	return func(args []ref.Val) ref.Val {
		switch {
		case b.OperandTrait != 0 && !args[0].Type().HasTrait(b.OperandTrait):
		case len(args) == 1 && b.Unary != nil:
			return b.Unary(args[0])
		case len(args) == 2 && b.Binary != nil:
			return b.Binary(args[0], args[1])
		case b.Function != nil:
			return b.Function(args...)
		}
		if receiver, ok := args[0].(traits.Receiver); ok && args[0].Type().HasTrait(traits.ReceiverType) {
			return receiver.Receive(name, "", args[1:])
		}
		return types.NewErr("no such overload: %s", name)
	}, nil
}

// apply calls a function unless the call is too expensive. The last argument is
// the meter.
func (f boundedFunction) apply(original func([]ref.Val) ref.Val, args []ref.Val) ref.Val {
	m, args := meterOf(args)
	for _, arg := range args {
		m.read(textLength(arg))
	}
	if m.err == nil {
		steps := f.steps
		if steps == nil {
			steps = textSteps
		}
		m.charge(steps(args))
	}
	if m.err != nil {
		return types.WrapErr(m.err)
	}
	if f.call != nil {
		if v, done := f.call(m, args); done {
			return v
		}
	}
	return original(args)
}

// TextError returns the error for an expression that reads a text of n bytes.
func TextError(n int) error {
	return fmt.Errorf("it reads a text of %d bytes, but the limit is %d", n, MaxText)
}

// textLength returns the length of a string or of bytes; 0 for other values.
func textLength(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// oneStep is the cost of a call that charges the rest itself.
func oneStep([]ref.Val) int { return 1 }

// textSteps returns the cost of reading the texts among the arguments once.
func textSteps(args []ref.Val) int {
	n := 0
	for _, arg := range args {
		n += textLength(arg)
	}
	return 1 + n/charactersPerStep
}

// splitSteps returns the cost of splitting a text, at most into its characters.
func splitSteps(args []ref.Val) int { return 1 + textLength(args[0]) }

// zoneSteps returns the cost of a field of a time, which may need a time zone
// from a file.
func zoneSteps(args []ref.Val) int {
	if len(args) == 1 {
		return 1
	}
	return 1000 + textSteps(args)
}

// listSteps returns the cost of reading the items of a list.
func listSteps(args []ref.Val) int {
	if list, ok := args[0].(traits.Lister); ok {
		return 1 + sizeOf(list)
	}
	return 1
}

func sizeOf(v traits.Sizer) int {
	n, _ := v.Size().(types.Int)
	return int(n)
}

// additionSteps returns the cost of an addition, which copies texts and lists.
func additionSteps(args []ref.Val) int {
	x, y, lists := twoLists(args)
	if !lists {
		return textSteps(args)
	}
	return 1 + sizeOf(x) + sizeOf(y)
}

// twoLists returns the arguments if both are lists. The lists that map() and
// filter() build item by item do not count.
func twoLists(args []ref.Val) (x, y traits.Lister, ok bool) {
	if len(args) != 2 {
		return nil, nil, false
	}
	if _, grows := args[0].(traits.MutableLister); grows {
		return nil, nil, false
	}
	x, first := args[0].(traits.Lister)
	y, second := args[1].(traits.Lister)
	return x, y, first && second
}

// addition concatenates two lists by a copy. CEL's own result would refer to
// both lists, which makes repeated reads and the size expensive.
func addition(_ *Meter, args []ref.Val) (ref.Val, bool) {
	x, y, lists := twoLists(args)
	if !lists {
		return nil, false
	}
	all := make([]ref.Val, 0, sizeOf(x)+sizeOf(y))
	for _, list := range []traits.Lister{x, y} {
		for i := range sizeOf(list) {
			all = append(all, list.Get(types.Int(i)))
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, all), true
}
