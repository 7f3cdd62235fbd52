package race

import (
	"fmt"
	"time"

	"kstatus.dev/test/lib/manifest"
)

// A Mode is how a controller reports on a new or changed object.
type Mode struct {
	Name   string
	kind   string
	schema string // of the status
	plain  bool   // without a status subresource
	before state  // its report on the first generation, before the change of the spec; nil: the object is new
	steps  []step
	others state         // its reports on others of the kind; nil: none
	first  time.Duration // timeout of a first report; 0: patience
}

// A step is a write of a status.
type step struct {
	after    time.Duration // delay after the step before
	write    state
	observes bool // the first step about the generation
}

// A state is a status about a generation, as JSON.
type state func(generation int64) string

const patience = 30 * time.Second

// Schemas of a status in addition to those of package manifest.
const (
	openSchema      = "{type: object, x-kubernetes-preserve-unknown-fields: true}"
	defaultedSchema = "{type: object, x-kubernetes-preserve-unknown-fields: true, default: {observedGeneration: -1, conditions: [{type: Ready, status: Unknown}]}}"
)

func fullStatus(ready string) state {
	return func(g int64) string {
		return fmt.Sprintf(`{"observedGeneration": %d, "conditions": [{"type": "Ready", "status": %q, "observedGeneration": %d}]}`, g, ready, g)
	}
}

func byCondition(ready string) state {
	return func(g int64) string {
		return fmt.Sprintf(`{"conditions": [{"type": "Ready", "status": %q, "observedGeneration": %d}]}`, ready, g)
	}
}

func plain(condition, truth string) state {
	return func(int64) string {
		return fmt.Sprintf(`{"conditions": [{"type": %q, "status": %q}]}`, condition, truth)
	}
}

func generationOnly(g int64) string { return fmt.Sprintf(`{"observedGeneration": %d}`, g) }

// Modes returns the controllers.
func Modes() []Mode {
	late := []step{{2 * time.Second, fullStatus("True"), true}}
	again := []step{{2 * time.Second, fullStatus("False"), true}, {time.Second, fullStatus("True"), false}}
	return []Mode{
		{Name: "starts 2 s late", kind: "Late", schema: manifest.Promises, steps: late, others: fullStatus("True")},
		{Name: "starts 2 s late, open schema", kind: "Open", schema: openSchema, steps: late, others: fullStatus("True")},
		{Name: "starts 2 s late, schema with defaults", kind: "Defaulted", schema: defaultedSchema, steps: late, others: fullStatus("True")},
		{Name: "starts 2 s late, no status subresource", kind: "Undivided", schema: manifest.Promises, plain: true, steps: late, others: fullStatus("True")},
		{Name: "writes observedGeneration only", kind: "Terse", schema: manifest.Promises, steps: []step{{time.Second, generationOnly, true}}, others: generationOnly},
		{Name: "writes another condition first", kind: "Devious", schema: manifest.Promises, others: fullStatus("True"),
			steps: []step{{500 * time.Millisecond, plain("Configured", "True"), false}, {1500 * time.Millisecond, fullStatus("True"), true}}},
		{Name: "writes another condition first, no generation", kind: "Laconic", schema: manifest.Conditional, others: plain("Ready", "True"),
			steps: []step{{500 * time.Millisecond, plain("Configured", "True"), false}, {1500 * time.Millisecond, plain("Ready", "True"), true}}},
		{Name: "updates, with observedGeneration", kind: "Changing", schema: manifest.Promises, before: fullStatus("True"), steps: again, others: fullStatus("True")},
		{Name: "updates, with generations of conditions", kind: "Conditional", schema: manifest.Conditional, before: byCondition("True"),
			steps: []step{{2 * time.Second, byCondition("False"), true}, {time.Second, byCondition("True"), false}}, others: byCondition("True")},
		{Name: "updates, without any generation", kind: "Nameless", schema: manifest.Conditional, before: plain("Ready", "True"),
			steps: []step{{2 * time.Second, plain("Ready", "False"), true}, {time.Second, plain("Ready", "True"), false}}, others: plain("Ready", "True")},
		{Name: "updates, no status subresource", kind: "Whole", schema: manifest.Promises, plain: true, before: fullStatus("True"), steps: again, others: fullStatus("True")},
		{Name: "never writes", kind: "Silent", schema: manifest.Promises, first: 4 * time.Second},
	}
}
