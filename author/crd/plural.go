package crd

import (
	"strings"

	"github.com/gobuffalo/flect"
)

// Plural returns the plural of a kind by the rule of Cluster API, which uses it to find the
// definition of a kind.
func Plural(kind string) string { return flect.Pluralize(strings.ToLower(kind)) }
