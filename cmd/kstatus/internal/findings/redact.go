package findings

import (
	"regexp"
	"strconv"

	"kstatus.dev/redact"
)

// quoted matches a value in a message with quotes in Go syntax.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// RedactMessage returns a message without secrets. It unquotes a quoted value before it
// searches, since the value may be a whole manifest with line breaks.
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
