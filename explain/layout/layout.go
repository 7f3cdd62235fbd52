// Package layout has the lines of an explanation, for programs that color or wrap them.
// explain.Explanation has the method Lines that returns them.
package layout

import (
	"strings"

	"kstatus.dev/explain/internal/show"
)

// A Line is one line of an explanation. Text that exceeds the width continues below Text,
// not below [Line.Prefix] and Lead.
type Line struct {
	Role  Role
	Depth int    // in a chain: the number of objects above this one
	Lead  string // a name or a label, and the blanks after it
	Text  string
}

// Prefix returns the indentation of a line and the mark before its Lead, for branches and
// logs. With boxes the marks are box-drawing characters, else ASCII. Both have the same
// width.
func (l Line) Prefix(boxes bool) string {
	branch, bar := "`- ", "| "
	if boxes {
		branch, bar = "└─ ", "│ "
	}
	switch {
	case l.Role == RoleLog:
		return strings.Repeat(" ", show.LabelWidth+show.OriginWidth) + bar
	case l.Depth > 0:
		return show.Indent + strings.Repeat("   ", l.Depth-1) + branch
	case l.Lead != "":
		return show.Indent
	}
	return ""
}

// A Role says what a line holds.
type Role string

// The roles.
const (
	RoleTitle    Role = "title" // the name of an object, and its status
	RoleChain    Role = "chain" // an object between the requested one and the one with the cause
	RoleCause    Role = "cause"
	RoleEvidence Role = "evidence"
	RoleLog      Role = "log"     // a line of a container's log
	RoleChanged  Role = "changed" // what changed before
	RoleNext     Role = "next"    // a command to run next
	RoleBlocked  Role = "blocked" // other objects that the cause stops
	RoleGap      Role = "gap"     // other objects that the cause blocks
	RoleBlank    Role = "blank"   // an empty line
)

// EvidenceLabel returns the word for the origin of evidence, an explain.Origin: field, event,
// log or search.
func EvidenceLabel(origin string) string {
	switch origin {
	case "spec", "status":
		return "field"
	case "lookup":
		return "search"
	}
	return origin
}
