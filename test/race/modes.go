package race

import (
	"fmt"
	"time"

	"kstatus.dev/test/manifest"
)

// A Mode is how a controller reports on an object that is new, or that has changed.
type Mode struct {
	Name   string
	kind   string
	schema string // of the status
	before state  // what it has reported on the first generation, before the spec is changed; nil: the object is new
	steps  []step
	others state         // what it has reported on others of the kind; nil: nothing
	first  time.Duration // how long a first report is waited for
}

// A step is a write of a status.
type step struct {
	after    time.Duration // the step before
	write    state
	observes bool // it is the first that is about the generation
}

// A state is a status about a generation, as JSON.
type state func(generation int64) string

const patience = 30 * time.Second

func whole(ready string) state {
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
	return []Mode{
		{"starts 2 s late", "Late", manifest.Promises, nil, []step{{2 * time.Second, whole("True"), true}}, whole("True"), patience},
		{"writes observedGeneration only", "Terse", manifest.Promises, nil, []step{{time.Second, generationOnly, true}}, generationOnly, patience},
		{"writes another condition first", "Devious", manifest.Promises, nil,
			[]step{{500 * time.Millisecond, plain("Configured", "True"), false}, {1500 * time.Millisecond, whole("True"), true}}, whole("True"), patience},
		{"updates, with observedGeneration", "Changing", manifest.Promises, whole("True"),
			[]step{{2 * time.Second, whole("False"), true}, {time.Second, whole("True"), false}}, whole("True"), patience},
		{"updates, with generations of conditions", "Conditional", manifest.Conditional, byCondition("True"),
			[]step{{2 * time.Second, byCondition("False"), true}, {time.Second, byCondition("True"), false}}, byCondition("True"), patience},
		{"updates, without any generation", "Nameless", manifest.Conditional, plain("Ready", "True"),
			[]step{{2 * time.Second, plain("Ready", "False"), true}, {time.Second, plain("Ready", "True"), false}}, plain("Ready", "True"), patience},
		{"never writes", "Silent", manifest.Promises, nil, nil, nil, 4 * time.Second},
	}
}
