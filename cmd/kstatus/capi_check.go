package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/capi"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

func (c *capiCheck) run(ctx context.Context, args []string) error {
	if c.flags.explained != "" {
		catalog := checkCatalog{contractChecks(capi.Options{}), "%-15s %-28s %-8s %s\n", nil}
		return catalog.explain(c.env.out, c.flags.explained, args)
	}
	if err := c.check(args); err != nil {
		return err
	}
	o, err := c.contract.options()
	if err != nil {
		return err
	}
	r := &checkRun{env: c.env, form: contractForm}
	for _, name := range c.flags.names(args) {
		r.readFiles(name, c.flags.recursive)
	}
	if c.live {
		if err := c.readCluster(ctx, r, &o); err != nil {
			return err
		}
	}
	if r.options, err = c.options(o); err != nil {
		return err
	}
	if len(c.scenarios.files) == 0 && len(r.unread) == 0 && !hasPart(r.bundle, o) {
		fmt.Fprintln(c.env.err, "Nothing to check found: want a kind that has a role in the contract, a Deployment or a metadata.yaml;")
		fmt.Fprintln(c.env.err, "--role KIND=ROLE says it of a kind whose group and name do not.")
		return exitWith(exitMissing)
	}
	r.check()
	if err := c.play(ctx, r, o); err != nil {
		return err
	}
	for _, err := range r.unread {
		c.env.complain(err)
	}
	nameObjects(r.findings, r.bundle)
	if err := r.print(c.flags); err != nil {
		return err
	}
	return exitWith(r.code())
}

// options returns how the checks are run, and which.
func (c *capiCheck) options(o capi.Options) (lint.Options, error) {
	options := lint.Options{Plural: crd.Plural}
	if c.strict {
		options.Profile = lint.Strict
	}
	var scenarios []string
	if len(c.scenarios.files) > 0 {
		scenarios = scenarioNames()
	}
	var err error
	options.Checks, err = c.flags.choose(contractChecks(o), scenarios...)
	return options, err
}

// hasPart reports whether any object has a part in the contract.
func hasPart(b lint.Bundle, o capi.Options) bool {
	for _, d := range b.CRDs() {
		if _, set := o.Roles[d.Kind]; set || roleOf(d, o) != capi.NoRole {
			return true
		}
	}
	return slices.ContainsFunc(b.Objects, func(x map[string]any) bool { return x["kind"] == "Metadata" || x["kind"] == "Deployment" })
}

// nameObjects sets the names of findings about objects to their kind, namespace and
// name. Definitions keep theirs.
func nameObjects(findings []lint.Finding, b lint.Bundle) {
	for i, f := range findings {
		if f.Object < 0 || f.Object >= len(b.Objects) {
			continue
		}
		o := b.Objects[f.Object]
		kind, _ := o["kind"].(string)
		meta, _ := o["metadata"].(map[string]any)
		if kind == "CustomResourceDefinition" {
			continue
		}
		namespace, _ := meta["namespace"].(string)
		name, _ := meta["name"].(string)
		if namespace != "" {
			name = namespace + "/" + name
		}
		findings[i].Name = strings.TrimSpace(kind + " " + name)
	}
}

// contractForm is what kstatus capi check prints besides findings.
var contractForm = findingForm{
	command: "capi check",
	place:   func(f lint.Finding) string { return strings.TrimSpace(f.Name + " " + f.Path.String()) },
	summary: contractSummary,
}

// contractSummary counts the findings, and the objects that were checked.
func contractSummary(r *checkRun) string {
	definitions := len(r.bundle.CRDs())
	summary := r.counts() + " in " + text.Count(definitions, "definition")
	if n := len(r.bundle.Objects) - definitions; n > 0 {
		summary += " and " + text.Count(n, "other object")
	}
	return summary + r.ignoredText()
}
