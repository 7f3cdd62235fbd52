package output

import (
	"regexp"
	"strings"

	"kstatus.dev/status"
)

// leads are beginnings of messages that repeat the row, or that are equal in all messages. Each
// has its short form.
var leads = []struct {
	found *regexp.Regexp
	short string
}{
	{regexp.MustCompile(`^[A-Z][A-Za-z]* "[^"]*" `), ""},                                             // the name of a ReplicaSet
	{regexp.MustCompile(`^([A-Z][A-Za-z]*: )?(?:init container|container|sidecar) [^ :]+:? `), "$1"}, // of a container
	{regexp.MustCompile(`^(\d+/\d+) nodes are available: `), "$1 nodes: "},                           // of the scheduler
}

// ShortMessage returns the own message of a verdict, with the problem of the parts, for a narrow
// column. That problem comes first, since it differs between objects. It omits names that begin with
// the name of the object.
func ShortMessage(own string, p *status.Parts) string {
	if p == nil {
		return shortened(own)
	}
	return strings.TrimSuffix(shortened(p.Message)+"; "+shortened(own), "; ")
}

// shortened returns a message without a beginning in leads.
func shortened(message string) string {
	for _, lead := range leads {
		if short := lead.found.ReplaceAllString(message, lead.short); short != message {
			return short
		}
	}
	return message
}
