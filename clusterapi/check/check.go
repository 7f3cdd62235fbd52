package check

import (
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

// Options complete what the definitions leave open. The zero value is ready to
// use.
type Options struct {
	Roles    map[string]roles.Role // by the name of the kind; overrides [roles.Of]
	Contract Contract              // overrides the labels; empty: the contract of the label, or a guess from the schema
	Release  string                // of the provider, such as v0.3.0: selects its series in metadata.yaml; empty: the newest
	Complete bool                  // the bundle has all objects: a reference to an object outside of it is dangling
	Secrets  bool                  // the bundle has all Secrets; their metadata suffices
}

// A check is one requirement of the contract.
type check struct {
	ID, Name string
	Severity severity.Level
	Doc      string
	General  string                      // the check of package lint with the same requirement for any kind; empty: none
	Roles    []roles.Role                // Kind and Object are called for kinds with these roles; nil: every role
	Contract Contract                    // Kind is called for kinds that follow this contract; empty: both
	Kind     func(*pass, kind)           // called for each definition that matches
	Bundle   func(*pass)                 // called once
	Object   func(*pass, providerObject) // called for each object that matches
}

// A pass is one run of a check.
type pass struct {
	*lint.Pass
	options *Options
	graph   *objectGraph // nil in checks of definitions
}

// Checks returns the checks of definitions and of the objects that are
// installed with them.
func Checks(o Options) []*lint.Check { return o.build(definitionChecks) }

// ExtraChecks returns the [Checks] without those whose requirement package lint
// has for all kinds. Use it to run both.
func ExtraChecks(o Options) []*lint.Check {
	return o.build(slices.DeleteFunc(slices.Clone(definitionChecks), func(c *check) bool { return c.General != "" }))
}

// ObjectChecks returns the checks of objects. The bundle also needs their
// definitions, which determine the contract of an object.
func ObjectChecks(o Options) []*lint.Check { return o.build(objectChecks) }

func (o Options) build(checks []*check) []*lint.Check {
	var all []*lint.Check
	for _, c := range checks {
		built := &lint.Check{ID: c.ID, Name: c.Name, Severity: c.Severity, Doc: c.Doc}
		if c.Kind != nil {
			built.CRD = func(p *lint.Pass, crd lint.CRD) {
				if k, ok := o.kindOf(crd); ok && c.appliesTo(k.role, k.contract) {
					c.Kind(&pass{Pass: p, options: &o}, k)
				}
			}
		}
		switch {
		case c.Bundle != nil:
			built.Bundle = func(p *lint.Pass) { c.Bundle(&pass{Pass: p, options: &o}) }
		case c.Object != nil:
			built.Bundle = func(p *lint.Pass) { c.runOnObjects(p, &o) }
		}
		all = append(all, built)
	}
	return all
}

func (c *check) appliesTo(r roles.Role, contract Contract) bool {
	if c.Contract != "" && c.Contract != contract {
		return false
	}
	for _, role := range c.Roles {
		if role == r {
			return true
		}
	}
	return c.Roles == nil
}

// report adds a finding about the version of a kind that core reads.
func (p *pass) report(k kind, path lint.Path, message, suggestion string, fix *lint.Fix) {
	p.Report(lint.Finding{
		Version:    k.version.Name,
		Path:       path,
		Message:    message,
		Suggestion: suggestion,
		Fix:        fix,
	})
}

// rolesWithStatus lists the roles whose status core reads.
var rolesWithStatus = []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.InfraMachinePool, roles.BootstrapConfig, roles.ControlPlane}

// add returns a fix that is safe to apply without review.
func add(path lint.Path, value any) *lint.Fix {
	return &lint.Fix{Edits: []lint.Edit{{Op: lint.OpAdd, Path: path, Value: value}}}
}
