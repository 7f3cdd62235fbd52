package waitview

import (
	"fmt"
	"regexp"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An Event is an update with its words for users.
type Event struct {
	observe.Update
	word string // its status, or whether it meets the goals
	text string // the description
}

// NewEvent computes the words for an update, once for all views.
func NewEvent(u observe.Update) Event {
	return Event{Update: u, word: wordOf(u), text: joined(details(u, u.Message())...)}
}

// Tick reports whether the event is a heartbeat: it is time to print what is waited for.
func (e Event) Tick() bool { return e.Target == observe.Target{} }

// The words for objects whose status alone would mislead. An object with the word Current meets
// the goals.
const (
	wordMet   = "Met"   // it meets goals that are not about its status.
	wordGone  = "Gone"  // its deletion was the goal, and it does not exist.
	wordUnmet = "Unmet" // it is Current, but does not meet the goals
)

// wordOf returns the word for an object: its status, unless that would mislead.
func wordOf(u observe.Update) string {
	r := u.Result
	current := r.Status == status.CurrentStatus
	switch met := u.Progress == observe.ProgressReached; {
	case u.Target.IsSelection(), u.Progress == observe.ProgressIgnored:
	case met && (r.Status == status.NotFoundStatus || r.Reason == status.ReasonNoMatch):
		return wordGone
	case met && !current:
		return wordMet
	case !met && current && u.Unmet != "":
		return wordUnmet
	}
	return statusWord(u)
}

// statusWord returns the status of an object, or Failing if it has a recoverable failure.
func statusWord(u observe.Update) string {
	return output.StatusWord(u.Result.Status, u.Progress == observe.ProgressFailing, false)
}

// details returns the details of a verdict with a message.
func details(u observe.Update, message string) (why []string) {
	r := u.Result
	switch wordOf(u) {
	case wordGone:
		return nil
	case wordMet, wordUnmet:
		why = append(why, statusWord(u))
	}
	current := r.Status == status.CurrentStatus
	if current && r.Confidence == status.ConfidenceAssumed {
		why = append(why, "assumed")
	}
	isPlainSuccess := current && r.Suspended == "" && r.Confidence != status.ConfidenceAssumed && r.Rule != output.ObjectRule
	if !isPlainSuccess && message != "" {
		why = append(why, message)
	}
	return append(why, standing(u)...)
}

// joined joins texts with semicolons, without full stops at their ends.
func joined(all ...string) string {
	return strings.ReplaceAll(strings.Join(all, "; "), ".; ", "; ")
}

// standing returns details about the goals of an object that the verdict does not have.
func standing(u observe.Update) (why []string) {
	if u.Unmet != "" {
		why = append(why, u.Unmet)
	}
	switch {
	case u.Progress == observe.ProgressTimedOut:
		why = append(why, "its own timeout has passed")
	case u.Progress == observe.ProgressIgnored && !u.Removed:
		why = append(why, "ignored"+ignoredBy(u))
	}
	return why
}

// topicOf returns what the verdicts of similar objects have in common.
func topicOf(u observe.Update) string {
	r := u.Result
	topic := r.Reason
	if r.Status == status.CurrentStatus { // whatever the reason in its rule
		topic = ""
	}
	if u.Parts != nil {
		topic += " " + u.Parts.Reason
	}
	return fmt.Sprintf("%s %s %t %t", topic, u.Progress, r.Suspended != "", r.Confidence == status.ConfidenceAssumed)
}

// imagePull is the reason of an image that cannot be pulled. It has two alternating messages
// while the kubelet retries.
const imagePull = "ImagePullBackOff"

// isFailure reports whether an object fails, whether that counts already or not.
func isFailure(u observe.Update) bool {
	return u.Progress == observe.ProgressFailing || u.Result.Status == status.FailedStatus
}

// restartCount matches the number of restarts in a message, which rises without news.
var restartCount = regexp.MustCompile(`\d+ restarts?\b`)

// dedupeKey returns a text without parts that change repeatedly without progress. These are the
// numbers of restarts, the names of Pods with one problem, and the messages of image pulls.
func dedupeKey(u observe.Update, text string) string {
	switch {
	case u.Parts != nil && u.Parts.Reason == imagePull:
		text = strings.ReplaceAll(text, u.Parts.Message, imagePull)
	case u.Parts == nil && u.Result.Reason == imagePull:
		text = strings.ReplaceAll(text, u.Result.Message, imagePull)
	}
	if u.Parts != nil {
		text = strings.ReplaceAll(text, " "+u.Parts.Name+": ", ": ")
	}
	return restartCount.ReplaceAllString(text, "restarts")
}
