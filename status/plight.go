package status

import "strings"

// A plight is what the reason and the message of a condition say about why it
// is not as it should be.
type plight uint8

const (
	unsaid  plight = iota
	waiting        // for time or for somebody else: nothing is wrong
	failing        // an error is told
)

// Reasons that name an error although their words alone do not.
var errorEndings = []string{"NotFound", "NotExist", "NotExists", "NotAllowed", "NotPermitted", "NotValid", "NotSupported", "NotReachable", "Err"}

// The pieces of a message that tell an error.
var errorPieces = []string{
	"error", "fail", "cannot", "can't", "can not", "could not", "couldn't", "unable to", "invalid", "denied", "not found", "no such", "does not exist",
	"doesn't exist", "refused", "forbidden", "unauthorized", "timed out", "timeout", "exceeded", "not allowed", "not permitted", "not valid", "rejected",
	"conflict", "unsupported", "not supported", "mismatch", "panic", "no key could", "missing", "must be", "must not", "is required", "unknown field", "aborted",
	"insufficient", "out of memory", "deadline", "unhealthy", "crash", "backoff", "back-off", "unexpected", "violat", "not match",
}

// The pieces of a message that tell no error although they have a word for one.
var harmless = func() *strings.Replacer {
	var pairs []string
	for _, word := range []string{"fail", "error"} {
		for _, none := range []string{" 0 ", " no ", "without ", "(0 "} {
			pairs = append(pairs, none+word, " ")
		}
	}
	for _, word := range []string{"failed", "failures", "errors"} {
		for _, start := range []string{"(", ", ", "; "} { // of others 0 may be the first one's name
			for _, end := range []string{" ", ",", ";", ".", ")"} {
				pairs = append(pairs, start+word+": 0"+end, " ", start+word+"=0"+end, " ")
			}
		}
	}
	return strings.NewReplacer(append(pairs, "failover", " ", "fail over", " ", "failing over", " ")...)
}()

// The beginnings of a message that tell of an error even where the reason only
// says at which step it happened.
var errorStarts = []string{"error", "failed", "failure", "cannot", "could not", "unable to", "invalid"}

// The pieces of a message that say that it is a matter of time.
var waitingPieces = []string{"waiting", "in progress", "pending", "not yet", "not ready yet", "will be", "being ", "creating", "reconciling", "progressing"}

// plightOf reads the reason first, since it is a word for programs, and the
// message where the reason leaves it open.
func plightOf(reason, message string) plight {
	said := phrase(reason).reason()
	if said == bad && !endsAny(reason, []string{"Unavailable", "Unhealthy"}) { // which say no more than that it is not there
		return failing
	}
	for _, end := range errorEndings {
		if strings.HasSuffix(reason, end) || strings.HasPrefix(reason, "Err") && end == "Err" {
			return failing
		}
	}
	if strings.HasPrefix(reason, "No") && strings.HasSuffix(reason, "Found") {
		return failing
	}
	text := strings.ToLower(message)
	if strings.Contains(text, "fail") || strings.Contains(text, "error") {
		text = strings.TrimSpace(harmless.Replace(" " + text + " "))
	}
	if startsAny(text, errorStarts) || strings.Contains(text, "error:") || strings.Contains(text, "failed to ") {
		return failing
	}
	switch {
	case said == busy, startsAny(text, waitingPieces):
		return waiting
	case containsAny(text, errorPieces):
		return failing
	case containsAny(text, waitingPieces):
		return waiting
	}
	return unsaid
}

func startsAny(text string, starts []string) bool {
	for _, s := range starts {
		if strings.HasPrefix(text, s) {
			return true
		}
	}
	return false
}

func containsAny(text string, pieces []string) bool {
	for _, p := range pieces {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
