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
	checks, err := l.chosen(lintChecks())
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
func (l *lintCommand) chosen(all []*lint.Check) (chosen []*lint.Check, err error) {
	for _, name := range append(slices.Clone(l.only), l.skip...) {
		if checkCalled(all, name) == nil {
			return nil, usagef("%q: there is no such check; --explain list names them", name)
		}
	}
	return kept(all, l.only, l.skip), nil
}

// kept returns the checks that are named by only, or all if that names none,
// without those named by skip.
func kept(all []*lint.Check, only, skip []string) (chosen []*lint.Check) {
	for _, c := range all {
		is := func(name string) bool { return isNamed(c, name) }
		if (len(only) == 0 || slices.ContainsFunc(only, is)) && !slices.ContainsFunc(skip, is) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// isNamed tells whether a name is that of a check, or its id.
func isNamed(c *lint.Check, name string) bool { return c.Name == name || strings.EqualFold(c.ID, name) }

// checkCalled returns the check of a name or an id; nil if there is none.
func checkCalled(all []*lint.Check, name string) *lint.Check {
	i := slices.IndexFunc(all, func(c *lint.Check) bool { return isNamed(c, name) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// checkNamed returns the check of a name or an id among those of kstatus lint.
func checkNamed(name string) *lint.Check { return checkCalled(lintChecks(), name) }
