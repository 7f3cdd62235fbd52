package output

import (
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// MaxRecordText is how many bytes of one text a record keeps.
const MaxRecordText = 4096 + len(text.Ellipsis)

// RedactText returns a text as a record keeps it: without secrets, and cut to MaxRecordText.
func RedactText(s string) string { return new(explain.Redactor).Text(text.Cut(s, MaxRecordText)) }

// Redact returns a copy of a line as a record keeps it: its texts are cut and have no
// secrets.
func (l Object) Redact() Object {
	l.Message, l.Error = RedactText(l.Message), RedactText(l.Error)
	l.Warnings = redactTexts(l.Warnings)
	kept := make([]status.Read, len(l.Evidence))
	for i, e := range l.Evidence {
		if text, ok := e.Value.(string); ok {
			e.Value = RedactText(text)
		}
		kept[i] = e
	}
	l.Evidence = kept
	if l.Source != nil {
		l.Source = &manifest.Source{File: terminal.RedactURL(l.Source.File), Line: l.Source.Line}
	}
	return l
}

func redactTexts(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, RedactText(text))
	}
	return all
}
