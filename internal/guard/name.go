package guard

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"kstatus.dev/internal/text"
)

// maxName is the length limit of a name, in bytes. Names that are host names
// have at most 253.
const maxName = 1024

// A NameError reports an invalid name. No request contains it.
type NameError struct {
	What    string // what has the name: object, namespace, group, version or resource
	Name    string
	Problem string // such as: it contains "/"
}

// Error returns one line. It cuts a long name.
func (e *NameError) Error() string {
	return fmt.Sprintf("no %s can have the name %q: %s", e.What, text.Cut(e.Name, 200), e.Problem)
}

// CheckName returns a [NameError] if a name is not a valid path segment. An
// empty name is valid. what is for the error.
func CheckName(what, name string) error {
	if problem := problemOf(name); name != "" && problem != "" {
		return &NameError{What: what, Name: name, Problem: problem}
	}
	return nil
}

// problemOf describes why a text is not a valid path segment. It is empty for a
// valid one.
func problemOf(name string) string {
	before, _, _ := strings.Cut(name, ";") // some proxies drop the rest
	switch i := strings.IndexAny(name, `/%\`); {
	case name == "":
		return "it is empty"
	case before == "." || before == "..":
		return "it is a path"
	case i >= 0:
		return fmt.Sprintf("it contains %q", name[i:i+1])
	case len(name) > maxName:
		return fmt.Sprintf("it has more than %d bytes", maxName)
	case !utf8.ValidString(name):
		return "it is not UTF-8"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "it contains a control character"
	}
	return ""
}
