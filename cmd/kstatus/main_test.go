package main

import (
	"slices"
	"testing"
)

func TestCalledAs(t *testing.T) {
	for _, c := range []struct {
		args, rest []string
		name       string
	}{
		{nil, []string{}, "kstatus"},
		{[]string{"/usr/bin/kstatus", "get"}, []string{"get"}, "kstatus"},
		{[]string{"kubectl-kstatus", "get"}, []string{"get"}, "kubectl kstatus"},
		{[]string{"kubectl-kstatus.exe"}, []string{}, "kubectl kstatus"},
		{[]string{"kubectl_complete-kstatus", "ge"}, []string{"__complete", "ge"}, "kubectl kstatus"},
	} {
		if name, rest := calledAs(c.args); name != c.name || !slices.Equal(rest, c.rest) {
			t.Errorf("called as %q: %q %q, want %q %q", c.args, name, rest, c.name, c.rest)
		}
	}
}
