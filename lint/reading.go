package lint

// A Reading is what a tool makes of an object of a kind in a situation.
type Reading struct {
	Tool      string    `json:"tool"`
	Situation Situation `json:"situation"`
	Says      string    `json:"says"`            // in the tool's own words
	Done      bool      `json:"done"`            // whether a wait with it would end now
	Right     bool      `json:"right"`           // whether that is so
	Why       string    `json:"why"`             // one line
	Helps     string    `json:"helps,omitempty"` // what would make it right; empty if it is right

	Object map[string]any `json:"-"` // what was judged; all tools are shown the same
}

// A tool waits for objects, or shows how they are.
type tool struct {
	name    string
	applies func(Version) bool // nil: to all kinds
	read    func(scenario) Reading
}

// tools lists the tools, in the order in which they are told.
var tools = []tool{
	{"kubectl wait", nil, kubectlWait},
	{"kstatus (cli-utils)", nil, cliUtils},
	{"Helm 4", nil, helm},
	{"Flux", nil, flux},
	{"Argo CD", nil, argoCD},
	{"Cluster API", hasContract, clusterAPI},
	{"kstatus", nil, ours},
}

// Readings returns what each tool makes of an object of the version in each
// situation: by tool, then by situation. They are worked out, not remembered:
// for each situation an object is made that has the fields and defaults that the
// schema gives it, and is judged as the tool judges. Cluster API is left out for
// kinds that it does not read.
//
// The types of conditions that the kind's controller writes are what no schema
// tells, see [Options.DeclaredConditions]; without any, a condition Ready is assumed.
func Readings(v Version, declared ...string) (all []Reading) {
	if v.CRD == nil || v.CRD.Kind == "" {
		return nil
	}
	judged := scenarios(v, declared)
	for _, t := range tools {
		if t.applies != nil && !t.applies(v) {
			continue
		}
		for _, x := range judged {
			r := t.read(x)
			r.Tool, r.Situation, r.Right, r.Object = t.name, x.situation, r.Done == x.situation.Done, x.object
			if r.Right {
				r.Helps = ""
			}
			all = append(all, r)
		}
	}
	return all
}

// helps returns what in the definition or in the controller makes readers right
// in a situation in which they are wrong.
func (x scenario) helps() string {
	switch {
	case x.situation.Name == "created" && !x.version.hasGeneration():
		return "status.observedGeneration with the default -1, and a controller that writes it (L-03, L-06)"
	case x.situation.Name == "created":
		return "the default -1 for status.observedGeneration, with a default for the status itself (L-06)"
	case x.situation.Name == "first-write" && x.version.hasGeneration():
		return "the default -1 on the field itself (L-08), and all conditions in the first write, Unknown if need be"
	case x.situation.Name == "first-write":
		return "all conditions in the first write, Unknown if need be"
	case x.situation.Name == "observed-early":
		return "conditions in the same write as observedGeneration, " + x.summary + " Unknown if need be"
	case x.situation.Name == "spec-changed":
		return "status.observedGeneration, written with the conditions (L-03)"
	case x.version.Status().Property("conditions").Type() != "array":
		return "conditions of the standard shape (L-11)"
	default:
		return "a condition Ready, or Reconciling and Stalled, besides " + x.summary + " (L-24)"
	}
}
