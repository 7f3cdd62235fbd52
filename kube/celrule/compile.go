package celrule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/parser"
)

// An expression is one compiled expression of a rule.
type expression struct {
	name    string // the key under which it stands, such as "current"
	text    string
	program cel.Program
	paths   []string // the fields that it names from the root of an object, sorted
	words   []string // the texts that it holds, of which some may be types of conditions
	loops   bool     // it goes through lists or maps; else it cannot take long
}

// environment returns what expressions are compiled in. To make it takes
// milliseconds, so it is made when the first rule is.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	item, key := cel.TypeParamType("item"), cel.TypeParamType("key")
	list, m := cel.ListType(item), cel.MapType(key, item)
	return cel.NewEnv(append(variables(commonRoots),
		cel.ParserExpressionSizeLimit(maxTextLength),
		cel.ParserRecursionLimit(maxNesting),
		cel.EnableHiddenAccumulatorName(true),
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.OptionalTypes(),
		ext.Strings(), // the other libraries have functions whose cost nobody counts while they run
		cel.Function(nonEmpty,
			cel.Overload(nonEmpty+"_list", []*cel.Type{list}, list, cel.UnaryBinding(requireNonEmpty)),
			cel.Overload(nonEmpty+"_map", []*cel.Type{m}, m, cel.UnaryBinding(requireNonEmpty))),
		cel.Macros(parser.NewReceiverMacro("all", 2, expandAll)))...)
})

// unboundedFunctions are the functions that make of two texts one of the product of their
// sizes, in one step that cannot be stopped.
var unboundedFunctions = [...]string{"format", "join", "replace"}

// nonEmpty is the function that all() puts around what it goes through. No text can
// call it: the name is no identifier.
const nonEmpty = "@some"

// errNothing is the value of all() over nothing.
var errNothing = errors.New("all() over nothing")

// expandAll expands all(): as CEL does, but what it goes through must not be
// empty. That all of nothing is so is true in logic, and wrong about an object
// whose controller has not reported yet; that not all of it is so is as wrong.
func expandAll(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	return parser.MakeAll(h, h.NewCall(nonEmpty, target), args)
}

func requireNonEmpty(v ref.Val) ref.Val {
	if sized, ok := v.(traits.Sizer); ok && sized.Size() == types.IntZero {
		return types.WrapErr(errNothing)
	}
	return v
}

// compile compiles the expression under a key of a rule, whose values must be of
// the type want.
func compile(name, text string, want *cel.Type) (*expression, error) {
	base, err := environment()
	if err != nil {
		return nil, fmt.Errorf("prepare CEL: %w", err)
	}
	parsed, issues := base.Parse(text)
	if issues.Err() != nil {
		return nil, compileError(issues)
	}
	seen := inspect(parsed.NativeRep().Expr())
	for _, name := range unboundedFunctions {
		if seen.calls[name] {
			return nil, fmt.Errorf("want no call of %s(), whose result may be of any size", name)
		}
	}
	env := base
	if more := seen.extraVariables(); len(more) > 0 {
		if env, err = base.Extend(more...); err != nil {
			return nil, fmt.Errorf("declare the fields of an object: %w", err)
		}
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, compileError(issues)
	}
	if have := checked.OutputType(); !have.IsExactType(want) && !have.IsExactType(cel.DynType) {
		return nil, fmt.Errorf("want an expression of type %s, have one of type %s", cel.FormatCELType(want), cel.FormatCELType(have))
	}
	cost, err := env.EstimateCost(checked, costEstimator{})
	if err != nil {
		return nil, fmt.Errorf("estimate its cost: %w", err)
	}
	if cost.Max > maxCost {
		return nil, fmt.Errorf("want at most %d steps where every list has %d items, have up to %d", maxCost, assumedItems, cost.Max)
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize),
		cel.CostLimit(maxCost), cel.CostTracking(callCosts{}), cel.InterruptCheckFrequency(interruptCheckEvery))
	if err != nil {
		return nil, err
	}
	return &expression{name, text, program, sortedKeys(seen.paths), sortedKeys(seen.words), seen.loops}, nil
}

// compileError puts what CEL says on one line, with the column.
func compileError(issues *cel.Issues) error {
	var all []string
	for _, e := range issues.Errors() {
		all = append(all, fmt.Sprintf("%s (line %d, column %d)", e.Message, e.Location.Line(), e.Location.Column()+1))
	}
	return errors.New(strings.Join(all, "; "))
}

func sortedKeys(set map[string]bool) []string {
	all := make([]string, 0, len(set))
	for s := range set {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}
