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
	return settled(err)
}

// settled is the stable text of an error, with what is joined in it sorted.
func settled(err error) string {
	texts := leaves(err)
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "; ")
}

// leaves are the stable texts of what is joined in an error, at whatever depth.
func leaves(err error) (texts []string) {
	var parts []error
	switch e := err.(type) {
	case interface{ Errors() []error }: // an Aggregate of apimachinery
		return all(e.Errors())
	case interface{ Unwrap() []error }:
		parts = e.Unwrap()
		if err.Error() == joined(parts) {
			return all(parts)
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
	if text = strings.TrimSpace(Stable(text)); text != "" {
		texts = []string{text}
	}
	return texts
}

func all(parts []error) (texts []string) {
	for _, part := range parts {
		if part != nil {
			texts = append(texts, leaves(part)...)
		}
	}
	return texts
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
