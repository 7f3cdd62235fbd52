package lint

import (
	"slices"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
)

// A Scenario is a moment in the life of an object at which a tool may read it.
type Scenario struct {
	Name   string `json:"name"`             // stable
	Window string `json:"window,omitempty"` // R1 … R4: the window in which a wait can end too early
	Doc    string `json:"doc"`
	Done   bool   `json:"done"` // whether the object is what its spec requests
}

// Scenarios returns the scenarios of [ToolVerdicts], in the order of an object's life.
func Scenarios() []Scenario {
	return []Scenario{
		{"created", "R1", "just created; its controller has written nothing", false},
		{"first-write", "R2", "its controller has written some conditions, but not the summary condition", false},
		{"observed-early", "R4", "its controller has written observedGeneration, but not the summary condition", false},
		{"ready", "", "its controller has completed the spec", true},
		{"spec-changed", "R3", "it was done, then the spec was changed, and its controller has not observed the change", false},
		{"failing", "", "its controller reports a failure", false},
	}
}

// The times of events in scenarios. Objects are read while they are young, if their age matters.
const (
	created = "2026-01-01T00:00:00Z"
	written = "2026-01-01T00:00:01Z"
	changed = "2026-01-01T01:00:00Z"
)

// A scenarioObject is an object in a scenario, with facts about its kind.
type scenarioObject struct {
	version  Version
	scenario Scenario
	object   map[string]any
	types    []string // the condition types that its controller writes; empty: unknown
	summary  string   // the summary condition
}

// scenarioObjects returns an object of the version in each scenario, as the API server returns it:
// without unknown fields, and with defaults.
func scenarioObjects(v Version, declared []string) (all []scenarioObject) {
	for _, s := range Scenarios() {
		if s.Name == "observed-early" && !v.hasGeneration() {
			continue
		}
		x := scenarioObject{version: v, scenario: s, types: declared, summary: summaryOf(declared)}
		o := v.NewObject()
		if status := x.status(); status != nil {
			o["status"] = v.Status().WithDefaults(status)
		}
		meta := o["metadata"].(map[string]any)
		meta["creationTimestamp"] = created
		meta["managedFields"] = x.writers()
		if s.Name == "spec-changed" {
			meta["generation"] = int64(2)
		}
		x.object = o
		all = append(all, x)
	}
	return all
}

// writers returns the managedFields of the object.
func (x scenarioObject) writers() []any {
	wish := map[string]any{"manager": "kubectl", "operation": "Update", "time": created, "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{}}}
	if x.scenario.Name == "spec-changed" {
		wish["time"] = changed
	}
	if x.scenario.Name == "created" {
		return []any{wish}
	}
	report := map[string]any{"manager": "controller", "operation": "Update", "time": written, "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:status": map[string]any{}}}
	if x.version.StatusSubresource() {
		report["subresource"] = "status"
	}
	return []any{wish, report}
}

// status returns what the controller has written; nil if it has written nothing. It assumes the
// worst controller, which writes the whole status and omits unknown fields.
func (x scenarioObject) status() map[string]any {
	status := map[string]any{}
	first := x.otherCondition()
	switch x.scenario.Name {
	case "created":
		return nil
	case "first-write":
		x.condition(status, first, "False")
		x.setState(status, stateInProgress)
		return status
	case "observed-early":
		x.condition(status, first, "False")
		x.setState(status, stateInProgress)
	case "ready", "spec-changed":
		x.condition(status, x.summary, "True")
		x.setSuccess(status, true)
		x.setState(status, stateDone)
	case "failing":
		x.setState(status, stateFailed)
		x.condition(status, x.summary, "False")
		if slices.Contains(x.types, "Stalled") {
			x.condition(status, "Stalled", "True")
		}
		x.setSuccess(status, false)
	}
	if x.version.hasGeneration() {
		status["observedGeneration"] = int64(1)
	}
	return status
}

// condition appends a condition, if the schema has any.
func (x scenarioObject) condition(status map[string]any, name, truth string) {
	list := x.version.Status().Property("conditions")
	if list.Type() != "array" {
		return
	}
	c := map[string]any{"type": name, "status": truth, "reason": "Told", "message": "", "lastTransitionTime": written}
	if properties := decoded.Map(list.Node, "items", "properties"); properties != nil {
		if decoded.Map(properties, "observedGeneration") != nil {
			c["observedGeneration"] = int64(1)
		}
		for field := range c {
			if properties[field] == nil {
				delete(c, field)
			}
		}
	}
	status["conditions"] = append(decoded.List(status, "conditions"), c)
}

// setSuccess sets the booleans with which a status reports success.
func (x scenarioObject) setSuccess(status map[string]any, truth bool) {
	s := x.version.Status()
	if s.Property("ready").Type() == "boolean" {
		status["ready"] = truth
	}
	initialization := map[string]any{}
	for name := range decoded.Map(s.Property("initialization").Node, "properties") {
		if truth && s.At("initialization", name).Type() == "boolean" {
			initialization[name] = true
		}
	}
	if len(initialization) > 0 {
		status["initialization"] = initialization
	}
}

// otherCondition returns a condition that a controller may write before the summary condition.
func (x scenarioObject) otherCondition() string {
	for _, t := range x.types {
		if t != x.summary && t != "Ready" && t != "Reconciling" && t != "Stalled" {
			return t
		}
	}
	return "Paused"
}

// summaries are the usual summary conditions, the most usual first.
var summaries = []string{"Ready", "Available", "Succeeded", "Healthy", "Established", "Synced", "Complete"}

// summaryOf returns the summary condition of a kind; Ready if none is known.
func summaryOf(types []string) string {
	for _, t := range summaries {
		if len(types) == 0 || slices.Contains(types, t) {
			return t
		}
	}
	for _, t := range types {
		if t != "Reconciling" && t != "Stalled" && t != "Paused" && t != "Deleting" {
			return t
		}
	}
	return "Ready"
}

// hasGeneration reports whether the schema of the status has an observedGeneration.
func (v Version) hasGeneration() bool {
	return v.Status().Property("observedGeneration").Exists()
}

// readTime returns the time at which a reader reads the object, soon after the last event.
func (x scenarioObject) readTime() string {
	switch x.scenario.Name {
	case "spec-changed":
		return "2026-01-01T01:00:02Z"
	case "created", "first-write", "observed-early":
		return "2026-01-01T00:00:03Z"
	}
	return "2026-01-01T00:30:00Z"
}

// conditionOf returns the fields of a condition of the object, nil without one.
func (x scenarioObject) conditionOf(name string) map[string]any {
	c, _ := condition.FindFold(condition.Of(x.object), name)
	return c.Raw
}
