package check

import (
	"slices"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

// A fix that --fix applies without review must not make the API server reject a
// status that a controller could write before.
func TestSafeFixesRejectNoObject(t *testing.T) {
	forbidding := []string{"minProperties", "maxProperties", "required", "x-kubernetes-validations", "enum", "pattern", "minimum", "maximum",
		"minLength", "maxLength", "minItems", "maxItems", "type", "format", "x-kubernetes-list-type"}
	safe := 0
	for _, c := range definitionChecks {
		for _, m := range readCases(t, c.Name) {
			t.Run(c.Name+"/"+m.title, func(t *testing.T) {
				b, o := m.apply(t)
				for _, f := range lint.Run(b, lint.Options{Checks: Checks(o), Plural: pluralOf}) {
					if f.Fix != nil && f.Fix.Unsafe && f.Fix.Risk == "" {
						t.Errorf("%s: the fix %q is unsafe without a reason", f.Check, f.Suggestion)
					}
					if f.Fix == nil || f.Fix.Unsafe {
						continue
					}
					safe++
					for _, e := range f.Fix.Edits {
						key, _ := e.Path[len(e.Path)-1].(string)
						if within, _ := e.Path[max(len(e.Path)-2, 0)].(string); within == "x-kubernetes-validations" {
							key = within
						}
						if e.Op != lint.OpRemove && slices.Contains(forbidding, key) {
							t.Errorf("%s: the safe fix adds %s, which may refuse what was written before", f.Check, e.Path)
						}
					}
				}
			})
		}
	}
	if safe == 0 {
		t.Error("no case has a safe fix")
	}
}

func TestGeneratedDefinitionNeedsNoLabel(t *testing.T) {
	for _, c := range []struct {
		it      string
		changes []string
		want    severity.Level
	}{
		{"is information for one without any label", []string{"FooMachine remove metadata.labels"}, severity.Info},
		{"is nothing where the fields are of v1beta1, which contract-deadline tells", []string{"FooMachine remove metadata.labels",
			"FooMachine schema status.initialization remove", `FooMachine schema status.ready set {"type": "boolean"}`}, severity.Off},
		{"is an error beside other labels", []string{`FooMachine set metadata.labels {"cluster.x-k8s.io/provider": "infrastructure-foo"}`}, severity.Error},
		{"is an error in a cluster", []string{"FooMachine remove metadata.labels", `FooMachine set metadata.uid "1"`}, severity.Error},
		{"is an error beside the manager", []string{"FooMachine remove metadata.labels",
			`add {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "m", "namespace": "foo-system"}}`}, severity.Error},
	} {
		t.Run(c.it, func(t *testing.T) {
			b, o := mutation{title: c.it, changes: c.changes}.apply(t)
			b.Objects = slices.DeleteFunc(b.Objects, func(x map[string]any) bool {
				return decoded.Text(x, "kind") == "Deployment" && decoded.Text(x, "metadata", "name") != "m"
			})
			found := lint.Run(b, lint.Options{Checks: []*lint.Check{contractLabelCheck(o)}})
			if c.want == severity.Off && len(found) == 0 {
				return
			}
			if len(found) != 1 || found[0].Severity != c.want {
				t.Errorf("found %+v; want one that is %s", found, c.want)
			}
		})
	}
}

func contractLabelCheck(o Options) *lint.Check { return o.build([]*check{contractLabel})[0] }
