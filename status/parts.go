package status

import (
	"fmt"

	safetext "kstatus.dev/internal/text"
)

// Parts is the worst problem of the parts of an object, which are objects that its controller
// created, such as the Pods of a Deployment. Evaluators do not set it: callers that watch the
// parts keep a Parts beside the Result.
type Parts struct {
	Count   int    `json:"count"`            // the number of parts of the kind that have the problem
	Group   string `json:"group"`            // the API group of the parts
	Kind    string `json:"kind"`             // the kind of the parts, such as Pod
	Name    string `json:"name"`             // the name of one of them
	Reason  string `json:"reason,omitempty"` // the reason of that part's verdict
	Message string `json:"message"`          // the message of that part's verdict, on one line
}

// AppendTo returns the message of an object's verdict followed by the problem of its parts. An
// example is "1/3 available; 2 Pods, such as web-1: ImagePullBackOff: container web". A nil Parts
// appends nothing.
func (p *Parts) AppendTo(message string) string {
	if p == nil {
		return message
	}
	if p.Count == 1 {
		return fmt.Sprintf("%s; %s %s: %s", message, p.Kind, p.Name, p.Message)
	}
	return fmt.Sprintf("%s; %s, such as %s: %s", message, safetext.Count(p.Count, p.Kind), p.Name, p.Message)
}
