package waitview

import (
	"fmt"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An Event is an update with the words for people.
type Event struct {
	observe.Update
	word string // what it is: its status, or whether it meets the goals
	text string // what there is to say about it
}

// NewEvent finds the words for an update, once for all views.
func NewEvent(u observe.Update) Event {
	return Event{Update: u, word: wordOf(u), text: joined(details(u, u.Message())...)}
}

// Tick reports whether the event is about no object: it is time to print what is
// waited for.
func (e Event) Tick() bool { return e.Target == observe.Target{} }

// The words for objects whose status alone would mislead. An object that is Current, by
// its word, meets the goals.
const (
	wordMet   = "Met"   // it meets the goals, which are about something else than its status
	wordGone  = "Gone"  // it was to be deleted, and does not exist
	wordUnmet = "Unmet" // it is Current, but does not meet the goals
)

// wordOf returns the word for an object: its status, unless that would mislead.
func wordOf(u observe.Update) string {
	r := u.Result
	current := r.Status == status.CurrentStatus
	switch met := u.Progress == observe.ProgressReached; {
	case u.Target.IsSelection(), u.Progress == observe.ProgressIgnored:
	case met && (r.Status == status.NotFoundStatus || r.Reason == "NoMatch"):
		return wordGone
	case met && !current:
		return wordMet
	case !met && current && u.Unmet != "":
		return wordUnmet
	}
	return statusWord(u)
}

// statusWord returns the status of an object, unless what is wrong may heal.
func statusWord(u observe.Update) string {
	return output.StatusWord(u.Result.Status, u.Progress == observe.ProgressFailing, false)
}

// details returns what is to be said about a verdict with a message.
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
	plainlyDone := current && r.Suspended == "" && r.Confidence != status.ConfidenceAssumed && r.Rule != output.OwnRule
	if !plainlyDone && message != "" {
		why = append(why, message)
	}
	return append(why, standing(u)...)
}

// joined joins texts with semicolons, without the stops at their ends.
func joined(all ...string) string {
	return strings.ReplaceAll(strings.Join(all, "; "), ".; ", "; ")
}

// standing returns what is to be said about the goals of an object, beyond the verdict.
func standing(u observe.Update) (why []string) {
	if u.Unmet != "" {
		why = append(why, u.Unmet)
	}
	switch {
	case u.Progress == observe.ProgressTimedOut:
		why = append(why, "its own timeout is over")
	case u.Progress == observe.ProgressIgnored && !u.Removed:
		why = append(why, "ignored"+ignoredBy(u))
	}
	return why
}

// topicOf returns what verdicts of several objects have in common that are alike.
func topicOf(u observe.Update) string {
	r := u.Result
	topic := r.Reason
	if r.Status == status.CurrentStatus { // whatever its rule calls it
		topic = ""
	}
	if u.Parts != nil {
		topic += " " + u.Parts.Reason
	}
	return fmt.Sprintf("%s %s %t %t", topic, u.Progress, r.Suspended != "", r.Confidence == status.ConfidenceAssumed)
}

// An image that cannot be pulled has two messages in turn, as the kubelet tries again.
const imagePull = "ImagePullBackOff"

// gist returns a text without what changes again and again while nothing happens.
func gist(u observe.Update, text string) string {
	switch {
	case u.Parts != nil && u.Parts.Reason == imagePull:
		return strings.ReplaceAll(text, u.Parts.Message, imagePull)
	case u.Parts == nil && u.Result.Reason == imagePull:
		return strings.ReplaceAll(text, u.Result.Message, imagePull)
	}
	return text
}
