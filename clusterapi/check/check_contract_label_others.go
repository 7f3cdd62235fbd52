package check

import (
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var contractLabelOthers = &check{
	ID: "L-28", Name: "contract-label-others", Severity: severity.Warning,
	Doc: `contract labels name only served versions (C-RES-3)

The contract requires that each version in the value exists. Core reads only the
highest version of the newest contract. The other versions come into use when that
contract is removed.`,
	Kind: func(p *pass, k kind) {
		read := true // core reads the first label with a value
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
				p.reportUnserved(k, c, "version "+strings.Join(odd, ", ")+" is not served")
			}
		}
	},
}
