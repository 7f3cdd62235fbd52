package capi

import (
	"context"
	"slices"
	"strings"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
)

func (c *capiCheck) run(ctx context.Context, args []string) error {
	if c.flags.ExplainedCheck != "" {
		catalog := findings.Catalog{Checks: contractChecks(check.Options{}), Row: "%-15s %-28s %-8s %s\n"}
		return catalog.Explain(c.env.Out, c.flags.ExplainedCheck, args)
	}
	if err := c.check(args); err != nil {
		return err
	}
	o, err := c.contract.options()
	if err != nil {
		return err
	}
	r := &findings.Run{Env: c.env, Form: contractForm}
	for _, name := range c.flags.Names(args) {
		r.ReadFiles(name, c.flags.Recursive)
	}
	if c.live {
		if err := c.readCluster(ctx, r, &o); err != nil {
			return err
		}
	}
	if r.Options, err = c.options(o); err != nil {
		return err
	}
	if len(c.scenarios.files) == 0 && len(r.Unread) == 0 && !hasRole(r.Bundle, o) {
		c.env.Print("Nothing to check found: want a kind that has a role in the contract, a Deployment or a metadata.yaml;")
		c.env.Print("--role KIND=ROLE sets the role of a kind whose group and name do not show it.")
		return exit.With(exit.Missing)
	}
	r.Check()
	if err := c.runScenarios(ctx, r, o); err != nil {
		return err
	}
	for _, err := range r.Unread {
		c.env.PrintError(err)
	}
	nameObjects(r.Findings, r.Bundle)
	if err := r.Print(c.flags); err != nil {
		return err
	}
	return exit.With(r.Code())
}

// options returns the checks and their options.
func (c *capiCheck) options(o check.Options) (lint.Options, error) {
	options := lint.Options{Plural: crd.Plural}
	if c.strict {
		options.Profile = lint.ProfileStrict
	}
	var scenarios []string
	if len(c.scenarios.files) > 0 {
		scenarios = scenarioNames()
	}
	var err error
	options.Checks, err = c.flags.SelectChecks(contractChecks(o), scenarios...)
	return options, err
}

// hasRole reports whether any object has a role in the contract.
func hasRole(b lint.Bundle, o check.Options) bool {
	for _, d := range b.CRDs() {
		if _, set := o.Roles[d.Kind]; set || roleOf(d, o) != roles.None {
			return true
		}
	}
	return slices.ContainsFunc(b.Objects, func(x map[string]any) bool { return x["kind"] == "Metadata" || x["kind"] == "Deployment" })
}

// nameObjects sets the names of findings about objects to kind, namespace and name. Findings
// about definitions keep their names.
func nameObjects(findings []lint.Finding, b lint.Bundle) {
	for i, f := range findings {
		if f.Object < 0 || f.Object >= len(b.Objects) {
			continue
		}
		o := b.Objects[f.Object]
		kind := decoded.Text(o, "kind")
		if kind == "CustomResourceDefinition" {
			continue
		}
		name := decoded.Text(o, "metadata", "name")
		if namespace := decoded.Text(o, "metadata", "namespace"); namespace != "" {
			name = namespace + "/" + name
		}
		findings[i].Name = strings.TrimSpace(kind + " " + name)
	}
}

// contractForm is the output of kstatus capi check that is not about findings.
var contractForm = findings.Form{
	CommandName: "capi check",
	Place:       func(f lint.Finding) string { return strings.TrimSpace(f.Name + " " + f.Path.String()) },
	Summary:     contractSummary,
}

// contractSummary returns the numbers of findings and of checked objects.
func contractSummary(r *findings.Run) string {
	definitions := len(r.Bundle.CRDs())
	summary := r.Counts() + " in " + text.Count(definitions, "definition")
	if n := len(r.Bundle.Objects) - definitions; n > 0 {
		summary += " and " + text.Count(n, "other object")
	}
	return summary + r.IgnoredText()
}
