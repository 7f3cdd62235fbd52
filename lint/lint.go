package lint

import (
	"cmp"
	"fmt"
	"slices"
)

// A Check demands one thing of the definitions of a bundle.
type Check struct {
	ID        string               // stable, such as "L-03"
	Name      string               // kebab-case; what users write to switch it off
	Severity  Severity             // what a finding weighs
	InProfile map[Profile]Severity // what it weighs in these profiles instead
	Doc       string               // first line: what it demands; then why, and how to repair
	Version   func(*Pass, Version) // looks at each served version that has a status; may be nil
	CRD       func(*Pass, CRD)     // looks at each definition; may be nil
	Bundle    func(*Pass)          // looks at the whole once; may be nil
}

// A Severity says how bad a finding is.
type Severity int

// Severities, mildest first. A Hint and a Warning leave an exit code alone.
const (
	Off     Severity = iota // in a profile: the check does not count there
	Hint                    // good to know
	Warning                 // a consumer is misled, or a convention is broken
	Error                   // something demonstrably breaks
)

// String returns the severity as people write it.
func (s Severity) String() string {
	return [...]string{"off", "hint", "warning", "error"}[max(Off, min(s, Error))]
}

// A Profile says for whom the findings are weighed.
type Profile string

// The profiles.
const (
	ProfileDefault Profile = ""        // as each check says
	ProfileKstatus Profile = "kstatus" // kinds whose readers wait with kstatus: Helm, Flux, and the like
	ProfileCapi    Profile = "capi"    // kinds of providers for Cluster API
	ProfileStrict  Profile = "strict"  // a warning is an error, a hint a warning
)

// Profiles lists the profiles that have a name.
func Profiles() []Profile { return []Profile{ProfileKstatus, ProfileCapi, ProfileStrict} }

// SeverityIn returns what a finding of the check weighs in a profile.
func (c *Check) SeverityIn(p Profile) Severity {
	if s, ok := c.InProfile[p]; ok {
		return s
	}
	if p == ProfileStrict && c.Severity != Off {
		return min(c.Severity+1, Error)
	}
	return c.Severity
}

// A Finding is one thing to repair.
type Finding struct {
	ID         string   `json:"id"`
	Check      string   `json:"check"`
	Severity   Severity `json:"severity"`
	Object     int      `json:"object"`            // index into the bundle; -1: the bundle as a whole
	Name       string   `json:"name"`              // the name of the object
	Version    string   `json:"version,omitempty"` // of the definition
	Path       Path     `json:"path"`              // the field; a caller maps it to a line
	Message    string   `json:"message"`           // what is wrong, in one line
	Suggestion string   `json:"repair,omitempty"`  // what to write instead
	Fix        *Fix     `json:"fix,omitempty"`     // nil: a person has to think
}

// A Pass is one run of one check.
type Pass struct {
	Check   *Check
	Bundle  Bundle
	Options Options
	found   *[]Finding
	current Finding // what the check runs on
	memo    map[any]any
}

// Memo returns what several checks of a run need: the first of them computes it, and
// none changes it. The key is a type of its own for each such value.
func Memo[T any](p *Pass, key any, work func() T) T {
	if known, there := p.memo[key]; there {
		return known.(T)
	}
	made := work()
	p.memo[key] = made
	return made
}

type definitions struct{}

// CRDs returns the definitions of the bundle, in its order.
func (p *Pass) CRDs() []CRD { return Memo(p, definitions{}, p.Bundle.CRDs) }

// Report adds a finding about the field at path of what is being looked at.
func (p *Pass) Report(path Path, message, repair string, fix *Fix) {
	f := p.current
	if fix != nil && fix.ChangesController && p.Options.Foreign {
		unsafe := *fix
		unsafe.Unsafe = true
		fix = &unsafe
	}
	f.Path, f.Message, f.Suggestion, f.Fix = path, message, repair, fix
	*p.found = append(*p.found, f)
}

// Hint is Report for what is only good to know here, whatever the check weighs otherwise.
func (p *Pass) Hint(path Path, message, repair string, fix *Fix) {
	was := p.current
	mild := Check{Severity: Hint}
	p.current.Severity = min(was.Severity, mild.SeverityIn(p.Options.Profile))
	p.Report(path, message, repair, fix)
	p.current = was
}

// ReportOn adds a finding about another object of the bundle than the one that is being looked at.
func (p *Pass) ReportOn(object int, path Path, message, repair string, fix *Fix) {
	was := p.current
	p.current.Object, p.current.Version, p.current.Name = object, "", nameOf(p.Bundle.Objects[object])
	p.Report(path, message, repair, fix)
	p.current = was
}

// ReportVersion adds a finding about one version of the definition that is being looked at.
func (p *Pass) ReportVersion(v Version, path Path, message, repair string, fix *Fix) {
	was := p.current.Version
	p.current.Version = v.Name
	p.Report(path, message, repair, fix)
	p.current.Version = was
}

// Options are what a run needs besides the bundle.
type Options struct {
	Profile   Profile
	Checks    []*Check                 // nil: [Checks]
	Validator Validator                // nil: checks that need it report nothing
	Plural    func(kind string) string // the plural as Cluster API makes it; nil: checks that need it report nothing
	Ignore    func(Finding) bool       // findings that are not to be told, nor fixed; nil: none

	// Conditions are the types of conditions that the controllers of kinds write, by
	// "Lamp.example.com". For a kind without a row, the objects of the bundle tell.
	Conditions map[string][]string
	// Foreign says that the definitions belong to somebody else, so that what needs
	// a change of their controllers has to be agreed to: those fixes are unsafe.
	Foreign bool

	fixableOnly     bool // only findings with a fix matter
	skipSchemaCheck bool // fixes are not validated one by one
}

// Validator validates the way the API server does. Package kube/crd has it.
type Validator interface {
	// Validate returns what the API server would reject a definition for.
	Validate(crd map[string]any) []Problem
	// ValidateObject returns what the API server would reject an object of a version for.
	ValidateObject(crd map[string]any, version string, object map[string]any) []Problem
}

// A Problem is what the API server would object to.
type Problem struct {
	Path    Path
	Message string
}

// Run runs the checks. The order of findings is the order of the objects, then
// of the checks, then of the versions and paths. The objects are not changed.
func Run(b Bundle, o Options) []Finding { return run(b, o, func(CRD) bool { return true }) }

// run runs the checks on the bundle as a whole, and on the selected definitions.
func run(b Bundle, o Options, selected func(CRD) bool) []Finding {
	checks := o.Checks
	if checks == nil {
		checks = Checks
	}
	var found []Finding
	once := map[any]any{}
	for _, c := range checks {
		weight := c.SeverityIn(o.Profile)
		if weight == Off {
			continue
		}
		p := &Pass{Check: c, Bundle: b, Options: o, found: &found, memo: once}
		p.current = Finding{ID: c.ID, Check: c.Name, Severity: weight, Object: -1}
		if c.Bundle != nil {
			c.Bundle(p)
		}
		for _, crd := range p.CRDs() {
			if selected(crd) {
				p.runOn(crd)
			}
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

// runOn runs the check on a definition and its versions.
func (p *Pass) runOn(crd CRD) {
	p.current.Object, p.current.Name, p.current.Version = crd.Index, crd.Name, ""
	if p.Check.CRD != nil {
		p.Check.CRD(p, crd)
	}
	if p.Check.Version == nil {
		return
	}
	for _, v := range crd.Versions {
		if v.Served && v.HasStatus() {
			p.current.Version = v.Name
			p.Check.Version(p, v)
		}
	}
}

// MarshalText writes the severity as its name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity by its name.
func (s *Severity) UnmarshalText(text []byte) error {
	for _, known := range []Severity{Off, Hint, Warning, Error} {
		if known.String() == string(text) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("severity: found %q; want off, hint, warning or error", text)
}
