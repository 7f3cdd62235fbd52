package explain

import (
	"slices"
	"strings"
	"testing"
)

// Commands are safe to paste into a shell, whatever the names of the objects are.
func TestEachNextIsOneCommand(t *testing.T) {
	for _, x := range examples(t) {
		t.Run(x.name, func(t *testing.T) {
			for _, next := range x.next {
				program, _, _ := strings.Cut(next, " ")
				if bad := unquoted(next); !slices.Contains([]string{"kubectl", "helm", "kstatus", "openstack"}, program) || bad != "" {
					t.Errorf("%s: a shell would do more than run it: %q", next, bad)
				}
			}
		})
	}
}

// unquoted returns the characters outside of quotation marks that have a meaning to a
// shell.
func unquoted(command string) string {
	inside, bad := false, ""
	for i, r := range command {
		switch {
		case r == '\'' && (i == 0 || command[i-1] != '\\' || inside):
			inside = !inside
		case !inside && strings.ContainsRune("\"$`;&|<>(){}*?!#\n", r):
			bad += string(r)
		}
	}
	if inside {
		bad += "'"
	}
	return bad
}
