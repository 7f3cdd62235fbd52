package conditions

import (
	"slices"
	"strings"
)

// Message is the text of an error as a condition may carry it: of joined errors
// each text once, sorted, so that equal failures have equal texts in whatever
// order they came, and without what differs each time ([Stable]).
func Message(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimSpace(settled(err))
}

// settled is the stable text of an error, with what is joined in it sorted, at
// whatever depth.
func settled(err error) string {
	var parts []error
	switch e := err.(type) {
	case interface{ Errors() []error }: // an Aggregate of apimachinery
		return sorted(e.Errors())
	case interface{ Unwrap() []error }:
		parts = e.Unwrap()
		if err.Error() == joined(parts) {
			return sorted(parts)
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
			text = strings.Replace(text, plain, settled(part), 1)
		}
	}
	return Stable(text)
}

// joined is the text that errors.Join gives.
func joined(parts []error) string {
	texts := make([]string, 0, len(parts))
	for _, part := range parts {
		if part != nil {
			texts = append(texts, part.Error())
		}
	}
	return strings.Join(texts, "\n")
}

func sorted(parts []error) string {
	var texts []string
	for _, part := range parts {
		if part == nil {
			continue
		}
		if text := strings.TrimSpace(settled(part)); text != "" {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "; ")
}
