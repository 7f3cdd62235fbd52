package explainer

import (
	"bytes"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
)

// RecordCopy returns the facts as a replay reads them from the record, and the lines of the
// record. Explanations of the copy are thus equal to those of the replay. The copy has no
// secrets and no texts that explanations do not read, and its long texts are cut.
func RecordCopy(facts *explain.Facts) (same *explain.Facts, lines []byte, err error) {
	brief := *facts
	brief.Objects, brief.Events, brief.Logs, brief.Gaps = nil, nil, nil, nil
	var redactor explain.Redactor
	for _, t := range facts.Objects {
		t = redactor.Brief(t)
		if t.Object != nil {
			t.Object, _ = shorten(map[string]any(t.Object)).(map[string]any)
		}
		if message := t.Message(); len(message) > output.MaxRecordText {
			t.Result.Message, t.Parts = text.Cut(message, output.MaxRecordText), nil
		}
		for i, read := range t.Reads {
			t.Reads[i].Value = shorten(read.Value)
		}
		brief.Objects = append(brief.Objects, t)
	}
	for _, e := range facts.Events {
		e = redactor.Event(e)
		e.Message = text.Cut(e.Message, output.MaxRecordText)
		brief.Events = append(brief.Events, e)
	}
	for _, l := range facts.Logs {
		l = redactor.Log(l)
		for i, line := range l.Lines {
			l.Lines[i] = text.Cut(line, output.MaxRecordText)
		}
		brief.Logs = append(brief.Logs, l)
	}
	for _, g := range facts.Gaps {
		g.Reason = output.RedactText(g.Reason)
		brief.Gaps = append(brief.Gaps, g)
	}
	var text bytes.Buffer
	if err := brief.Encode(terminal.EscapingWriter{Writer: &text}); err != nil {
		return nil, nil, err
	}
	lines = bytes.Clone(text.Bytes())
	same, err = explain.DecodeFacts(&text)
	return same, lines, err
}

// shorten returns a copy of a value, with its long texts cut.
func shorten(value any) any {
	switch value := value.(type) {
	case string:
		return text.Cut(value, output.MaxRecordText)
	case map[string]any:
		m := make(map[string]any, len(value))
		for key, v := range value {
			m[key] = shorten(v)
		}
		return m
	case []any:
		list := make([]any, len(value))
		for i, v := range value {
			list[i] = shorten(v)
		}
		return list
	}
	return value
}
