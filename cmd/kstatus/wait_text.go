package main

import (
	"strings"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// worded returns the word of a verdict and what is to be said about it. Of
// what is as it should be there is nothing to say.
func worded(u observe.Update) (word, text string) {
	word, text = wordOf(u), u.Target.String()
	if why := because(u); len(why) > 0 {
		text += ": " + strings.Join(why, "; ")
	}
	return word, text
}

// wordOf returns the word of a verdict: its status, unless what is wrong may heal.
func wordOf(u observe.Update) string {
	if u.Standing == observe.Failing && u.Result.Status == status.InProgressStatus {
		return "Failing"
	}
	return string(u.Result.Status)
}

// because returns what is to be said about a verdict.
func because(u observe.Update) (why []string) {
	r := u.Result
	current := r.Status == status.CurrentStatus
	if current && r.Confidence == status.Assumed {
		why = append(why, "assumed")
	}
	plainlyDone := current && r.Suspended == status.NotSuspended && r.Confidence != status.Assumed
	if !plainlyDone && r.Message != "" {
		why = append(why, r.Message)
	}
	return append(why, standing(u)...)
}

// standing returns what is to be said about how an object stands for one who
// waits, beyond the verdict.
func standing(u observe.Update) (why []string) {
	if u.Wants != "" {
		why = append(why, u.Wants)
	}
	switch {
	case u.Standing == observe.Late:
		why = append(why, "the time it had is over")
	case u.Standing == observe.Ignored && !u.Left:
		why = append(why, "ignored")
	}
	return why
}
