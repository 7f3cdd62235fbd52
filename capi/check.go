package capi

import (
	"slices"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

// Options say what a definition does not.
type Options struct {
	Roles    map[string]Role // of kinds by their name, over what [RoleOf] says
	Contract Contract        // to judge by, whatever labels say; empty: that of the label, or what the schema looks like
	Release  string          // of the provider, such as v0.3.0: its series in metadata.yaml; empty: the newest
	Complete bool            // the objects are all there are: one that is referred to and not among them does not exist
	Secrets  bool            // so are the Secrets, of which the metadata suffices
}

// A check is one demand of the contract on definitions.
type check struct {
	ID, Name string
	Severity severity.Level
	Doc      string
	General  string                      // the check of package lint that demands the same of any kind; empty if none does
	Roles    []Role                      // of the kinds that Kind is called for; nil: every role
	Contract Contract                    // that Kind is called for; empty: both
	Kind     func(*pass, kind)           // is called for each definition with such a role
	Bundle   func(*pass)                 // is called once
	Object   func(*pass, providerObject) // is called for each object of such a role
}

// A pass is one run of a check.
type pass struct {
	*lint.Pass
	options *Options
	graph   *objectGraph // nil in checks of definitions
}

// Checks returns the checks of definitions, and of what is installed with them.
func Checks(o Options) []*lint.Check { return o.build(definitionChecks) }

// ExtraChecks returns those of [Checks] that package lint does not have for all kinds. Use
// it to run both.
func ExtraChecks(o Options) []*lint.Check {
	return o.build(slices.DeleteFunc(slices.Clone(definitionChecks), func(c *check) bool { return c.General != "" }))
}

// ObjectChecks returns the checks of objects. The bundle has to have their definitions too,
// which say which contract an object follows.
func ObjectChecks(o Options) []*lint.Check { return o.build(objectChecks) }

func (o Options) build(checks []*check) []*lint.Check {
	var all []*lint.Check
	for _, c := range checks {
		built := &lint.Check{ID: c.ID, Name: c.Name, Severity: c.Severity, Doc: c.Doc}
		if c.Kind != nil {
			built.CRD = func(p *lint.Pass, crd lint.CRD) {
				if k, ok := o.kindOf(crd); ok && c.concerns(k.role, k.contract) {
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

func (c *check) concerns(r Role, contract Contract) bool {
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
func (p *pass) report(k kind, path lint.Path, message, repair string, fix *lint.Fix) {
	p.Report(lint.Finding{
		Version:    k.version.Name,
		Path:       path,
		Message:    message,
		Suggestion: repair,
		Fix:        fix,
	})
}

// reporting are the roles whose status core reads.
var reporting = []Role{RoleInfraCluster, RoleInfraMachine, RoleInfraMachinePool, RoleBootstrapConfig, RoleControlPlane}

// add returns a fix that needs no thought.
func add(path lint.Path, value any) *lint.Fix {
	return &lint.Fix{Edits: []lint.Edit{{Op: lint.OpAdd, Path: path, Value: value}}}
}
