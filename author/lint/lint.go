package lint

import (
	"cmp"
	"slices"

	"kstatus.dev/author/severity"
)

// A Check verifies one requirement on the definitions of a bundle.
type Check struct {
	ID        string                     // stable, such as "L-03"
	Name      string                     // kebab-case; users disable the check by this name
	Severity  severity.Level             // the severity of its findings; Off: the check does not run
	InProfile map[Profile]severity.Level // replaces Severity in these profiles
	Doc       string                     // first line: the requirement; then the reasons, and how to repair
	Version   func(*Pass, Version)       // runs on each served version with a status; may be nil
	CRD       func(*Pass, CRD)           // runs on each definition; may be nil
	Bundle    func(*Pass)                // runs once on the bundle, and offers no fixes of definitions; may be nil
}

// A Profile sets the severities of checks for the readers of a status.
type Profile string

// The profiles.
const (
	ProfileDefault Profile = ""        // the severity of each check
	ProfileKstatus Profile = "kstatus" // kinds that Helm, Flux and other users of kstatus wait for
	ProfileCapi    Profile = "capi"    // kinds of Cluster API providers
	ProfileStrict  Profile = "strict"  // a warning is an error, and info a warning
)

// Profiles returns the profiles with a name.
func Profiles() []Profile { return []Profile{ProfileKstatus, ProfileCapi, ProfileStrict} }

// SeverityIn returns the severity of the check's findings in a profile.
func (c *Check) SeverityIn(p Profile) severity.Level {
	if s, ok := c.InProfile[p]; ok {
		return s
	}
	return p.severityFor(c.Severity)
}

// severityFor returns a severity as raised by the profile.
func (p Profile) severityFor(l severity.Level) severity.Level {
	if p == ProfileStrict {
		return l.Raised()
	}
	return l
}

// A Finding is one violation of a check.
type Finding struct {
	ID         string         `json:"id"`
	Check      string         `json:"check"`
	Severity   severity.Level `json:"severity"`
	Object     int            `json:"object"`            // index in the bundle; -1: the bundle as a whole
	Name       string         `json:"name"`              // the name of the object
	Version    string         `json:"version,omitempty"` // the version of the definition
	Path       Path           `json:"path"`              // the field; callers map it to a line
	Message    string         `json:"message"`           // the violation, in one line
	Suggestion string         `json:"repair,omitempty"`  // what to write instead
	Fix        *Fix           `json:"fix,omitempty"`     // nil: a user has to fix it
}

// A Pass is one run of one check.
type Pass struct {
	Check   *Check
	Bundle  Bundle
	Options Options
	found   *[]Finding
	current Finding // the object and the version on which the check runs
	memo    map[any]any
	index   *bundleIndex
}

// Memo returns a value that several checks of a run need. The first call computes it; no check
// may change it. Use a separate type as the key of each value.
func Memo[T any](p *Pass, key any, work func() T) T {
	if known, there := p.memo[key]; there {
		return known.(T)
	}
	made := work()
	p.memo[key] = made
	return made
}

// CRDs returns the definitions of the bundle, in order.
func (p *Pass) CRDs() []CRD { return p.index.crds }

// Report adds a finding about the definition or version on which the check runs. Only Path,
// Message, Suggestion and Fix of the finding are required. A Version names another version of
// the definition. A Severity lowers the severity of the check. Report sets the other fields.
func (p *Pass) Report(f Finding) {
	about := p.current
	if f.Severity != severity.Off {
		about.Severity = min(about.Severity, p.Options.Profile.severityFor(f.Severity))
	}
	if f.Version != "" {
		about.Version = f.Version
	}
	if f.Fix != nil && f.Fix.ChangesController && p.Options.Foreign {
		unsafe := *f.Fix
		if !unsafe.Unsafe {
			unsafe.Unsafe, unsafe.Risk = true, "the controller of another project has to change"
		}
		f.Fix = &unsafe
	}
	about.Path, about.Message, about.Suggestion, about.Fix = f.Path, f.Message, f.Suggestion, f.Fix
	*p.found = append(*p.found, about)
}

// ForObject returns the same pass for another object of the bundle, by its index. Its findings
// are about that object.
func (p *Pass) ForObject(index int) *Pass {
	other := *p
	other.current.Object, other.current.Version, other.current.Name = index, "", nameOf(p.Bundle.Objects[index])
	return &other
}

// Options configure a run of the checks. The zero value runs all checks.
type Options struct {
	Profile   Profile
	Checks    []*Check                 // nil: [Checks]
	Validator Validator                // nil: checks that need it report nothing
	Plural    func(kind string) string // the plural in Cluster API's naming; nil: checks that need it report nothing
	// RuleProblems returns what is wrong with the rule in the annotation kstatus.dev/rule of a
	// definition; nil: the check for it reports nothing. Package celrule has one.
	RuleProblems func(crd map[string]any) []string
	Ignore       func(Finding) bool // reports whether to drop a finding and not fix it; may be nil

	// Conditions are the condition types that controllers write, by kinds such as
	// "Lamp.example.com". For other kinds they are taken from the objects of the bundle.
	Conditions map[string][]string
	// Foreign says that another project owns the definitions. Fixes that require a change of their
	// controllers are unsafe then.
	Foreign bool

	fixableOnly     bool // only findings with a fix matter
	skipSchemaCheck bool // fixes are not validated one by one
}

// A Validator validates like the API server. Package author/crd has one.
type Validator interface {
	// Validate returns why the API server would reject a definition; nil if it would not.
	Validate(crd map[string]any) []Problem
	// ValidateObject returns why the API server would reject an object of a version.
	ValidateObject(crd map[string]any, version string, object map[string]any) []Problem
}

// A Problem is a reason why the API server would reject an object.
type Problem struct {
	Path    Path
	Message string
}

// Run runs the checks. Findings are sorted by object, check, version and path. Run does not
// change the objects.
func Run(b Bundle, o Options) []Finding { return run(b, o, newIndex(b), allObjects) }

// allObjects selects all objects instead of one index.
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

// appliesTo reports whether the check runs on a version.
func (c *Check) appliesTo(v Version) bool { return c.Version != nil && v.Served && v.HasStatus() }

// runOnVersion runs the check on a version of the current definition.
func (p *Pass) runOnVersion(v Version) {
	p.current.Version = v.Name
	p.Check.Version(p, v)
}
