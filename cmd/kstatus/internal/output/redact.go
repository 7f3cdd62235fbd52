package output

import (
	"slices"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// ShowSecretsUsage is the help of --show-secrets.
const ShowSecretsUsage = "Print messages with their secrets. Records and reports never contain secrets."

// MaxRecordText is the maximum number of bytes of a text in a record.
const MaxRecordText = 4096 + len(text.Ellipsis)

// RedactText returns a text for a record: without secrets, and cut to MaxRecordText.
func RedactText(s string) string { return redact.Cut(s, MaxRecordText) }

// Redact returns a copy of a line for a record: without secrets, and with its texts cut.
func (l Object) Redact() Object {
	l.Result, l.Error = redactResult(l.Result, RedactText), RedactText(l.Error)
	l.Evidence = redactReads(l.Evidence)
	if l.Source != nil {
		l.Source = &manifest.Source{File: terminal.RedactURL(l.Source.File), Line: l.Source.Line}
	}
	return l
}

// RedactUpdate returns a copy of an update without secrets.
func RedactUpdate(u observe.Update) observe.Update {
	u.Result = redactResult(u.Result, redact.Text)
	u.Unmet = redact.Text(u.Unmet)
	u.Evidence = redactReads(u.Evidence)
	if u.Parts != nil {
		parts := *u.Parts
		parts.Message = redact.Text(parts.Message)
		u.Parts = &parts
	}
	if u.Err != nil {
		u.Err = RedactError(u.Err)
	}
	return u
}

func redactResult(r status.Result, redacted func(string) string) status.Result {
	r.Message, r.Reason = redacted(r.Message), redacted(r.Reason)
	r.Caveat = redacted(r.Caveat)
	r.Warnings = slices.Clone(r.Warnings)
	for i, w := range r.Warnings {
		r.Warnings[i] = redacted(w)
	}
	r.Conditions = slices.Clone(r.Conditions)
	for i, c := range r.Conditions {
		r.Conditions[i].Message = redacted(c.Message)
	}
	return r
}

func redactReads(reads []status.Read) []status.Read {
	if reads == nil {
		return nil
	}
	var secrets redact.Objects
	kept := make([]status.Read, len(reads))
	for i, read := range reads {
		switch read.Value.(type) {
		case map[string]any, []any: // only its number of fields is printed
		default:
			read.Value = secrets.Field(read.Path, read.Value)
		}
		kept[i] = read
	}
	return kept
}

// A redactedError is an error whose text has no secrets.
type redactedError struct {
	text string
	err  error
}

// RedactError returns an error that wraps err and whose text has no secrets.
func RedactError(err error) error {
	if is := redact.Text(err.Error()); is != err.Error() {
		return &redactedError{is, err}
	}
	return err
}

// Error returns the text without secrets.
func (e *redactedError) Error() string { return e.text }

// Unwrap returns the original error.
func (e *redactedError) Unwrap() error { return e.err }
