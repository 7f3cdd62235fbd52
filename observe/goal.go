package observe

import (
	"fmt"
	"strings"

	"kstatus.dev/internal/integer"
	"kstatus.dev/status"
)

// A Goal is what can be waited for. Any predicate makes one: see the example.
type Goal struct {
	Name string // as the command line spells it, such as "current"
	Kind GoalKind

	// Met reports whether the object, nil if there is none, is as wished, and if
	// not, in a few words what there is instead, unless the verdict says so. It is
	// asked whenever the object is judged, by one goroutine at a time, with a
	// verdict that tells nothing yet of Previous, Since and Standing. It may look
	// at the object but neither change nor keep it.
	Met func(Update, status.Object) (bool, string)

	Absence          bool // objects are to go away, so that failing is no reason to stop waiting
	ToleratesFailure bool // failing is no reason to stop waiting
}

// A GoalKind is what kind of goal a Goal is.
type GoalKind int

// The kinds of goals. The zero kind is a predicate of the caller, which may look
// at any field of the object.
const (
	GoalCustom GoalKind = iota
	GoalCurrent
	GoalSettled
	GoalCreated
	GoalDeleted
	GoalCondition
)

// Current is the goal that the cluster is as the object asks. An object that
// had run to its end and was then removed counts.
func Current() Goal {
	return Goal{Name: "current", Kind: GoalCurrent, Met: func(u Update, _ status.Object) (bool, string) {
		return u.Result.Status == status.CurrentStatus || u.Result.Reason == "ExpiredTTL", ""
	}}
}

// Settled is the goal that no further change comes by itself: the object is
// Current, or it has failed for good. What may heal is waited for.
func Settled() Goal {
	current := Current()
	return Goal{Name: "settled", Kind: GoalSettled, ToleratesFailure: true, Met: func(u Update, obj status.Object) (bool, string) {
		met, _ := current.Met(u, obj)
		return met || u.Result.Failure == status.FailureTerminal, ""
	}}
}

// Created is the goal that the object exists.
func Created() Goal {
	return Goal{Name: "created", Kind: GoalCreated, Met: func(_ Update, obj status.Object) (bool, string) {
		return obj != nil, ""
	}}
}

// Deleted is the goal that the object is gone. Another object of the same name
// is not the one that was to go. What cannot be read is not taken to be gone,
// unless its whole kind is not served.
func Deleted() Goal {
	return Goal{Name: "deleted", Kind: GoalDeleted, Absence: true, Met: func(u Update, obj status.Object) (bool, string) {
		gone := u.Result.Status == status.NotFoundStatus || u.Result.Reason == "NoMatch" || u.Version.ReplacedUID != ""
		if gone || obj == nil || u.Result.Status == status.TerminatingStatus {
			return gone, ""
		}
		return false, "it is still there"
	}}
}

// Condition is the goal that a condition of that type has that value, and
// speaks of the object's current generation. Case does not matter in either.
func Condition(kind, value string) Goal {
	name := "condition=" + kind
	if value != string(status.ConditionTrue) {
		name += "=" + value
	}
	return Goal{Name: name, Kind: GoalCondition, Met: func(u Update, obj status.Object) (bool, string) {
		if obj == nil {
			return false, ""
		}
		c := conditionOf(obj, kind)
		switch {
		case c == nil:
			return false, fmt.Sprintf("it has no condition %s", kind)
		case older(c["observedGeneration"], u.Version.Generation), older(u.Version.ObservedGeneration, u.Version.Generation):
			return false, fmt.Sprintf("condition %s speaks of an earlier generation than %d", kind, u.Version.Generation)
		}
		have, _ := c["status"].(string)
		if strings.EqualFold(have, value) {
			return true, ""
		}
		text, _ := c["message"].(string)
		if text == "" {
			text, _ = c["reason"].(string)
		}
		if text == "" {
			return false, fmt.Sprintf("condition %s is %s", kind, have)
		}
		return false, fmt.Sprintf("condition %s is %s: %s", kind, have, text)
	}}
}

// conditionOf returns an entry of status.conditions, nil if there is none.
func conditionOf(obj status.Object, kind string) map[string]any {
	state, _ := obj.UnstructuredContent()["status"].(map[string]any)
	list, _ := state["conditions"].([]any)
	for _, item := range list {
		c, _ := item.(map[string]any)
		if t, _ := c["type"].(string); t != "" && strings.EqualFold(t, kind) {
			return c
		}
	}
	return nil
}

// older reports whether a generation is told and is an earlier one.
func older(seen any, generation int64) bool {
	n, _ := integer.Of(seen)
	return n > 0 && n < generation
}
