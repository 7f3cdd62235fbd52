package guard

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"kstatus.dev/internal/text"
)

// maxName is how many bytes a name may have. Names that are host names have 253 at most.
const maxName = 1024

// A NameError says why a name is not part of any request.
type NameError struct {
	What    string // what the name is to be of: object, namespace, group, version or resource
	Name    string
	Problem string // such as: it contains "/"
}

// Error returns one line, without the end of a long name.
func (e *NameError) Error() string {
	return fmt.Sprintf("no %s can have the name %q: %s", e.What, text.Cut(e.Name, 200), e.Problem)
}

// CheckName returns a [NameError] unless a name can be a segment of a path. An empty name is
// none, and no error. What the name is to be of is for the error.
func CheckName(what, name string) error {
	if problem := problemOf(name); name != "" && problem != "" {
		return &NameError{What: what, Name: name, Problem: problem}
	}
	return nil
}

// problemOf returns why a text is no segment of a path; empty if it is one.
func problemOf(name string) string {
	before, _, _ := strings.Cut(name, ";") // some proxies drop what follows
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
