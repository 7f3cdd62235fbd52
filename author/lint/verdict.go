package lint

// A ToolVerdict is what a tool concludes from an object of a kind in a scenario.
type ToolVerdict struct {
	Tool     string   `json:"tool"`
	Scenario Scenario `json:"situation"`
	Output   string   `json:"says"`            // in the terms of the tool
	Done     bool     `json:"done"`            // whether a wait with the tool would end now
	Correct  bool     `json:"right"`           // whether Done is correct
	Why      string   `json:"why"`             // one line
	Advice   string   `json:"helps,omitempty"` // a change that would make it correct; empty if it is

	Object map[string]any `json:"-"` // the object; all tools share it
}

// A tool waits for objects, or shows their state.
type tool struct {
	name    string
	applies func(Version) bool // nil: applies to all kinds
	read    func(scenarioObject) ToolVerdict
}

// tools are the tools, in the order of the verdicts.
var tools = []tool{
	{"kubectl wait", nil, kubectlWait},
	{"kstatus (cli-utils)", nil, cliUtils},
	{"Helm 4", nil, helm},
	{"Flux", nil, flux},
	{"Argo CD", nil, argoCD},
	{"Cluster API", hasContract, clusterAPI},
	{"kstatus", nil, kstatusTool},
}

// ToolVerdicts returns the conclusion of each tool from an object of the version in each
// scenario, by tool and then by scenario. For each scenario it creates an object with the fields
// and defaults of the schema, and applies the code or the rules of the tool. Cluster API is
// omitted for kinds that it does not read.
//
// declared are the condition types that the kind's controller writes, which a schema does not
// have; see [Options.DeclaredConditions]. Without any, a condition Ready is assumed.
func ToolVerdicts(v Version, declared ...string) (all []ToolVerdict) {
	if v.CRD == nil || v.CRD.Kind == "" {
		return nil
	}
	judged := scenarioObjects(v, declared)
	for _, t := range tools {
		if t.applies != nil && !t.applies(v) {
			continue
		}
		for _, x := range judged {
			r := t.read(x)
			r.Tool, r.Scenario, r.Correct, r.Object = t.name, x.scenario, r.Done == x.scenario.Done, x.object
			if r.Correct {
				r.Advice = ""
			}
			all = append(all, r)
		}
	}
	return all
}

// advice returns the change of the definition or the controller that makes a wrong reader
// correct in this scenario.
func (x scenarioObject) advice() string {
	switch {
	case x.scenario.Name == "created" && !x.version.hasGeneration():
		return "status.observedGeneration with the default -1, and a controller that writes it (L-03, L-06)"
	case x.scenario.Name == "created":
		return "the default -1 for status.observedGeneration, with a default for the status itself (L-06)"
	case x.scenario.Name == "first-write" && x.version.hasGeneration():
		return "the default -1 on the field itself (L-08), and all conditions in the first write, Unknown if necessary"
	case x.scenario.Name == "first-write":
		return "all conditions in the first write, Unknown if necessary"
	case x.scenario.Name == "observed-early":
		return "conditions in the same write as observedGeneration, with " + x.summary + " Unknown if necessary"
	case x.scenario.Name == "spec-changed":
		return "status.observedGeneration, written with the conditions (L-03)"
	case x.version.Status().Property("conditions").Type() != "array":
		return "conditions in the standard form (L-11)"
	default:
		return "a condition Ready, or Reconciling and Stalled, in addition to " + x.summary + " (L-24)"
	}
}
