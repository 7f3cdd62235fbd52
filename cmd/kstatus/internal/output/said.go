package output

import (
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// MostRecordText is how many bytes a record keeps of one text.
const MostRecordText = 4096 + len(text.Ellipsis)

// RecordText returns a text as a record keeps it: cut where it is long, and without secrets.
func RecordText(s string) string { return explain.Redacted(text.Cut(s, MostRecordText)) }

// ForRecord returns a line as a record keeps it.
func (l Object) ForRecord() Object {
	l.Message, l.Error = RecordText(l.Message), RecordText(l.Error)
	l.Warnings = RecordTexts(l.Warnings)
	kept := make([]status.Read, len(l.Evidence))
	for i, e := range l.Evidence {
		if text, ok := e.Value.(string); ok {
			e.Value = RecordText(text)
		}
		kept[i] = e
	}
	l.Evidence = kept
	if l.Source != nil {
		l.Source = &manifest.Source{File: terminal.RedactURL(l.Source.File), Line: l.Source.Line}
	}
	return l
}

func RecordTexts(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, RecordText(text))
	}
	return all
}
