package celrule

import (
	"slices"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/celrule/internal/expression"
	"kstatus.dev/status"
)

// unmetFact describes why x, the current expression, is false. If x needs several facts, it
// lists all of them, because it does not know which one is not as wanted.
func unmetFact(o *status.Fields, x *expression.Expression) string {
	named := conditionsNamed(o.Object(), x)
	var facts []string
	for _, t := range named {
		facts = append(facts, conditionOf(o.Object(), t).Sentence())
	}
	facts = append(facts, fieldFacts(o.Object(), x)...)
	if len(facts) == 0 {
		return factList(x, nil)
	}
	more := slices.Concat(sizeFacts(o.Object(), x, len(named) > 0), absenceFacts(o.Object(), x))
	if len(more) == 0 && (len(named) == 0 || len(facts) == 1) {
		return factList(x, facts)
	}
	return shorten(x.Name + " is not true: " + factList(x, append(facts, more...)))
}

// sizeFacts returns the sizes of the lists and maps that x reads as a whole. If x names
// conditions, the list of conditions is left out.
func sizeFacts(object map[string]any, x *expression.Expression, hasConditions bool) (all []string) {
	for _, path := range x.Paths {
		if hasConditions && path == "status.conditions" || readsBelow(x, path) {
			continue
		}
		switch v := decoded.AtPath(object, path).(type) {
		case []any:
			all = append(all, path+" has "+text.Count(len(v), "item"))
		case map[string]any:
			all = append(all, path+" has "+text.Count(len(v), "key"))
		}
	}
	return all
}

// absenceFacts returns the fields that x names and the object does not have.
func absenceFacts(object map[string]any, x *expression.Expression) (all []string) {
	var last string
	for _, path := range x.Paths { // sorted: a field precedes the fields below it
		if decoded.AtPath(object, path) == nil && (last == "" || !strings.HasPrefix(path, last+".")) {
			all, last = append(all, path+" is not set"), path
		}
	}
	return all
}

// readsBelow reports whether x names a field below path.
func readsBelow(x *expression.Expression, path string) bool {
	return slices.ContainsFunc(x.Paths, func(other string) bool { return strings.HasPrefix(other, path+".") })
}

// missingFact describes what x needs and the object lacks, with the path as far as x names it.
func missingFact(object map[string]any, x *expression.Expression, missing expression.Missing) string {
	if path := missingPath(object, x, missing.Field); path != "" {
		return path + " is not set"
	}
	if fact := missingItem(object, x, missing); fact != "" {
		return fact
	}
	if missing == expression.NoItem {
		if fact := emptyRange(object, x); fact != "" {
			return fact
		}
	}
	return "there is " + missing.String() + " yet"
}

// missingItem describes a missing item of a list or map, as in "status.steps has no item 1".
// It is empty if x does not name the item by a path.
func missingItem(object map[string]any, x *expression.Expression, missing expression.Missing) string {
	for _, item := range x.Items {
		switch v := decoded.AtPath(object, item.Path).(type) {
		case []any:
			if missing.Item == "item "+item.Key {
				return item.Path + " has no " + missing.Item
			}
		case map[string]any:
			if missing.Field == item.Key && v[item.Key] == nil {
				return item.Path + " has no key " + item.Key
			}
		}
	}
	return ""
}

// emptyRange describes the range of all() that has no items. It is empty if x does not show
// which one that is.
func emptyRange(object map[string]any, x *expression.Expression) string {
	var filtered []string
	for _, r := range x.Ranges {
		switch size, exists := sizeOf(decoded.AtPath(object, r.Path)); {
		case !exists:
			return r.Path + " is not set"
		case size == 0:
			return r.Path + " is empty"
		case r.Filtered:
			filtered = append(filtered, r.Path)
		}
	}
	if len(filtered) == 1 {
		return "no item of " + filtered[0] + " matches the filter"
	}
	return ""
}

// sizeOf returns the size of a list or map, and whether the value exists.
func sizeOf(v any) (size int, exists bool) {
	switch v := v.(type) {
	case nil:
		return 0, false
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	}
	return 1, true
}

// missingPath returns the path to a missing field, of those that x names. It is
// empty if x names no such path, as for a field of a list item.
func missingPath(object map[string]any, x *expression.Expression, name string) string {
	for _, path := range x.Paths {
		keys := strings.Split(path, ".")
		for i, key := range keys {
			if decoded.At(object, keys[:i+1]...) == nil {
				if key == name {
					return strings.Join(keys[:i+1], ".")
				}
				break
			}
		}
	}
	return ""
}
