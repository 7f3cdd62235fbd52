package expression

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
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

// An Expression is one compiled expression of a rule. It may be used by several goroutines.
type Expression struct {
	Name  string // the key of the rule, such as "current"
	Text  string
	Roots []string // the root fields of an object that it names, sorted.
	Paths []string // the dotted paths that it names, sorted.
	Words []string // its string literals, sorted; some may be types of conditions.

	Items  []Item  // the items of lists and maps that it names, sorted by path and key.
	Ranges []Range // the ranges of its calls of all(), sorted by path.

	program cel.Program
	steps   int // the cost of an evaluation, without iterations of loops and without the texts that calls read.
}

// environment returns the environment for compilation. It takes milliseconds to
// create, so the first rule creates it.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	base, err := plainEnvironment()
	if err != nil {
		return nil, err
	}
	return boundedEnvironment(base)
})

// plainEnvironment has CEL's own functions.
func plainEnvironment() (*cel.Env, error) {
	item, key := cel.TypeParamType("item"), cel.TypeParamType("key")
	list, m := cel.ListType(item), cel.MapType(key, item)
	return cel.NewEnv(append(variables(commonRoots),
		cel.ParserExpressionSizeLimit(maxTextLength),
		cel.ParserRecursionLimit(maxNesting),
		cel.EnableHiddenAccumulatorName(true),
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.OptionalTypes(),
		ext.Strings(), // the other libraries have functions whose cost is not counted while they run
		cel.Function(nonEmpty,
			cel.Overload(nonEmpty+"_list", []*cel.Type{list}, list, cel.UnaryBinding(requireNonEmpty)),
			cel.Overload(nonEmpty+"_map", []*cel.Type{m}, m, cel.UnaryBinding(requireNonEmpty))),
		cel.Macros(parser.NewReceiverMacro("all", 2, expandAll)))...)
}

// nonEmpty is the function that all() applies to its range. Expressions cannot
// call it, because the name is not an identifier.
const nonEmpty = "@some"

// errNoExpression is the error of all() over an empty range.
var errNoExpression = errors.New("all() over nothing")

// expandAll expands all() as CEL does, but an empty range is an error. In logic
// all() over an empty range is true. For an object whose controller has not reported
// yet, neither that nor its negation is right.
func expandAll(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	return parser.MakeAll(h, h.NewCall(nonEmpty, target), args)
}

func requireNonEmpty(v ref.Val) ref.Val {
	if sized, ok := v.(traits.Sizer); ok && sized.Size() == types.IntZero {
		return types.WrapErr(errNoExpression)
	}
	return v
}

// Compile compiles an expression of a rule. The name is its key in the rule,
// and want is the type of its result.
func Compile(name, text string, want *cel.Type) (*Expression, error) {
	base, err := environment()
	if err != nil {
		return nil, fmt.Errorf("prepare CEL: %w", err)
	}
	if err := checkCopies(text); err != nil {
		return nil, err
	}
	parsed, issues := base.Parse(text)
	if issues.Err() != nil {
		return nil, compileError(issues)
	}
	seen := inspect(parsed.NativeRep().Expr())
	if err := seen.check(); err != nil {
		return nil, err
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
	if cost.Max > MaxSteps {
		return nil, fmt.Errorf("want at most %d steps if every list has %d items, have up to %d", MaxSteps, assumedItems, cost.Max)
	}
	steps, err := measure(checked)
	if err != nil {
		return nil, err
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, err
	}
	return &Expression{
		Name: name, Text: text, Roots: sortedKeys(seen.roots), Paths: sortedKeys(seen.paths), Words: sortedKeys(seen.words),
		Items: slices.SortedFunc(maps.Keys(seen.items), func(a, b Item) int { return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key)) }),
		Ranges: slices.SortedFunc(maps.Keys(seen.ranges), func(a, b Range) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(strconv.FormatBool(a.Filtered), strconv.FormatBool(b.Filtered)))
		}),
		program: program, steps: steps,
	}, nil
}

// checkCopies rejects an expression with many calls of optMap() and
// optFlatMap(). Each is expanded to two copies of its operand, so a chain of
// them needs exponential space.
func checkCopies(text string) error {
	if n := strings.Count(text, "optMap") + strings.Count(text, "optFlatMap"); n > maxCopies {
		return fmt.Errorf("want at most %d calls of optMap() and optFlatMap(), have %d", maxCopies, n)
	}
	return nil
}

// errMessageLiteral is the error of an expression with a literal of a protobuf
// message.
var errMessageLiteral = errors.New("want no literal of a message, such as google.protobuf.Value{}")

// check rejects expressions that could take much time or memory in a single
// step.
func (s *fieldFacts) check() error {
	for _, name := range sortedKeys(s.calls) {
		if slices.Contains(unboundedFunctions, name) {
			return fmt.Errorf("want no call of %s(), whose result has no size limit", name)
		}
	}
	for _, text := range s.patterns {
		if err := patternOf(text).err; err != nil {
			return err
		}
	}
	switch {
	case s.messages:
		return errMessageLiteral
	case s.computedKeys > maxCopies:
		return fmt.Errorf("want at most %d computed map keys, have %d", maxCopies, s.computedKeys)
	}
	return nil
}

// compileError formats CEL's errors on one line, with the column.
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
