// Package goal has the usual goals of a wait: Current, settled, created, deleted,
// or a condition with a value.
package goal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Current returns the goal that the object is Current. An object that completed
// and was then removed meets it too.
func Current() observe.Goal {
	return observe.Goal{Name: "current", Met: func(u observe.Update, _ status.Object) (bool, string) {
		return u.IsCurrent(), ""
	}}
}

// Settled returns the goal that the object no longer changes by itself: it is Current, or its
// failure is terminal. A recoverable failure does not meet it.
func Settled() observe.Goal {
	return observe.Goal{Name: "settled", ToleratesFailure: true, Met: func(u observe.Update, _ status.Object) (bool, string) {
		return u.IsCurrent() || u.Result.Failure == status.FailureTerminal, ""
	}}
}

// Created returns the goal that the object exists.
func Created() observe.Goal {
	return observe.Goal{Name: "created", Met: func(_ observe.Update, obj status.Object) (bool, string) {
		return obj != nil, ""
	}}
}

// Deleted returns the goal that the object no longer exists. A new object with the same name
// meets it, and so does a kind that the cluster does not serve. An object that cannot be read
// does not.
func Deleted() observe.Goal {
	return observe.Goal{Name: "deleted", Absence: true, Met: func(u observe.Update, obj status.Object) (bool, string) {
		deleted := u.Result.Status == status.NotFoundStatus || u.Result.Reason == status.ReasonNoMatch || u.Version.ReplacedUID != ""
		if deleted || obj == nil || u.Result.Status == status.TerminatingStatus {
			return deleted, ""
		}
		return false, "it still exists"
	}}
}

// Condition returns the goal that the condition of a type has a value, such as "True". The
// condition must be for the object's current generation. If the object has several of the type, the
// worst counts. Neither the type nor the value is case-sensitive.
func Condition(conditionType, value string) observe.Goal {
	name := "condition=" + conditionType
	if value != "True" {
		name += "=" + value
	}
	return observe.Goal{Name: name, Final: true, Met: func(u observe.Update, obj status.Object) (bool, string) {
		if obj == nil {
			return false, ""
		}
		all := condition.Of(obj.UnstructuredContent())
		c, exists := condition.FindFold(all, conditionType)
		switch {
		case !exists:
			return false, fmt.Sprintf("it has no condition %s%s", conditionType, others(all))
		case isOlder(c.Observed, u.Version.Generation), isOlder(u.Version.ObservedGeneration, u.Version.Generation):
			return false, fmt.Sprintf("condition %s is for an earlier generation than %d", conditionType, u.Version.Generation)
		case strings.EqualFold(c.Status, value), c.Raw["status"] == value: // some controllers write other words
			return true, ""
		}
		if why := cmp.Or(c.Message, c.Reason); why != "" {
			return false, fmt.Sprintf("condition %s is %s: %s", conditionType, c.Status, why)
		}
		return false, fmt.Sprintf("condition %s is %s", conditionType, c.Status)
	}}
}

// isOlder reports whether an observed generation is set and is an earlier one.
func isOlder(observed, generation int64) bool { return observed > 0 && observed < generation }

// maxOthers is the maximum number of conditions that a text names.
const maxOthers = 10

// others names the conditions that an object has, for the text about a missing one.
func others(all any) string {
	var types []string
	for c := range condition.All(all) {
		types = append(types, text.Cut(c.Type, 60))
	}
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) == 0 {
		return ""
	}
	if more := len(types) - maxOthers; more > 0 {
		types = append(types[:maxOthers], fmt.Sprintf("%d more", more))
	}
	return "; it has " + text.And(types)
}
