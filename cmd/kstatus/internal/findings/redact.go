package findings

import (
	"regexp"
	"strconv"

	"kstatus.dev/redact"
)

// quoted matches a value that a message quotes, as Go does.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// RedactMessage returns a message without what looks like a secret. A quoted value is checked in
// its original form with line breaks, since it may be a whole manifest.
func RedactMessage(message string) string {
	message = quoted.ReplaceAllStringFunc(message, func(value string) string {
		text, err := strconv.Unquote(value)
		if err != nil {
			return value
		}
		if safe := redact.Text(text); safe != text {
			return strconv.Quote(safe)
		}
		return value
	})
	return redact.Text(message)
}
