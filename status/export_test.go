package status

import "strings"

// Hinted reports whether there is a hint for exactly the kind, given as "apiVersion kind".
func Hinted(name string) bool {
	version, kind, _ := strings.Cut(name, " ")
	group, _, _ := strings.Cut(version, "/")
	g := hinted.groups[group]
	return g != nil && g.kinds[kind] != nil
}
