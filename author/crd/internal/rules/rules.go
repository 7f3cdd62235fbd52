// Package rules limits the rules of a definition that are compiled.
package rules

import (
	"fmt"
	"maps"
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// MaxLength is the number of characters of a rule that is compiled. The time that the API server's
// code needs for a rule grows with the square of its length. A definition of 670 KB took it two
// minutes.
const MaxLength = 16 << 10

// maxSquares is the budget of a definition: the sum of the squares of the lengths of its rules.
const maxSquares = 4 * MaxLength * MaxLength

// DropLong replaces the rules of a definition whose check would take too long, and returns a problem
// for each. It does not change its argument.
func DropLong(definition map[string]any) (map[string]any, []lint.Problem) {
	d := dropper{squares: maxSquares}
	if without, dropped := d.value(definition["spec"], lint.Path{"spec"}); dropped {
		definition = maps.Clone(definition)
		definition["spec"] = without
	}
	return definition, d.problems
}

type dropper struct {
	squares  int // that are left
	problems []lint.Problem
}

// value returns a part of a definition without its long rules, and whether it has some.
func (d *dropper) value(v any, at lint.Path) (without any, dropped bool) {
	switch v := v.(type) {
	case map[string]any:
		out := v
		for _, name := range slices.Sorted(maps.Keys(v)) {
			part := d.value
			if name == "x-kubernetes-validations" {
				part = d.rules
			}
			if changed, differs := part(v[name], at.With(name)); differs {
				if !dropped {
					out, dropped = maps.Clone(v), true
				}
				out[name] = changed
			}
		}
		return out, dropped
	case []any:
		out := v
		for i, item := range v {
			if changed, differs := d.value(item, at.With(i)); differs {
				if !dropped {
					out, dropped = slices.Clone(v), true
				}
				out[i] = changed
			}
		}
		return out, dropped
	}
	return v, false
}

// rules returns the rules of a schema. Rules that are too long become true, so that the others keep
// their positions.
func (d *dropper) rules(v any, at lint.Path) (without any, dropped bool) {
	list, isList := v.([]any)
	if !isList {
		return d.value(v, at)
	}
	kept := list
	for i, rule := range list {
		n := lengthOf(rule)
		if n <= MaxLength && n*n <= d.squares {
			d.squares -= n * n
			continue
		}
		if !dropped {
			kept, dropped = slices.Clone(list), true
		}
		kept[i] = map[string]any{"rule": "true"}
		d.problems = append(d.problems, lint.Problem{
			Path:    at.With(i),
			Message: fmt.Sprintf("the rule is not checked, because that takes too long: it has %d characters; split it", n),
		})
	}
	return kept, dropped
}

// lengthOf returns the length of the expressions of a rule.
func lengthOf(rule any) int {
	fields, _ := rule.(map[string]any)
	return len(decoded.Text(fields, "rule")) + len(decoded.Text(fields, "messageExpression"))
}
