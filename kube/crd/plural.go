package crd

import (
	"strings"

	"github.com/gobuffalo/flect"
)

// Plural returns the plural of a kind as Cluster API makes it to find the
// definition of the kind.
func Plural(kind string) string { return flect.Pluralize(strings.ToLower(kind)) }
