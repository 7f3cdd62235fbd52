package audit

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/author/severity"
)

var foreignWriter = &Rule{
	ID: "W-31", Name: "foreign-writer", Severity: severity.Error,
	Doc: `Only one controller writes a condition

Two writers of one condition overwrite each other, and a reader cannot tell which
result is current. Give each controller condition types of its own, and let it apply
or patch only these. The owner of a condition is declared, or it is the manager with
the most writes. Another manager may take over for good, as after an upgrade. Edits
with kubectl, and a single correction by the owner, are allowed. A violation is that
the owner overwrites another writer twice, each time within Limits.FlapWindow.`,
	OnChange: func(p *Pass) {
		if !p.New.StatusWrite || !hasOtherWriter(p) {
			return
		}
		for _, c := range p.New.Conditions {
			was, ok := p.Old.Condition(c.Type)
			statusWriter := p.StatusWriter(c.Type)
			if !ok || statusWriter == "" || sameStatement(was, c) || isRestored(p, c) {
				continue
			}
			strangers := existingState[map[string]foreignWriterState](p)
			if statusWriter != p.New.Manager {
				if strangers == nil {
					strangers = State[map[string]foreignWriterState](p)
					*strangers = map[string]foreignWriterState{}
				}
				s, known := (*strangers)[c.Type]
				if !known && len(*strangers) >= maxWriterCounts {
					continue
				}
				if p.Now.Sub(s.at) > p.Options.FlapWindow {
					s.rounds = 0
				}
				(*strangers)[c.Type] = foreignWriterState{p.New.Manager, p.Now, s.rounds, true}
				continue
			}
			if strangers == nil {
				continue
			}
			s := (*strangers)[c.Type]
			if !s.open || s.manager == statusWriter || p.Now.Sub(s.at) > p.Options.FlapWindow {
				continue
			}
			s.open = false
			if s.rounds++; s.rounds >= 2 {
				p.Report(c.Path(""), "written by %s and by %s in turn, %d times within %s", statusWriter, s.manager, s.rounds, p.Options.FlapWindow)
			}
			(*strangers)[c.Type] = s
		}
	},
}

// A foreignWriterState is a manager that wrote another manager's condition.
type foreignWriterState struct {
	manager string
	at      time.Time
	rounds  int  // how often the owner has overwritten it
	open    bool // the owner has not overwritten the last write yet
}

var lostUpdate = &Rule{
	ID: "W-32", Name: "lost-update", Severity: severity.Warning,
	Doc: `A write leaves the conditions of other writers as they are

A controller may read an object, change its own conditions, and send back the whole
list without the resourceVersion. That reverts what others have written in between.
Send the resourceVersion and try again on a conflict. Or apply with a field owner,
which changes only the controller's own types. A violation is that a condition of
another manager disappears. Another is that it gets back exactly its previous
content, including its time. A status that is removed as a whole does not count.`,
	OnChange: func(p *Pass) {
		if !p.New.StatusWrite || !hasOtherWriter(p) {
			return
		}
		for _, was := range p.Old.Conditions {
			statusWriter := p.StatusWriter(was.Type)
			if statusWriter == "" || statusWriter == p.New.Manager || len(p.New.Conditions) == 0 {
				continue
			}
			c, ok := p.New.Condition(was.Type)
			switch {
			case !ok:
				p.Report(was.Path(""), "written by %s, removed by %s", statusWriter, p.New.Manager)
			case isRestored(p, c):
				p.Report(was.Path(""), "written by %s, reverted by %s to %s %s", statusWriter, p.New.Manager, c.Status, c.Reason)
			}
		}
		recordStatements(p)
	},
}

// hasOtherWriter reports whether a controller wrote a status that another controller
// has written before. Edits by a person do not count.
func hasOtherWriter(p *Pass) bool {
	manager := p.New.Manager
	return manager != "" && !strings.HasPrefix(manager, "kubectl") && slices.ContainsFunc(p.history.writers, func(t writerCount) bool {
		return t.what == "" && t.manager != manager && !strings.HasPrefix(t.manager, "kubectl")
	})
}

// A statement is the content of a condition before its owner's last change.
type statement struct{ of, status, reason, message, since string }

// formerStatements is the key of the state that both rules share.
var formerStatements = new(Rule)

// recordStatements records the previous content of each condition that its owner
// has changed.
func recordStatements(p *Pass) {
	shared := *p
	shared.rule = formerStatements
	for _, c := range p.New.Conditions {
		was, ok := p.Old.Condition(c.Type)
		if !ok || sameStatement(was, c) || p.StatusWriter(c.Type) != p.New.Manager {
			continue
		}
		known := State[[]statement](&shared)
		*known = slices.DeleteFunc(*known, func(s statement) bool { return s.of == c.Type })
		if len(*known) >= maxWriterCounts {
			*known = slices.Delete(*known, 0, 1)
		}
		*known = append(*known, statement{c.Type, was.Status, was.Reason, was.Message, was.Since})
	}
}

// isRestored reports whether a write gave another manager's condition the content
// it had before that manager's last change.
func isRestored(p *Pass, c Condition) bool {
	was, ok := p.Old.Condition(c.Type)
	if !ok || sameStatement(was, c) || p.StatusWriter(c.Type) == p.New.Manager {
		return false
	}
	shared := *p
	shared.rule = formerStatements
	known := existingState[[]statement](&shared)
	return known != nil && slices.Contains(*known, statement{c.Type, c.Status, c.Reason, c.Message, c.Since})
}

func sameStatement(a, b Condition) bool {
	return a.Status == b.Status && a.Reason == b.Reason && a.Message == b.Message
}
