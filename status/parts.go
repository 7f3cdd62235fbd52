package status

import (
	"fmt"
	"strings"

	safetext "kstatus.dev/internal/text"
)

// Parts is the worst problem that keeps parts of an object from being ready.
// The parts are what the object's controller has made, such as the Pods of a
// Deployment. Evaluators do not see them: callers that follow parts keep a
// Parts beside the Result.
type Parts struct {
	Count   int    `json:"count"`            // how many parts of the kind have the problem
	Group   string `json:"group"`            // the API group of their kind
	Kind    string `json:"kind"`             // their kind, such as Pod
	Name    string `json:"name"`             // one of them, as an example
	Reason  string `json:"reason,omitempty"` // the reason of the example's verdict
	Message string `json:"message"`          // the message of the example's verdict, on one line
}

// AppendTo returns the message of an object's verdict followed by the problem
// of its parts, as in "1/3 available; 2 Pods, such as web-1: container web ends
// again and again". A nil Parts adds nothing.
func (p *Parts) AppendTo(message string) string {
	if p == nil {
		return message
	}
	return message + p.suffix()
}

// CutFrom reverses AppendTo. It reports false if the message does not end with
// the problem of the parts.
func (p *Parts) CutFrom(message string) (string, bool) {
	return strings.CutSuffix(message, p.suffix())
}

func (p *Parts) suffix() string {
	if p.Count == 1 {
		return fmt.Sprintf("; %s %s: %s", p.Kind, p.Name, p.Message)
	}
	return fmt.Sprintf("; %s, such as %s: %s", safetext.Count(p.Count, p.Kind), p.Name, p.Message)
}
