package expression

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// A fieldFacts holds the static facts about an expression.
type fieldFacts struct {
	roots map[string]bool // root fields of an object, and namespaces of functions.
	paths map[string]bool // dotted paths from the root.
	words map[string]bool // string literals.
	calls map[string]bool // names of functions.

	items  map[Item]bool  // items that an index or a key in brackets names.
	ranges map[Range]bool // the ranges of all().

	computedKeys int      // number of map keys that are not literals.
	messages     bool     // it has a literal of a protobuf message.
	patterns     []string // regular expressions that are literals.
}

// inspect collects the facts about a parsed expression.
func inspect(e ast.Expr) *fieldFacts {
	s := &fieldFacts{
		roots: map[string]bool{}, paths: map[string]bool{}, words: map[string]bool{}, calls: map[string]bool{},
		items: map[Item]bool{}, ranges: map[Range]bool{},
	}
	s.walk(e, nil)
	return s
}

// An Item is an item of a list or map that an expression names, as in status.steps[1] or
// metadata.labels['app'].
type Item struct {
	Path string // the dotted path of the list or map
	Key  string // the index or the key
}

// A Range is the list or map of a call of all().
type Range struct {
	Path     string // its dotted path
	Filtered bool   // filter() or map() is called before all()
}

// addItem records an index or a key that is a literal.
func (s *fieldFacts) addItem(list, key ast.Expr, bound map[string]bool) {
	root, path := fieldPath(list)
	if root == "" || bound[root] || key.Kind() != ast.LiteralKind {
		return
	}
	s.items[Item{path, fmt.Sprint(key.AsLiteral().Value())}] = true
}

// addRange records the range of a call of all().
func (s *fieldFacts) addRange(e ast.Expr, filtered bool, bound map[string]bool) {
	root, path := fieldPath(e)
	switch {
	case bound[root]:
	case root != "":
		s.ranges[Range{path, filtered}] = true
	case e.Kind() == ast.CallKind && e.AsCall().IsMemberFunction() && e.AsCall().FunctionName() == "orValue":
		s.addRange(e.AsCall().Target(), filtered, bound)
	case e.Kind() == ast.ComprehensionKind:
		s.addRange(e.AsComprehension().IterRange(), true, bound)
	}
}

// commonRoots are the root fields that most kinds have. The other root fields
// depend on the kind.
var commonRoots = []string{"apiVersion", "kind", "metadata", "spec", "status"}

// typeNames are names of CEL types, which are not fields. The name "type" is a
// field of some kinds, such as Secret.
var typeNames = []string{"bool", "bytes", "double", "int", "list", "map", "null_type", "optional_type", "string", "uint"}

// extraVariables declares the other root fields that the expression names.
func (s *fieldFacts) extraVariables() []cel.EnvOption {
	roots := maps.Clone(s.roots)
	for _, name := range slices.Concat(commonRoots, typeNames) {
		delete(roots, name)
	}
	return variables(sortedKeys(roots))
}

// variables declares root fields.
func variables(names []string) (all []cel.EnvOption) {
	for _, name := range names {
		all = append(all, cel.Variable(name, cel.DynType))
	}
	return all
}

// walk collects the facts about e. bound holds the variables of enclosing
// macros.
func (s *fieldFacts) walk(e ast.Expr, bound map[string]bool) {
	if root, path := fieldPath(e); root != "" {
		if !bound[root] {
			s.roots[root] = true
			if path != root {
				s.paths[path] = true
			}
		}
		return
	}
	switch e.Kind() {
	case ast.LiteralKind:
		if word, ok := e.AsLiteral().(types.String); ok {
			s.words[string(word)] = true
		}
	case ast.SelectKind:
		s.walk(e.AsSelect().Operand(), bound)
	case ast.CallKind:
		call := e.AsCall()
		s.calls[call.FunctionName()] = true
		switch args := call.Args(); {
		case call.FunctionName() == operators.Index && len(args) == 2:
			s.addItem(args[0], args[1], bound)
		case call.FunctionName() == nonEmpty && len(args) == 1:
			s.addRange(args[0], false, bound)
		}
		if args := call.Args(); call.FunctionName() == "matches" && len(args) > 0 && args[len(args)-1].Kind() == ast.LiteralKind {
			if text, ok := args[len(args)-1].AsLiteral().(types.String); ok {
				s.patterns = append(s.patterns, string(text))
			}
		}
		if call.IsMemberFunction() {
			s.walk(call.Target(), bound)
		}
		s.all(e.AsCall().Args(), bound)
	case ast.ListKind:
		s.all(e.AsList().Elements(), bound)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			if entry.AsMapEntry().Key().Kind() != ast.LiteralKind {
				s.computedKeys++
			}
			s.walk(entry.AsMapEntry().Key(), bound)
			s.walk(entry.AsMapEntry().Value(), bound)
		}
	case ast.StructKind:
		s.messages = true
		for _, field := range e.AsStruct().Fields() {
			s.walk(field.AsStructField().Value(), bound)
		}
	case ast.ComprehensionKind:
		s.comprehension(e.AsComprehension(), bound)
	}
}

func (s *fieldFacts) all(list []ast.Expr, bound map[string]bool) {
	for _, e := range list {
		s.walk(e, bound)
	}
}

// comprehension collects the facts about an expanded macro such as exists().
func (s *fieldFacts) comprehension(c ast.ComprehensionExpr, bound map[string]bool) {
	s.walk(c.IterRange(), bound)
	s.walk(c.AccuInit(), bound)
	inner := map[string]bool{c.IterVar(): true, c.AccuVar(): true}
	maps.Copy(inner, bound)
	s.all([]ast.Expr{c.LoopCondition(), c.LoopStep(), c.Result()}, inner)
}

// fieldPath parses a path such as status.phase, status.?phase or
// has(status.phase). It is empty if e is not a path.
func fieldPath(e ast.Expr) (root, path string) {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent(), e.AsIdent()
	case ast.SelectKind:
		if root, path = fieldPath(e.AsSelect().Operand()); root != "" {
			return root, path + "." + e.AsSelect().FieldName()
		}
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() != operators.OptSelect || len(call.Args()) != 2 {
			return "", ""
		}
		field := call.Args()[1]
		if root, path = fieldPath(call.Args()[0]); root == "" || field.Kind() != ast.LiteralKind {
			return "", ""
		}
		name, _ := field.AsLiteral().(types.String)
		return root, path + "." + string(name)
	}
	return "", ""
}
