package check

import (
	"slices"
	"testing"

	"kstatus.dev/author/lint"
)

// VersionOf returns the highest version of the newest contract, in the order of
// Kubernetes.
func TestVersionOf(t *testing.T) {
	served := []lint.Version{{Name: "v1alpha1", Served: true}, {Name: "v1beta1", Served: true}, {Name: "v1beta2", Served: true}, {Name: "v1"}, {Name: "v10beta1", Served: true}, {Name: "odd", Served: true}}
	for _, row := range []struct{ it, v1beta2, v1beta1, want string }{
		{"prefers the newest contract", "v1beta1_v1alpha1", "v1beta2", "v1beta1"},
		{"takes the highest version of a contract", "", "v1alpha1_v1beta2_v1beta1", "v1beta2"},
		{"leaves out a version that is not served", "v1", "v1beta1", "v1beta1"},
		{"takes the highest version without labels", "", "", "v10beta1"},
		{"puts an odd name last", "odd_v1alpha1", "", "v1alpha1"},
	} {
		t.Run(row.it, func(t *testing.T) {
			labels := map[string]string{ContractV1Beta2.Label(): row.v1beta2, ContractV1Beta1.Label(): row.v1beta1}
			if have := VersionOf(lint.CRD{Labels: labels, Versions: served}); have != row.want {
				t.Errorf("v1beta2: %q, v1beta1: %q: version %q; want %q", row.v1beta2, row.v1beta1, have, row.want)
			}
		})
	}
}

// ExtraChecks leaves out requirements that package lint has for any kind.
func TestExtraChecksOmitLintChecks(t *testing.T) {
	general := 0
	for _, c := range definitionChecks {
		if c.General == "" {
			continue
		}
		general++
		if !slices.ContainsFunc(lint.Checks, func(l *lint.Check) bool { return l.ID == c.General }) {
			t.Errorf("%s: package lint has no check %s", c.Name, c.General)
		}
	}
	if have, want := len(ExtraChecks(Options{})), len(definitionChecks)-general; have != want || general == 0 {
		t.Errorf("%d extra checks; want %d", have, want)
	}
}

// IDs and names are unique, because users write them.
func TestIDsAndNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(lint.Checks, allChecks(Options{})) {
		for _, word := range []string{c.ID, c.Name} {
			if seen[word] {
				t.Errorf("%s stands for two checks", word)
			}
			seen[word] = true
		}
	}
}
