package word

import (
	"slices"
	"strings"
)

// A Cause is the cause of a condition's status, by its reason and its message.
type Cause uint8

// The causes.
const (
	CauseUnspecified Cause = iota // the texts name no cause
	CauseWaiting                  // it takes time or waits for another object or user; no error
	CauseError                    // an error
)

// errorEndings holds the suffixes of reasons that mean an error although their words do not.
var errorEndings = []string{"NotFound", "NotExist", "NotExists", "NotAllowed", "NotPermitted", "NotValid", "NotSupported", "NotReachable", "Err"}

// errorPieces holds parts of messages that mean an error.
var errorPieces = []string{
	"error", "fail", "cannot", "can't", "can not", "could not", "couldn't", "unable to", "invalid", "denied", "not found", "no such", "does not exist",
	"doesn't exist", "refused", "forbidden", "unauthorized", "timed out", "timeout", "exceeded", "not allowed", "not permitted", "not valid", "rejected",
	"conflict", "unsupported", "not supported", "mismatch", "panic", "no key could", "missing", "must be", "must not", "is required", "unknown field", "aborted",
	"insufficient", "out of memory", "deadline", "unhealthy", "crash", "backoff", "back-off", "unexpected", "violat", "not match",
}

// harmless removes the parts of a message that contain a word for an error but do not mean one.
var harmless = func() *strings.Replacer {
	var pairs []string
	for _, word := range []string{"fail", "error"} {
		for _, none := range []string{" 0 ", " no ", "without ", "(0 "} {
			pairs = append(pairs, none+word, " ")
		}
	}
	for _, word := range []string{"failed", "failures", "errors"} {
		for _, start := range []string{"(", ", ", "; "} { // 0 may be the name of the first item of others
			for _, end := range []string{" ", ",", ";", ".", ")"} {
				pairs = append(pairs, start+word+": 0"+end, " ", start+word+"=0"+end, " ")
			}
		}
	}
	return strings.NewReplacer(append(pairs, "failover", " ", "fail over", " ", "failing over", " ")...)
}()

// errorStarts holds the first words of messages that mean an error, even if the reason only
// names the failed step.
var errorStarts = []string{"error", "failed", "failure", "cannot", "could not", "unable to", "invalid"}

// waitingPieces holds parts of messages that mean waiting.
var waitingPieces = []string{"waiting", "in progress", "pending", "not yet", "not ready yet", "will be", "being ", "creating", "reconciling", "progressing"}

// Why returns the cause of a condition. It reads the reason first, and the message only if the
// reason leaves the cause open.
func Why(reason, message string) Cause {
	polarity := Reason(reason)
	if polarity == Failing && !HasAnySuffix(reason, []string{"Unavailable", "Unhealthy"}) { // these only repeat that it is not ready
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

// errorReports holds parts of messages that report an error that did occur. They begin a message
// or a word in it.
var errorReports = []string{"error:", "failed to ", "could not ", "not accepted:", "is not a valid", "is not valid:", "is invalid:"}

// ReportsError reports whether a message is that of an error, although the field or the condition
// with the message is in its normal state. It is stricter than [Why], since such messages also
// mention errors that did not occur.
func ReportsError(message string) bool {
	if IsError(message) {
		return true
	}
	inWord := false
	for i := range len(message) {
		starts := !inWord
		inWord = letter(message[i])
		if !starts || !inWord {
			continue
		}
		for _, piece := range errorReports {
			if lower(message[i]) == piece[0] && hasPrefixFold(message[i:], piece) {
				return true
			}
		}
	}
	return false
}

// IsError reports whether a message begins like that of an error.
func IsError(message string) bool {
	return slices.ContainsFunc(errorStarts, func(start string) bool { return hasPrefixFold(message, start) })
}

// Contradicts reports whether the reason and the message of a condition in its normal state report an
// error. A message that only repeats the words of the reason does not.
func Contradicts(reason, message string) bool {
	return ReportsError(message) || strings.Contains(message, ": ") && Reason(reason) == Failing && Why("", message) == CauseError
}

// ReportsSuccess reports whether a message says that the work has succeeded, and not only that it
// has begun.
func ReportsSuccess(message string) bool {
	const end = "successfully"
	text := strings.TrimRight(message, ". ")
	if len(text) < len(end) || !strings.EqualFold(text[len(text)-len(end):], end) {
		return false
	}
	return !slices.ContainsFunc(noSuccess, func(piece string) bool { return containsFold(text, piece) })
}

// noSuccess holds parts of messages that say that work has only begun with success, or goes on.
var noSuccess = append([]string{
	"not ", "accepted", "created", "initiated", "launched", "queued", "requested", "scheduled", "started", "submitted", "triggered",
}, waitingPieces...)

// containsFold reports whether a text contains a piece, ignoring case.
func containsFold(text, piece string) bool {
	for i := range len(text) {
		if hasPrefixFold(text[i:], piece) {
			return true
		}
	}
	return false
}

// hasPrefixFold reports whether a text begins with a prefix, ignoring case.
func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
