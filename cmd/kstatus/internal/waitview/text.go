package waitview

import (
	"strings"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An Event is an update with the words for people.
type Event struct {
	observe.Update
	word string // the status, or that it is failing
	text string // the object, and what there is to say about it
}

// NewEvent finds the words for an update, once for all views.
func NewEvent(u observe.Update) Event {
	e := Event{Update: u, word: wordOf(u), text: u.Target.String()}
	if why := details(u); len(why) > 0 {
		e.text += ": " + strings.Join(why, "; ")
	}
	return e
}

// Tick reports whether the event is about no object: it is time to print what is
// waited for.
func (e Event) Tick() bool { return e.Target == observe.Target{} }

// wordOf returns the word of a verdict: its status, unless what is wrong may heal.
func wordOf(u observe.Update) string {
	return output.StatusWord(u.Result.Status, u.Progress == observe.ProgressFailing, false)
}

// details returns what is to be said about a verdict.
func details(u observe.Update) (why []string) {
	r := u.Result
	current := r.Status == status.CurrentStatus
	if current && r.Confidence == status.ConfidenceAssumed {
		why = append(why, "assumed")
	}
	plainlyDone := current && r.Suspended == "" && r.Confidence != status.ConfidenceAssumed && r.Rule != output.OwnRule
	if text := u.Message(); !plainlyDone && text != "" {
		why = append(why, text)
	}
	return append(why, standing(u)...)
}

// standing returns what is to be said about how an object stands for one who
// waits, beyond the verdict.
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
