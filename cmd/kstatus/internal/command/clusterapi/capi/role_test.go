package capi

import (
	"testing"

	"kstatus.dev/author/roles"
)

func TestParseRole(t *testing.T) {
	for setting, want := range map[string]roles.Role{"Box=InfraMachine": roles.InfraMachine, "Box=inframachine": roles.InfraMachine, "Box=none": roles.None} {
		t.Run(setting, func(t *testing.T) {
			if kind, role, err := parseRole(setting); kind != "Box" || role != want || err != nil {
				t.Errorf("%s: kind %q, role %q, error %v; want Box, %q", setting, kind, role, err, want)
			}
		})
	}
	for _, bad := range []string{"", "Box", "=InfraMachine", "Box=Server", "Box="} {
		t.Run("not "+bad, func(t *testing.T) {
			if _, _, err := parseRole(bad); err == nil {
				t.Errorf("%q is taken for a role", bad)
			}
		})
	}
}
