package expression

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// A Meter counts the steps of an evaluation, and ends it after too many. A step
// is the evaluation of a node of the expression, or the reading of some
// characters of a text.
//
// CEL has such a count too. But it charges calls after they are made, and is
// slow in nested loops. The meter is a value of CEL, and an argument of the
// functions that charge.
type Meter struct {
	left    int          // remaining steps.
	stopped *atomic.Bool // set by others to end the evaluation; may be nil.
	err     error        // why the evaluation has ended; once set, all calls return soon.
}

// NewMeter returns a meter for the expressions of one rule. The evaluation ends
// when stopped is set. stopped may be nil.
func NewMeter(stopped *atomic.Bool) *Meter { return &Meter{left: MaxSteps, stopped: stopped} }

// charge subtracts steps from the remaining ones.
func (m *Meter) charge(steps int) {
	switch m.left -= steps; {
	case m.err != nil:
	case m.left < 0:
		m.err = errCost
	case m.stopped != nil && m.stopped.Load():
		m.err = errStopped
	}
}

// read sets an error if a text of n bytes is too long.
func (m *Meter) read(n int) {
	if n > MaxText && m.err == nil {
		m.err = TextError(n)
	}
}

// meterType is the type of meters.
var meterType = types.NewOpaqueType("@meter")

// Type, Value, Equal, ConvertToType and ConvertToNative make a meter a value of CEL.
func (m *Meter) Type() ref.Type { return meterType }

// Value returns the meter.
func (m *Meter) Value() any { return m }

// Equal reports whether other is the same meter.
func (m *Meter) Equal(other ref.Val) ref.Val { return types.Bool(other == ref.Val(m)) }

// ConvertToType fails: no other type can represent a meter.
func (m *Meter) ConvertToType(ref.Type) ref.Val { return types.WrapErr(errMeter) }

// ConvertToNative fails: no other type can represent a meter.
func (m *Meter) ConvertToNative(reflect.Type) (any, error) { return nil, errMeter }

var errMeter = errors.New("a meter is not a value")

// meterOf returns the meter, which is the last argument, and the other arguments.
func meterOf(args []ref.Val) (*Meter, []ref.Val) {
	last := len(args) - 1
	m, ok := args[last].(*Meter)
	if !ok {
		return &Meter{err: errMeter}, args[:last] // expressions contain no such call
	}
	return m, args[:last]
}

// These are the names of the meter and its functions. Expressions cannot
// contain them.
const (
	meterVariable = "@meter"
	tickFunction  = "@tick"  // the condition of a loop; it charges for one iteration
	rangeFunction = "@range" // the range of a loop
)

// meterFunctions declares the functions that loops call.
func meterFunctions() []cel.EnvOption {
	two, three := slices.Repeat([]*cel.Type{cel.DynType}, 2), slices.Repeat([]*cel.Type{cel.DynType}, 3)
	return []cel.EnvOption{
		cel.Function(tickFunction, cel.Overload(tickFunction, three, cel.DynType, cel.OverloadIsNonStrict(), cel.FunctionBinding(tick))),
		cel.Function(rangeFunction, cel.Overload(rangeFunction, two, cel.DynType, cel.FunctionBinding(enter))),
	}
}

// tick returns its first argument, the condition of a loop, or false once the
// evaluation must end. The second argument is the cost of an iteration.
func tick(args ...ref.Val) ref.Val {
	m, args := meterOf(args)
	cost, _ := args[1].(types.Int)
	if m.charge(int(cost)); m.err != nil {
		return types.False
	}
	return args[0]
}

// enter returns its first argument, the range of a loop, and charges for it:
// CEL copies the keys of a map.
func enter(args ...ref.Val) ref.Val {
	m, args := meterOf(args)
	if mapper, ok := args[0].(traits.Mapper); ok {
		m.charge(sizeOf(mapper))
	}
	if m.err != nil {
		return types.WrapErr(m.err)
	}
	return args[0]
}

// A metering inserts the meter into an expression.
type metering struct {
	tree    *ast.AST
	factory ast.ExprFactory
	lastID  int64
	err     error
}

// measure makes the calls and the loops of a checked expression charge their
// cost. It rejects calls of unknown cost. It returns the cost of everything
// outside of loops.
func measure(checked *cel.Ast) (steps int, err error) {
	tree := checked.NativeRep()
	m := &metering{tree: tree, factory: ast.NewExprFactory(), lastID: ast.MaxID(tree)}
	steps = countNodes(tree.Expr())
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.CallKind:
			m.call(e)
		case ast.ComprehensionKind:
			m.loop(e)
		}
	}))
	return steps, m.err
}

// countNodes returns the largest number of evaluated nodes of an expression,
// without the iterations of loops.
func countNodes(e ast.Expr) int {
	n := 1
	switch e.Kind() {
	case ast.SelectKind:
		n += countNodes(e.AsSelect().Operand())
	case ast.CallKind:
		if call := e.AsCall(); call.IsMemberFunction() {
			n += countNodes(call.Target())
		}
		n += countAll(e.AsCall().Args())
	case ast.ListKind:
		n += countAll(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			n += countNodes(entry.AsMapEntry().Key()) + countNodes(entry.AsMapEntry().Value())
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		n += countNodes(c.IterRange()) + countNodes(c.AccuInit()) + countNodes(c.Result())
	}
	return n
}

func countAll(list []ast.Expr) (n int) {
	for _, e := range list {
		n += countNodes(e)
	}
	return n
}

func (m *metering) id() int64 {
	m.lastID++
	return m.lastID
}

// variable returns an expression whose value is the meter.
func (m *metering) variable() ast.Expr {
	e := m.factory.NewIdent(m.id(), meterVariable)
	m.tree.SetReference(e.ID(), ast.NewIdentReference(meterVariable, nil))
	return e
}

// function returns a call with the meter as its last argument.
func (m *metering) function(id int64, name, overload string, args ...ast.Expr) ast.Expr {
	m.tree.SetReference(id, ast.NewFunctionReference(overload))
	return m.factory.NewCall(id, name, append(args, m.variable())...)
}

func (m *metering) call(e ast.Expr) {
	call := e.AsCall()
	name := call.FunctionName()
	if _, ok := boundedFunctions[name]; !ok {
		if !slices.Contains(stepFunctions, name) {
			m.err = fmt.Errorf("want no call of %s()", name)
		}
		return
	}
	args := slices.Clone(call.Args())
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	e.SetKindCase(m.function(e.ID(), boundedPrefix+name, boundedID(name, len(args)), args...))
}

func (m *metering) loop(e ast.Expr) {
	c := e.AsComprehension()
	cost := m.factory.NewLiteral(m.id(), types.Int(1+countNodes(c.LoopCondition())+countNodes(c.LoopStep())))
	condition := m.function(m.id(), tickFunction, tickFunction, c.LoopCondition(), cost)
	through := m.function(m.id(), rangeFunction, rangeFunction, c.IterRange())
	e.SetKindCase(m.factory.NewComprehensionTwoVar(e.ID(), through, c.IterVar(), c.IterVar2(), c.AccuVar(), c.AccuInit(), condition, c.LoopStep(), c.Result()))
}

// An activation is the input of an expression: an object and a meter.
type activation struct {
	object map[string]any
	meter  *Meter
}

// ResolveName returns the value of a variable.
func (a activation) ResolveName(name string) (any, bool) {
	if name == meterVariable {
		return a.meter, true
	}
	v, ok := a.object[name]
	return v, ok
}

// Parent returns nil: there is no other activation.
func (activation) Parent() cel.Activation { return nil }
