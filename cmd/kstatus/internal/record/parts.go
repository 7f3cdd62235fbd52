package record

import (
	"regexp"
	"strconv"

	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// partsOf returns parts for a line, without secrets. It returns nil if the message does not end
// with them because it was cut.
func partsOf(parts *status.Parts, message string) *status.Parts {
	if parts == nil {
		return nil
	}
	kept := *parts
	kept.Message = redact.Text(parts.Message)
	if _, whole := kept.CutFrom(message); !whole {
		return nil
	}
	return &kept
}

// splitMessage splits the message of a line into the message of the object's own verdict and the
// problem of its parts, or nil. It uses the parts in the line. Lines of earlier versions of
// kstatus have none. Their messages contain the problem, which was always about Pods.
func splitMessage(message string, parts *status.Parts) (string, *status.Parts) {
	if parts == nil {
		parts = podsIn(message)
	}
	if parts == nil {
		return message, nil
	}
	own, found := parts.CutFrom(message)
	if !found {
		return message, nil
	}
	return own, parts
}

var podsText = regexp.MustCompile(`(?s); (?:Pod|(\d+) Pods, such as) ([a-z0-9.-]+): (.*)$`)

// podsIn returns the problem of Pods at the end of a message, or nil.
func podsIn(message string) *status.Parts {
	match := podsText.FindStringSubmatch(message)
	if match == nil {
		return nil
	}
	count := 1
	if number := match[1]; number != "" {
		count, _ = strconv.Atoi(number) // CutFrom does not accept a number that is too large
	}
	return &status.Parts{Count: count, Kind: "Pod", Name: match[2], Message: match[3]}
}
