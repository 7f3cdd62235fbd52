package explain

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"kstatus.dev/status"
)

// A factLine is one fact as a line of JSON.
type factLine struct {
	Type   string      `json:"type"` // "thing", "event", "log", "list", "gap" or "facts"
	Object *objectLine `json:"thing,omitempty"`
	Event  *Event      `json:"event,omitempty"`
	Log    *Log        `json:"log,omitempty"`
	List   *List       `json:"list,omitempty"`
	Gap    *Gap        `json:"gap,omitempty"`
	Now    time.Time   `json:"now,omitzero"`
}

type objectLine struct {
	ID     status.ID      `json:"id"`
	Since  time.Time      `json:"since,omitzero"`
	Object map[string]any `json:"object,omitempty"`
	Result resultLine     `json:"result"`          // the message ends with the problem of the parts
	Own    string         `json:"own,omitempty"`   // the message without the problem of the parts, if there is one
	Parts  *status.Parts  `json:"parts,omitempty"` // the problem of the parts
	Reads  []status.Read  `json:"reads,omitempty"`
	Former bool           `json:"former,omitempty"`
}

// A resultLine is a verdict as a fact. Its own fields replace those of the Result, which
// lines about objects write even when they are empty.
type resultLine struct {
	status.Result
	Failure   status.Failure    `json:"failure,omitempty"`
	Suspended status.Suspension `json:"suspended,omitempty"`
}

func resultLineOf(t *ObjectFact) resultLine {
	line := resultLine{t.Result, t.Result.Failure, t.Result.Suspended}
	line.Message = t.Message()
	return line
}

func (l resultLine) result() status.Result {
	l.Result.Failure, l.Result.Suspended = l.Failure, l.Suspended
	return l.Result
}

// Encode writes the facts as lines of JSON, for [DecodeFacts].
func (f *Facts) Encode(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	lines := []factLine{{Type: "facts", Now: f.Now}}
	for _, t := range f.Objects {
		line := &objectLine{ID: t.ID, Since: t.Since, Object: t.Object, Parts: t.Parts, Reads: t.Reads, Result: resultLineOf(&t), Former: t.Former}
		if t.Parts != nil {
			line.Own = t.Result.Message
		}
		lines = append(lines, factLine{Type: "thing", Object: line})
	}
	for i := range f.Events {
		lines = append(lines, factLine{Type: "event", Event: &f.Events[i]})
	}
	for i := range f.Logs {
		lines = append(lines, factLine{Type: "log", Log: &f.Logs[i]})
	}
	for i := range f.Lists {
		lines = append(lines, factLine{Type: "list", List: &f.Lists[i]})
	}
	for i := range f.Gaps {
		lines = append(lines, factLine{Type: "gap", Gap: &f.Gaps[i]})
	}
	for _, line := range lines {
		if err := out.Encode(line); err != nil {
			return fmt.Errorf("write facts: %w", err)
		}
	}
	return nil
}

// Decode adds the fact in a line of [Facts.Encode]. It ignores a line of another type.
func (f *Facts) Decode(line []byte) error {
	var l factLine
	decode := json.NewDecoder(bytes.NewReader(line))
	decode.UseNumber()
	if err := decode.Decode(&l); err != nil {
		return err
	}
	switch {
	case l.Type == "facts":
		f.Now = l.Now
	case l.Type == "thing" && l.Object != nil:
		t := ObjectFact{ID: l.Object.ID, Since: l.Object.Since, Object: l.Object.Object, Reads: l.Object.Reads, Result: l.Object.Result.result(), Former: l.Object.Former}
		if l.Object.Own != "" && l.Object.Parts != nil {
			t.Result.Message, t.Parts = l.Object.Own, l.Object.Parts
		}
		f.Objects = append(f.Objects, t)
	case l.Type == "event" && l.Event != nil:
		f.Events = append(f.Events, *l.Event)
	case l.Type == "log" && l.Log != nil:
		f.Logs = append(f.Logs, *l.Log)
	case l.Type == "list" && l.List != nil:
		f.Lists = append(f.Lists, *l.List)
	case l.Type == "gap" && l.Gap != nil:
		f.Gaps = append(f.Gaps, *l.Gap)
	}
	return nil
}

// DecodeFacts reads the facts that [Facts.Encode] has written.
func DecodeFacts(r io.Reader) (*Facts, error) {
	f := &Facts{}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := f.Decode(line); err != nil {
				return nil, fmt.Errorf("read facts: line %d: %w", n, err)
			}
		}
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read facts: %w", err)
		}
	}
}
