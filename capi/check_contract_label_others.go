package capi

import (
	"slices"
	"strings"

	"kstatus.dev/severity"
)

var contractLabelOthers = &check{
	ID: "L-28", Name: "contract-label-others", Severity: severity.Warning,
	Doc: `labels of contracts name no versions that are not served (C-RES-3)

The contract asks that each version in the value exists. Core reads only the highest of
the newest contract; the others wait for the day when that goes.`,
	Kind: func(p *pass, k kind) {
		read := true // by core: the first label that is there
		for _, c := range contracts {
			value := k.Labels[c.Label()]
			if value == "" {
				continue
			}
			var odd []string
			for _, name := range strings.Split(value, "_") {
				if !slices.Contains(k.served(), name) && !(read && name == highest(strings.Split(value, "_"))) {
					odd = append(odd, quote(name))
				}
			}
			read = false
			if odd != nil {
				p.unserved(k, c, "no version "+strings.Join(odd, ", ")+" is served")
			}
		}
	},
}
