package record

import (
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/status"
)

// setParts adds the problem of the parts to a line, and the message without it. The line has neither
// if the message with both is too long for a record, so that it was cut.
func (l *updateLine) setParts(own string, parts *status.Parts) {
	l.Own, l.Parts = "", nil
	if parts == nil || len(parts.AppendTo(own)) > output.MaxRecordText {
		return
	}
	kept := *parts
	kept.Message = output.RedactText(parts.Message)
	l.Own, l.Parts = output.RedactText(own), &kept
}

// split returns the message of the object's own verdict and the problem of its parts. If the line does
// not have them apart, it returns the whole message.
func (l updateLine) split() (string, *status.Parts) {
	if l.Own == "" || l.Parts == nil {
		return l.Message, nil
	}
	return l.Own, l.Parts
}
