package capi

import (
	"fmt"
	"strings"

	"kstatus.dev/author/roles"
)

// parseRole parses a value of --role, such as "FooBox=InfraMachine".
func parseRole(setting string) (kind string, role roles.Role, err error) {
	kind, name, _ := strings.Cut(setting, "=")
	names := "none"
	for _, r := range roles.All() {
		if kind != "" && strings.EqualFold(name, string(r)) {
			return kind, r, nil
		}
		names += ", " + string(r)
	}
	if kind != "" && strings.EqualFold(name, "none") {
		return kind, roles.None, nil
	}
	return "", roles.None, fmt.Errorf("role: found %q; want KIND=ROLE, and as role one of %s", setting, names)
}
