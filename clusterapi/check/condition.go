package check

import (
	"strings"
	"time"

	"kstatus.dev/author/lint"
	read "kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// A condition is one item of the list that core reads.
type condition struct {
	raw  map[string]any
	path lint.Path
}

// conditionsOf returns the list that core reads, with its path. That is
// status.v1beta2.conditions if it is a list, even an empty one, else
// status.conditions. Like core, it skips items that are not objects.
func conditionsOf(o map[string]any) []condition {
	names := listRead(o)
	var some []condition
	where := path(strings.Join(names, "."))
	for i, raw := range decoded.Maps(o, names...) {
		if raw != nil {
			some = append(some, condition{raw, where.With(i)})
		}
	}
	return some
}

// listRead returns the path of the conditions that core reads.
func listRead(o map[string]any) []string {
	inner := []string{"status", "v1beta2", "conditions"}
	if _, isList := decoded.At(o, inner...).([]any); isList {
		return inner
	}
	return []string{"status", "conditions"}
}

func (c condition) name() string { return decoded.Text(c.raw, "type") }

// panicField returns the first field on which core's conversion panics, in the
// order in which core reads the fields. Core asserts their types without a
// check. A missing field causes no panic.
func (c condition) panicField() (field, found string) {
	for _, name := range []string{"type", "status", "observedGeneration", "lastTransitionTime", "reason", "message"} {
		v, there := c.raw[name]
		_, isText := v.(string)
		_, isNumber := integer.Of(v)
		switch {
		case name == "lastTransitionTime" && isText && c.badTime():
			return "", "" // core rejects the list before it reads further fields
		case !there, isText && name != "observedGeneration", isNumber && name == "observedGeneration":
		case name == "lastTransitionTime" && v == nil:
		default:
			return name, typeOf(v)
		}
	}
	return "", ""
}

// rejectedField returns why core rejects the whole list for this item. It returns
// empty strings if core accepts the item.
func (c condition) rejectedField() (field, why string) {
	if field, _ := c.panicField(); field != "" {
		return "", ""
	}
	switch s := decoded.Text(c.raw, "status"); {
	case c.badTime():
		return "lastTransitionTime", "lastTransitionTime " + quote(decoded.Text(c.raw, "lastTransitionTime")) + " is not a time"
	case c.name() == "":
		return "type", "a condition has no type"
	case s == "":
		return "status", quote(c.name()) + " has no status"
	case s != "True" && s != "False" && s != "Unknown":
		return "status", quote(c.name()) + " has the status " + quote(s)
	}
	return "", ""
}

func (c condition) badTime() bool {
	s := decoded.Text(c.raw, "lastTransitionTime")
	if s == "" || s == "null" {
		return false
	}
	_, err := time.Parse(time.RFC3339, s)
	return err != nil
}

// summary returns the condition of the role that core mirrors.
func (o providerObject) summary() (condition, bool) {
	name, _ := summaryOf(o.role)
	if name == "" {
		return condition{}, false
	}
	return o.condition(name)
}

// condition returns a condition of the object, and whether it exists. If several have the type, the
// worst counts.
func (o providerObject) condition(name string) (condition, bool) {
	names := listRead(o.raw)
	c, exists := read.Find(decoded.At(o.raw, names...), name)
	where := path(strings.Join(names, "."))
	if c.Index >= 0 {
		return condition{c.Raw, where.With(c.Index)}, exists
	}
	return condition{c.Raw, where.With(name)}, exists
}

// status returns the status of a condition: True, False or Unknown.
func (c condition) status() string {
	status, _ := read.Truth(c.raw["status"])
	return status
}
