package lint

import (
	"strings"

	"kstatus.dev/internal/decoded"
)

// A column is a printer column of a kind.
type column struct {
	index int
	name  string
	field string // a JSON path
}

// columns returns the printer columns of the version.
func (v Version) columns() (all []column) {
	for i, c := range decoded.Maps(v.Raw, "additionalPrinterColumns") {
		all = append(all, column{i, decoded.Text(c, "name"), decoded.Text(c, "jsonPath")})
	}
	return all
}

// condition returns the type of the condition whose status the column prints; empty if it prints
// another field.
func (c column) condition() string {
	_, rest, ok := strings.Cut(c.field, ".status.conditions[?(@.type")
	name, after, closed := strings.Cut(strings.TrimLeft(rest, "= '\"\\"), ")]")
	if !ok || !closed || after != ".status" {
		return ""
	}
	return strings.TrimRight(name, " '\"\\")
}

// showsConditions reports whether the column prints a part of a condition.
func (c column) showsConditions() bool { return strings.Contains(c.field, ".status.conditions") }

// conditionPath returns the JSON path of the status of a condition.
func conditionPath(name string) string {
	return `.status.conditions[?(@.type=="` + name + `")].status`
}
