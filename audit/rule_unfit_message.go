package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"kstatus.dev/redact"
	"kstatus.dev/severity"
)

var unfitMessage = &Rule{
	ID: "W-53", Name: "unfit-message", Severity: severity.Warning,
	Doc: `A message is for people: short, whole, and without secrets

Messages go to terminals, dashboards, chat rooms and tickets, and everybody who may
read the object may read them. Do not put the error of a library there as it is:
requests carry passwords and tokens, answers carry whole documents. Write a sentence
of one's own, and the rest into the log. Told is a message of a condition, of the
status or of an Event that is longer than 8 KiB, ends within JSON, is not UTF-8, or
holds what looks like a password, a token or a key; never what it is.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			was := Condition{}
			if p.Old != nil {
				was, _ = p.Old.Condition(c.Type)
			}
			if c.Message != was.Message {
				judgeMessage(p, c.Path("message"), was.Message, c.Message)
			}
		}
		old := &Version{}
		if p.Old != nil {
			old = p.Old
		}
		for _, name := range [...]string{"message", "failureMessage", "error"} {
			judgeMessage(p, ".status."+name, text(old.Status(), name), text(p.New.Status(), name))
		}
		if p.New.ID.Kind == "Event" {
			judgeMessage(p, ".message", text(old.Object, "message"), text(p.New.Object, "message"))
			judgeMessage(p, ".note", text(old.Object, "note"), text(p.New.Object, "note"))
		}
	},
}

// longestMessage is what a person may be asked to read, in bytes.
const longestMessage = 8 << 10

func judgeMessage(p *Pass, path, was, is string) {
	if is == was || is == "" {
		return
	}
	if why := unfit(is); why != "" && why != unfit(was) {
		p.Report(path, "%s", why)
	}
}

// unfit says what is wrong with a message, in words that tell nothing of it;
// empty if nothing is.
func unfit(message string) string {
	if kind := redact.Find(message); kind != "" {
		return "it holds what looks like " + kind
	}
	switch {
	case len(message) > longestMessage:
		return fmt.Sprintf("it is longer than %d bytes", longestMessage)
	case !utf8.ValidString(message) || strings.ContainsRune(message, utf8.RuneError):
		return "it is not UTF-8, or was cut within a character"
	case cutJSON(message):
		return "it ends within a document of JSON"
	}
	return ""
}

// cutJSON reports whether a text ends within JSON that began in it.
func cutJSON(s string) bool {
	i := strings.Index(s, `{"`)
	if i < 0 {
		return false
	}
	d := json.NewDecoder(strings.NewReader(s[i:]))
	for depth := 0; ; {
		token, err := d.Token()
		switch {
		case err != nil:
			return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
		case token == json.Delim('{') || token == json.Delim('['):
			depth++
		case token == json.Delim('}') || token == json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return false
		}
	}
}
