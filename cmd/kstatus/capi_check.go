package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/capi"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// look reads what is to be checked, checks it, and prints what was found.
func (c *capiCheck) look(ctx context.Context, args []string) error {
	o, err := c.contractOptions()
	if err != nil {
		return err
	}
	r := &lintRun{env: c.env, contract: true}
	for _, name := range append(slices.Clone(c.files), args...) {
		c.readFiles(r, name)
	}
	if c.live {
		if err := c.readCluster(ctx, r, &o); err != nil {
			return err
		}
	}
	if r.options, err = c.lintOptions(o); err != nil {
		return err
	}
	if len(c.scenarios) == 0 && len(r.unread) == 0 && !r.hasPart(o) {
		fmt.Fprintln(c.env.err, "Nothing to check found: want a kind that has a role in the contract, a Deployment or a metadata.yaml;")
		fmt.Fprintln(c.env.err, "--role KIND=ROLE says it of a kind whose group and name do not.")
		return exitWith(exitMissing)
	}
	r.look()
	if err := c.play(ctx, r, o); err != nil {
		return err
	}
	for _, err := range r.unread {
		c.env.complain(err)
	}
	r.nameObjects()
	if err := c.printFindings(r); err != nil {
		return err
	}
	return exitWith(r.code())
}

// hasPart reports whether anything that was read has a part in the contract.
func (r *lintRun) hasPart(o capi.Options) bool {
	for _, d := range r.bundle.CRDs() {
		if _, said := o.Roles[d.Kind]; said || roleOf(d, o) != capi.NoRole {
			return true
		}
	}
	return slices.ContainsFunc(r.bundle.Objects, func(x map[string]any) bool { return x["kind"] == "Metadata" || x["kind"] == "Deployment" })
}

// lintOptions returns how the checks are run, and which.
func (c *capiCheck) lintOptions(o capi.Options) (lint.Options, error) {
	all := c.all(o)
	options := lint.Options{Plural: crd.Plural}
	if c.strict {
		options.Profile = lint.Strict
	}
	for _, name := range append(slices.Clone(c.only), c.skip...) {
		known := len(c.scenarios) > 0 && isScenario(name)
		if !known && checkCalled(all, name) == nil {
			return options, usagef("%q: there is no such check; --explain list names them", name)
		}
	}
	options.Checks = kept(all, c.only, c.skip)
	return options, nil
}

// nameObjects gives findings about objects their kind and namespace, which
// definitions do not need.
func (r *lintRun) nameObjects() {
	for i, f := range r.findings {
		if f.Object < 0 || f.Object >= len(r.bundle.Objects) {
			continue
		}
		o := r.bundle.Objects[f.Object]
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
		r.findings[i].Name = strings.TrimSpace(kind + " " + name)
	}
}

// printFindings prints what was found in the format that was asked for.
func (c *capiCheck) printFindings(r *lintRun) error {
	if c.output != "text" {
		return c.print(r)
	}
	out := bufio.NewWriter(c.env.out)
	colour := c.env.coloursOn(c.env.out, c.colour)
	for _, f := range r.inOrder() {
		where := f.at.String()
		if where == "" {
			where = strings.TrimPrefix(f.Path.String()+" ", " ")
			where = strings.TrimSpace(f.Name + " " + where)
		}
		fmt.Fprintf(out, "%s: %s: %s%s [%s %s]\n", text.Line(where), severityWord(f.Severity, colour), text.Line(aboutOf(f.Finding)), text.Line(f.Message), f.ID, f.Check)
		if f.Repair != "" {
			fmt.Fprintf(out, "    %s\n", text.Line(f.Repair))
		}
	}
	fmt.Fprintln(out, r.tally())
	return out.Flush()
}

// tally counts what was found, and what was looked at.
func (r *lintRun) tally() string {
	definitions := len(r.bundle.CRDs())
	tally := r.counts() + " in " + text.Count(definitions, "definition")
	if n := len(r.bundle.Objects) - definitions; n > 0 {
		tally += " and " + text.Count(n, "other object")
	}
	if n := len(r.ignored); n > 0 {
		tally += fmt.Sprintf(", %d ignored with a reason", n)
	}
	return tally
}

// explain prints what a check demands, or with the name list all that there are.
func (c *capiCheck) explain(args []string) error {
	return explainCheck(c.env.out, c.all(capi.Options{}), args, c.explained, "%-15s %-28s %-8s %s\n", nil)
}
