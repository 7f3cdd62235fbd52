package word

import "strings"

// A Cause is what the reason and the message of a condition give as the cause of
// its status.
type Cause uint8

// The causes.
const (
	CauseUnspecified Cause = iota // they name none
	CauseWaiting                  // it takes time, or somebody else has to act; nothing is wrong
	CauseError                    // an error
)

// errorEndings holds the ends of reasons that name an error although their words
// do not.
var errorEndings = []string{"NotFound", "NotExist", "NotExists", "NotAllowed", "NotPermitted", "NotValid", "NotSupported", "NotReachable", "Err"}

// errorPieces holds the pieces of a message that report an error.
var errorPieces = []string{
	"error", "fail", "cannot", "can't", "can not", "could not", "couldn't", "unable to", "invalid", "denied", "not found", "no such", "does not exist",
	"doesn't exist", "refused", "forbidden", "unauthorized", "timed out", "timeout", "exceeded", "not allowed", "not permitted", "not valid", "rejected",
	"conflict", "unsupported", "not supported", "mismatch", "panic", "no key could", "missing", "must be", "must not", "is required", "unknown field", "aborted",
	"insufficient", "out of memory", "deadline", "unhealthy", "crash", "backoff", "back-off", "unexpected", "violat", "not match",
}

// harmless removes the pieces of a message that report no error although they
// contain a word for one.
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

// errorStarts holds the beginnings of a message that report an error, even where
// the reason only names the step at which it happened.
var errorStarts = []string{"error", "failed", "failure", "cannot", "could not", "unable to", "invalid"}

// waitingPieces holds the pieces of a message that say that it takes time.
var waitingPieces = []string{"waiting", "in progress", "pending", "not yet", "not ready yet", "will be", "being ", "creating", "reconciling", "progressing"}

// Why returns the cause that a condition gives. It reads the reason first, which is
// a word for programs, and the message where the reason leaves the cause open.
func Why(reason, message string) Cause {
	polarity := Reason(reason)
	if polarity == Failing && !HasAnySuffix(reason, []string{"Unavailable", "Unhealthy"}) { // which only repeat that it is not ready
		return CauseError
	}
	if HasAnySuffix(reason, errorEndings) || strings.HasPrefix(reason, "Err") {
		return CauseError
	}
	if strings.HasPrefix(reason, "No") && strings.HasSuffix(reason, "Found") {
		return CauseError
	}
	text := strings.ToLower(message)
	if strings.Contains(text, "fail") || strings.Contains(text, "error") {
		text = strings.TrimSpace(harmless.Replace(" " + text + " "))
	}
	if HasAnyPrefix(text, errorStarts) || strings.Contains(text, "error:") || strings.Contains(text, "failed to ") {
		return CauseError
	}
	switch {
	case polarity == Progressing, HasAnyPrefix(text, waitingPieces):
		return CauseWaiting
	case ContainsAny(text, errorPieces):
		return CauseError
	case ContainsAny(text, waitingPieces):
		return CauseWaiting
	}
	return CauseUnspecified
}
