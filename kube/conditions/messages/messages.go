// Package messages makes the messages of conditions stable.
//
// A message that differs at each reconcile writes the status at each reconcile,
// and the write causes the next reconcile. Package conditions makes every
// message stable itself; use [FromError] for errors.
//
// messages.go turns errors into text, volatile.go replaces what differs.
package messages

import (
	"slices"
	"strings"
)

// FromError returns the text of an error for the message of a condition, without
// what differs each time (see [Stable]). The texts of joined errors are sorted, and
// each appears once, so that equal failures have equal texts in whatever order they
// came. The text of a nil error is empty.
func FromError(err error) string {
	if err == nil {
		return ""
	}
	return stableText(err)
}

// stableText is the stable text of an error, with what is joined in it sorted.
func stableText(err error) string {
	texts := leafTexts(err)
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "; ")
}

// leafTexts are the stable texts of what is joined in an error, at whatever depth.
func leafTexts(err error) (texts []string) {
	var parts []error
	switch e := err.(type) {
	case interface{ Errors() []error }: // an Aggregate of apimachinery
		return leafTextsOf(e.Errors())
	case interface{ Unwrap() []error }:
		parts = e.Unwrap()
		if err.Error() == joinedText(parts) {
			return leafTextsOf(parts)
		}
	case interface{ Unwrap() error }:
		parts = []error{e.Unwrap()}
	}
	text := err.Error()
	for _, part := range parts {
		if part == nil {
			continue
		}
		if plain := part.Error(); plain != "" {
			text = strings.Replace(text, plain, stableText(part), 1)
		}
	}
	if text = strings.TrimSpace(Stable(text)); text != "" {
		texts = []string{text}
	}
	return texts
}

func leafTextsOf(parts []error) (texts []string) {
	for _, part := range parts {
		if part != nil {
			texts = append(texts, leafTexts(part)...)
		}
	}
	return texts
}

// joinedText is the text that errors.Join gives.
func joinedText(parts []error) string {
	texts := make([]string, 0, len(parts))
	for _, part := range parts {
		if part != nil {
			texts = append(texts, part.Error())
		}
	}
	return strings.Join(texts, "\n")
}
