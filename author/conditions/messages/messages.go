// Package messages replaces the parts of condition messages that differ at each
// reconcile.
//
// A message that differs at each reconcile writes the status at each reconcile,
// and the write causes the next reconcile. Package conditions makes every
// message stable itself; use [FromError] for errors.
//
// File messages.go converts errors to text, and volatile.go replaces the parts
// that differ.
package messages

import (
	"slices"
	"strings"
)

// FromError returns the text of an error for the message of a condition,
// without the parts that differ each time (see [Stable]). The texts of joined
// errors are sorted, and each appears once, so equal failures have equal texts.
// The text of a nil error is empty.
func FromError(err error) string {
	if err == nil {
		return ""
	}
	return stableText(err)
}

// stableText returns the stable text of an error. It sorts the texts of joined
// errors.
func stableText(err error) string {
	texts := leafTexts(err)
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "; ")
}

// leafTexts returns the stable texts of joined errors, at any depth.
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

// joinedText returns the text of errors.Join for these parts.
func joinedText(parts []error) string {
	texts := make([]string, 0, len(parts))
	for _, part := range parts {
		if part != nil {
			texts = append(texts, part.Error())
		}
	}
	return strings.Join(texts, "\n")
}
