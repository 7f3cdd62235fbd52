package check

import (
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var contractLabelVersions = &check{
	ID: "C-RES-3", Name: "contract-label-versions", Severity: severity.Error,
	Doc: `the version that core takes from the label is served (L-28)

Core takes the newest contract with a label, and the highest of the versions in its
value, which are joined by underscores. It does not check that this version is
served. If it is not, every read fails, and everything that depends on the object is
stuck.`,
	Kind: func(p *pass, k kind) {
		for _, c := range contracts {
			value := k.Labels[c.Label()]
			if value == "" {
				continue
			}
			if want := highest(strings.Split(value, "_")); !slices.Contains(k.served(), want) {
				p.reportUnserved(k, c, "core reads objects in version "+quote(want)+", which is not served")
			}
			return
		}
	},
}

// served returns the names of the served versions.
func (k kind) served() (names []string) {
	for _, v := range k.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}

// reportUnserved reports a label that names versions that are not served. The fix
// removes them from the label.
func (p *pass) reportUnserved(k kind, c Contract, message string) {
	good := slices.DeleteFunc(strings.Split(k.Labels[c.Label()], "_"), func(name string) bool { return !slices.Contains(k.served(), name) })
	at := lint.Path{"metadata", "labels", c.Label()}
	if len(good) == 0 {
		p.Report(lint.Finding{
			Path:       at,
			Message:    message,
			Suggestion: "name versions that are served: " + strings.Join(k.served(), "_"),
		})
		return
	}
	value := strings.Join(good, "_")
	p.Report(lint.Finding{
		Path:       at,
		Message:    message,
		Suggestion: c.Label() + ": " + value,
		Fix:        add(at, value),
	})
}
