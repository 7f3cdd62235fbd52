// Package directive reads the annotations of an object that control waits for
// it.
package directive

import (
	"fmt"
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
)

// These are the annotations.
const (
	Ignore      = "kstatus.dev/ignore"       // "true": waits do not wait for the object
	Timeout     = "kstatus.dev/timeout"      // its timeout, such as "10m"
	FirstStatus = "kstatus.dev/first-status" // the timeout for its controller's first report, such as "1s"; "0": none
)

// IsNote reports whether a warning of a verdict is about annotations of
// kstatus: about their effect, or that they were not used.
func IsNote(warning string) bool {
	return strings.Contains(warning, "annotation") && strings.Contains(warning, " kstatus.dev/")
}

// Directives are the values of the annotations of an object.
type Directives struct {
	Ignore      bool
	Timeout     time.Duration  // zero: not set
	FirstStatus *time.Duration // nil: not set
}

// Of returns the directives of an object, and a problem for each invalid
// annotation.
func Of(object map[string]any) (d Directives, problems []string) {
	notes := decoded.Map(object, "metadata", "annotations")
	switch v := notes[Ignore]; v {
	case "true":
		d.Ignore = true
	case nil, "false":
	default:
		problems = append(problems, fmt.Sprintf("annotation %s: want true or false, have %q", Ignore, v))
	}
	duration := func(annotation string, least time.Duration) *time.Duration {
		text, ok := notes[annotation].(string)
		if !ok {
			return nil
		}
		value, err := time.ParseDuration(text)
		if err != nil || value < least {
			problems = append(problems, fmt.Sprintf("annotation %s: want a duration such as 10m, have %q", annotation, text))
			return nil
		}
		return &value
	}
	if timeout := duration(Timeout, 1); timeout != nil {
		d.Timeout = *timeout
	}
	d.FirstStatus = duration(FirstStatus, 0)
	return d, problems
}
