package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/redact"
)

var unfitMessage = &Rule{
	ID: "W-53", Name: "unfit-message", Severity: severity.Warning,
	Doc: `A message is short, complete, and without secrets

Messages appear in terminals, dashboards, chats and tickets, and everybody who may
read the object may read them. Do not copy the error of a library: requests contain
passwords and tokens, and responses contain whole documents. Write a sentence of your
own, and log the rest. The rule reads messages of conditions, of the status and of
Events. A violation is a message that is longer than 8 KiB, ends within JSON, or is
not UTF-8. Another is a message that looks as if it contains a password, a token or a
key, which the finding does not quote.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			was := Condition{}
			if p.Old != nil {
				was, _ = p.Old.Condition(c.Type)
			}
			if c.Message != was.Message {
				checkMessage(p, c.Path("message"), was.Message, c.Message)
			}
		}
		old := &Version{}
		if p.Old != nil {
			old = p.Old
		}
		for _, name := range [...]string{"message", "failureMessage", "error"} {
			checkMessage(p, ".status."+name, decoded.Text(old.Status(), name), decoded.Text(p.New.Status(), name))
		}
		if p.New.ID.Kind.Kind == "Event" {
			checkMessage(p, ".message", decoded.Text(old.Object, "message"), decoded.Text(p.New.Object, "message"))
			checkMessage(p, ".note", decoded.Text(old.Object, "note"), decoded.Text(p.New.Object, "note"))
		}
	},
}

// maxMessageLength is the length limit of a message, in bytes.
const maxMessageLength = 8 << 10

func checkMessage(p *Pass, path, was, is string) {
	if is == was || is == "" {
		return
	}
	if why := messageProblem(is); why != "" && why != messageProblem(was) {
		p.Report(path, "%s", why)
	}
}

// messageProblem describes the problem of a message without quoting it. It is empty if
// there is none.
func messageProblem(message string) string {
	if kind := redact.Find(message); kind != "" {
		return "it seems to contain " + kind
	}
	switch {
	case len(message) > maxMessageLength:
		return fmt.Sprintf("it is longer than %d bytes", maxMessageLength)
	case !utf8.ValidString(message) || strings.ContainsRune(message, utf8.RuneError):
		return "it is not UTF-8, or was cut within a character"
	case cutJSON(message):
		return "it ends within a JSON document"
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
