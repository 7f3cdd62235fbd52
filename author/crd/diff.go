package crd

import "kstatus.dev/author/crd/internal/lines"

// A Hunk is a change of consecutive lines.
type Hunk = lines.Hunk

// Hunks returns the changes from one text to another, in order. They affect few
// lines.
func Hunks(before, after []byte) []Hunk { return lines.Hunks(before, after) }

// Diff returns the difference between two texts in the format of diff -u. It is
// empty if the texts are equal.
func Diff(name string, before, after []byte) []byte { return lines.Diff(name, before, after) }
