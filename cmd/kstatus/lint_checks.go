package main

import (
	"slices"
	"strings"

	"kstatus.dev/capi"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// lintChecks lists the checks: of all kinds, and of providers of Cluster API.
func lintChecks() []*lint.Check { return slices.Concat(lint.Checks, capi.Besides(capi.Options{})) }

// docsOf returns where the checks of a command are told of.
func docsOf(command string) string {
	return "https://kstatus.dev/docs/" + strings.ReplaceAll(command, " ", "-")
}

// checkDocs returns where a check is told of.
func checkDocs(c *lint.Check) string {
	if slices.Contains(lint.Checks, c) {
		return "https://kstatus.dev/docs/checks#" + strings.ToLower(c.ID) + "-" + c.Name
	}
	return "https://kstatus.dev/docs/checks-capi#" + c.Name
}

// options returns how the checks are run.
func (l *lintCommand) options() (lint.Options, error) {
	checks, err := l.chosen()
	o := lint.Options{Profile: lint.Profile(l.profile), Checks: checks, Schemas: &crd.Server{}, Plural: crd.Plural,
		Foreign: l.foreign || l.patch != "", Conditions: map[string][]string{}}
	for _, text := range l.conditions {
		kind, types, ok := strings.Cut(text, "=")
		if !ok || !strings.Contains(kind, ".") {
			return o, usagef("--conditions %q: want KIND.GROUP=TYPE,...", text)
		}
		o.Conditions[kind] = strings.Split(types, ",")
	}
	return o, err
}

// chosen returns the checks that --only and --skip leave.
func (l *lintCommand) chosen() (chosen []*lint.Check, err error) {
	all := lintChecks()
	for _, name := range append(slices.Clone(l.only), l.skip...) {
		if checkNamed(name) == nil {
			return nil, usagef("%q: there is no such check; --explain list names them", name)
		}
	}
	for _, c := range all {
		is := func(name string) bool { return name == c.Name || strings.EqualFold(name, c.ID) }
		if (len(l.only) == 0 || slices.ContainsFunc(l.only, is)) && !slices.ContainsFunc(l.skip, is) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// checkNamed returns the check of a name or an id; nil if there is none.
func checkNamed(name string) *lint.Check {
	for _, c := range lintChecks() {
		if c.Name == name || strings.EqualFold(c.ID, name) {
			return c
		}
	}
	return nil
}
