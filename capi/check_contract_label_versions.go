package capi

import (
	"slices"
	"strings"

	"kstatus.dev/lint"
)

var contractLabelVersions = &check{
	ID: "C-RES-3", Name: "contract-label-versions", Severity: lint.Error,
	Doc: `the label of a contract names versions that exist and are served (L-28)

Core takes the highest version of the label's value, which lists them joined by
underscores, and reads objects in it without looking whether it exists. If it does
not, or is not served, every read fails and all that depends on it is stuck.`,
	Kind: func(p *pass, k kind) {
		var served []string
		for _, v := range k.Versions {
			if v.Served {
				served = append(served, v.Name)
			}
		}
		for _, c := range contracts {
			value := k.Labels[c.Label()]
			if value == "" {
				continue
			}
			var good, bad []string
			for _, name := range strings.Split(value, "_") {
				if slices.Contains(served, name) {
					good = append(good, name)
				} else {
					bad = append(bad, quote(name))
				}
			}
			if len(bad) == 0 {
				continue
			}
			at := lint.Path{"metadata", "labels", c.Label()}
			repair, fix := "name versions that are served: "+strings.Join(served, "_"), (*lint.Fix)(nil)
			if len(good) > 0 {
				repair, fix = c.Label()+": "+strings.Join(good, "_"), add(at, strings.Join(good, "_"))
			}
			p.Report(at, "no version "+strings.Join(bad, ", ")+" is served", repair, fix)
		}
	},
}
