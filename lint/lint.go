package lint

import (
	"cmp"
	"slices"

	"kstatus.dev/severity"
)

// A Check demands one thing of the definitions of a bundle.
type Check struct {
	ID        string                     // stable, such as "L-03"
	Name      string                     // kebab-case; what users write to switch it off
	Severity  severity.Level             // of its findings; Off: the check does not run
	InProfile map[Profile]severity.Level // instead of Severity, in these profiles
	Doc       string                     // first line: what it demands; then why, and how to repair
	Version   func(*Pass, Version)       // looks at each served version that has a status; may be nil
	CRD       func(*Pass, CRD)           // looks at each definition; may be nil
	Bundle    func(*Pass)                // looks at the whole once, and offers no fixes of definitions; may be nil
}

// A Profile says for which readers of the status a check has which severity.
type Profile string

// The profiles.
const (
	ProfileDefault Profile = ""        // as each check says
	ProfileKstatus Profile = "kstatus" // kinds whose readers wait with kstatus: Helm, Flux, and the like
	ProfileCapi    Profile = "capi"    // kinds of providers for Cluster API
	ProfileStrict  Profile = "strict"  // a warning is an error, and info a warning
)

// Profiles lists the profiles that have a name.
func Profiles() []Profile { return []Profile{ProfileKstatus, ProfileCapi, ProfileStrict} }

// SeverityIn returns the severity that findings of the check have in a profile.
func (c *Check) SeverityIn(p Profile) severity.Level {
	if s, ok := c.InProfile[p]; ok {
		return s
	}
	return p.weigh(c.Severity)
}

// weigh returns a severity as the profile takes it.
func (p Profile) weigh(l severity.Level) severity.Level {
	if p == ProfileStrict {
		return l.Raised()
	}
	return l
}

// A Finding is one thing to fix.
type Finding struct {
	ID         string         `json:"id"`
	Check      string         `json:"check"`
	Severity   severity.Level `json:"severity"`
	Object     int            `json:"object"`            // index into the bundle; -1: the bundle as a whole
	Name       string         `json:"name"`              // the name of the object
	Version    string         `json:"version,omitempty"` // of the definition
	Path       Path           `json:"path"`              // the field; a caller maps it to a line
	Message    string         `json:"message"`           // what is wrong, in one line
	Suggestion string         `json:"repair,omitempty"`  // what to write instead
	Fix        *Fix           `json:"fix,omitempty"`     // nil: a person has to fix it
}

// A Pass is one run of one check.
type Pass struct {
	Check   *Check
	Bundle  Bundle
	Options Options
	found   *[]Finding
	current Finding // what the check runs on
	memo    map[any]any
	index   *bundleIndex
}

// Memo returns a value that several checks of a run need. The first check computes it; no
// check may change it. Use a type of your own as the key of each value.
func Memo[T any](p *Pass, key any, work func() T) T {
	if known, there := p.memo[key]; there {
		return known.(T)
	}
	made := work()
	p.memo[key] = made
	return made
}

// CRDs returns the definitions of the bundle, in its order.
func (p *Pass) CRDs() []CRD { return p.index.crds }

// Report adds a finding about the definition, or about the version of it, that the check
// runs on. Only Path, Message, Suggestion and Fix of the finding have to be set. A Version
// names another version of the definition. A Severity makes the finding milder than those
// of the check are. Report sets the other fields.
func (p *Pass) Report(f Finding) {
	about := p.current
	if f.Severity != severity.Off {
		about.Severity = min(about.Severity, p.Options.Profile.weigh(f.Severity))
	}
	if f.Version != "" {
		about.Version = f.Version
	}
	if f.Fix != nil && f.Fix.ChangesController && p.Options.Foreign {
		unsafe := *f.Fix
		unsafe.Unsafe = true
		f.Fix = &unsafe
	}
	about.Path, about.Message, about.Suggestion, about.Fix = f.Path, f.Message, f.Suggestion, f.Fix
	*p.found = append(*p.found, about)
}

// ForObject returns the same pass for another object of the bundle, by its index: what it
// reports is about that object.
func (p *Pass) ForObject(index int) *Pass {
	other := *p
	other.current.Object, other.current.Version, other.current.Name = index, "", nameOf(p.Bundle.Objects[index])
	return &other
}

// Options say how the checks run. The zero value runs all checks.
type Options struct {
	Profile   Profile
	Checks    []*Check                 // nil: [Checks]
	Validator Validator                // nil: checks that need it report nothing
	Plural    func(kind string) string // the plural as Cluster API makes it; nil: checks that need it report nothing
	// RuleProblems returns what is wrong with the rule in the annotation kstatus.dev/rule of a
	// definition; nil: the check for it reports nothing. Package celrule has one.
	RuleProblems func(crd map[string]any) []string
	Ignore       func(Finding) bool // reports which findings to drop; they are not fixed either; nil: none

	// Conditions are the condition types that controllers write, by kinds such as
	// "Lamp.example.com". For other kinds they are taken from the objects of the bundle.
	Conditions map[string][]string
	// Foreign says that the definitions belong to somebody else. Then fixes that require
	// a change of their controllers are unsafe.
	Foreign bool

	fixableOnly     bool // only findings with a fix matter
	skipSchemaCheck bool // fixes are not validated one by one
}

// A Validator validates as the API server does. Package kube/crd has one.
type Validator interface {
	// Validate returns why the API server would reject a definition; nil if it would not.
	Validate(crd map[string]any) []Problem
	// ValidateObject returns why the API server would reject an object of a version.
	ValidateObject(crd map[string]any, version string, object map[string]any) []Problem
}

// A Problem is one reason why the API server would reject an object.
type Problem struct {
	Path    Path
	Message string
}

// Run runs the checks. The order of findings is the order of the objects, then
// of the checks, then of the versions and paths. The objects are not changed.
func Run(b Bundle, o Options) []Finding { return run(b, o, newIndex(b), allObjects) }

// allObjects is instead of the index of one.
const allObjects = -1

// run runs the checks on the bundle as a whole, and on one definition or all of them.
func run(b Bundle, o Options, x *bundleIndex, only int) []Finding {
	checks := o.checks()
	definitions := x.crds
	if only != allObjects {
		definitions = x.definition(only)
	}
	var found []Finding
	once := map[any]any{}
	for _, c := range checks {
		weight := c.SeverityIn(o.Profile)
		if weight == severity.Off {
			continue
		}
		p := &Pass{Check: c, Bundle: b, Options: o, found: &found, memo: once, index: x}
		p.current = Finding{ID: c.ID, Check: c.Name, Severity: weight, Object: -1}
		if c.Bundle != nil && (only == allObjects || len(definitions) == 0) {
			c.Bundle(p)
		}
		for _, crd := range definitions {
			p.runOn(crd)
		}
	}
	if o.Ignore != nil {
		found = slices.DeleteFunc(found, o.Ignore)
	}
	order := map[string]int{}
	for i, c := range checks {
		order[c.Name] = i
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(order[a.Check], order[b.Check]))
	})
	return found
}

// checks returns the checks to run.
func (o Options) checks() []*Check {
	if o.Checks == nil {
		return Checks
	}
	return o.Checks
}

// runOn runs the check on a definition and its versions.
func (p *Pass) runOn(crd CRD) {
	p.runOnDefinition(crd)
	for _, v := range crd.Versions {
		if p.Check.appliesTo(v) {
			p.runOnVersion(v)
		}
	}
}

// runOnDefinition runs the check on a definition as a whole.
func (p *Pass) runOnDefinition(crd CRD) {
	p.current.Object, p.current.Name, p.current.Version = crd.Index, crd.Name, ""
	if p.Check.CRD != nil {
		p.Check.CRD(p, crd)
	}
}

// appliesTo reports whether the check looks at a version.
func (c *Check) appliesTo(v Version) bool { return c.Version != nil && v.Served && v.HasStatus() }

// runOnVersion runs the check on a version of the definition that it ran on last.
func (p *Pass) runOnVersion(v Version) {
	p.current.Version = v.Name
	p.Check.Version(p, v)
}
