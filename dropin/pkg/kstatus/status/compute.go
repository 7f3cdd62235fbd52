package status

import (
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin"
	engine "kstatus.dev/status"
)

// Compute returns the status of u in the mode of the program. In the mode compat, a malformed
// field is an error; in the others, the status is Unknown and the message names the field.
func Compute(u *unstructured.Unstructured) (*Result, error) {
	m, err := dropin.Resolve(dropin.Mode{})
	if err != nil {
		return nil, err
	}
	r, _, err := Judge(u, m)
	return r, err
}

// Judge is [Compute] in a mode. If recheck is not zero, the status may be another one after that
// time, even if the object does not change.
func Judge(u *unstructured.Unstructured, m dropin.Mode) (r *Result, recheck time.Duration, err error) {
	return JudgeWith(u, m, engine.Evaluator{}, time.Time{})
}

// FirstStatus is how long an object may wait for the first report of its controller on its
// generation. Then the status is the one that the object shows.
const FirstStatus = 30 * time.Second

// JudgeWith is [Judge] with the hooks of an evaluator, for an object that has had its generation
// since a time. The profile is that of the mode. The mode compat uses no hook.
func JudgeWith(u *unstructured.Unstructured, m dropin.Mode, e engine.Evaluator, since time.Time) (r *Result, recheck time.Duration, err error) {
	if m.Verdicts == dropin.VerdictsCompat {
		return judgeCompat(engine.Evaluator{Profile: engine.CompatProfile()}, u, readDeletion, readGenerations)
	}
	if e.Profile, err = engine.ParseProfile(string(m.Verdicts)); err != nil {
		return nil, 0, err
	}
	found, err := e.Compute(u)
	if err != nil {
		return nil, 0, err
	}
	if left := FirstStatus - time.Since(since); left > 0 {
		awaitReport(found, left)
	} else if e.Expect != nil && slices.Contains(unreported, found.Reason) {
		e.Expect = nil
		if found, err = e.Compute(u); err != nil {
			return nil, 0, err
		}
	}
	r = convert(found)
	if m.Events == dropin.EventsRight && found.Reason != "" && found.Status != engine.CurrentStatus {
		r.Message = "[" + found.Reason + "] " + found.Message
	}
	return r, found.Recheck, nil
}

// unreported are the reasons of objects whose controller has not reported what their schema
// declares.
var unreported = []string{"NotObserved", "NoSummary", "NotStarted"}

// awaitReport changes a verdict that no report supports, because the controller may not have
// looked at the object yet. The verdict counts when the time that is left is over.
func awaitReport(r *engine.Result, left time.Duration) {
	assumed := r.Status == engine.CurrentStatus && r.Rule == "expectation" && r.Confidence == engine.ConfidenceAssumed
	if assumed {
		waiting := engine.InProgress("NotObserved", "it shows no report of its controller; it counts as ready anyway after %s", FirstStatus)
		waiting.Rule = r.Rule
		*r = waiting
	}
	if (assumed || slices.Contains(unreported, r.Reason)) && (r.Recheck == 0 || left < r.Recheck) {
		r.Recheck = left
	}
}

// convert returns a verdict in the types of this package.
func convert(found *engine.Result) *Result {
	r := &Result{
		Status:     Status(found.Status),
		Message:    found.Message,
		Conditions: make([]Condition, 0, len(found.Conditions)),
	}
	for _, c := range found.Conditions {
		r.Conditions = append(r.Conditions, Condition{
			Type: ConditionType(c.Type), Status: corev1.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message,
		})
	}
	return r
}

// Augment writes the standard conditions that the status of u implies into u.
func Augment(u *unstructured.Unstructured) error {
	r, err := Compute(u)
	if err != nil {
		return err
	}
	conditions, _, err := unstructured.NestedSlice(u.Object, "status", "conditions")
	if err != nil {
		return err
	}
	if conditions == nil {
		conditions = []any{}
	}
	now := time.Now().UTC().Format(time.RFC3339)
	for _, c := range r.Conditions {
		found, err := update(conditions, c, now)
		if err != nil {
			return err
		}
		if !found {
			conditions = append(conditions, map[string]any{
				"type": string(c.Type), "status": string(c.Status), "reason": c.Reason, "message": c.Message,
				"lastTransitionTime": now, "lastUpdateTime": now,
			})
		}
	}
	return unstructured.SetNestedSlice(u.Object, conditions, "status", "conditions")
}

// update writes c into the conditions of its type. The texts of its errors are those of cli-utils.
func update(conditions []any, c Condition, now string) (found bool, err error) {
	for _, item := range conditions {
		m, ok := item.(map[string]any)
		if !ok {
			return false, errors.New("condition does not have the expected structure")
		}
		name, ok := m["type"].(string)
		if !ok {
			return false, errors.New("condition type does not have the expected type")
		}
		if name != string(c.Type) {
			continue
		}
		before, ok := m["status"].(string)
		if !ok {
			return false, errors.New("condition status does not have the expected type")
		}
		if before != string(c.Status) {
			m["lastTransitionTime"] = now
		}
		m["status"], m["reason"], m["message"] = string(c.Status), c.Reason, c.Message
		m["lastUpdateTime"] = now
		found = true
	}
	return found, nil
}
