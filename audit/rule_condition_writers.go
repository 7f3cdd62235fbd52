package audit

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/severity"
)

var foreignWriter = &Rule{
	ID: "W-31", Name: "foreign-writer", Severity: severity.Error,
	Doc: `A condition is written by one controller only

Two writers of one condition undo each other's statements, and a reader cannot
tell whose is the present one. Give each controller condition types of its own,
and let it apply or patch these alone. Who keeps a condition is declared, or
learned: the manager that wrote it most. That another one takes it over for good,
as after an upgrade, is let pass, and so are a person who edits with kubectl and a
single answer. Told is that the keeper answers another writer twice, each time
within Limits.FlapWindow.`,
	OnChange: func(p *Pass) {
		if !p.New.StatusWrite || !crowded(p) {
			return
		}
		for _, c := range p.New.Conditions {
			was, there := p.Old.Condition(c.Type)
			keeper := p.StatusWriter(c.Type)
			if !there || keeper == "" || sameStatement(was, c) || revived(p, c) {
				continue
			}
			strangers := remembered[map[string]stranger](p)
			if keeper != p.New.Manager {
				if strangers == nil {
					strangers = State[map[string]stranger](p)
					*strangers = map[string]stranger{}
				}
				s, known := (*strangers)[c.Type]
				if !known && len(*strangers) >= mostWriterCounts {
					continue
				}
				if p.Now.Sub(s.at) > p.Options.FlapWindow {
					s.rounds = 0
				}
				(*strangers)[c.Type] = stranger{p.New.Manager, p.Now, s.rounds, true}
				continue
			}
			if strangers == nil {
				continue
			}
			s := (*strangers)[c.Type]
			if !s.open || s.manager == keeper || p.Now.Sub(s.at) > p.Options.FlapWindow {
				continue
			}
			s.open = false
			if s.rounds++; s.rounds >= 2 {
				p.Report(c.Path(""), "written by %s and by %s in turn, %d times within %s", keeper, s.manager, s.rounds, p.Options.FlapWindow)
			}
			(*strangers)[c.Type] = s
		}
	},
}

// A stranger wrote a condition that another manager keeps.
type stranger struct {
	manager string
	at      time.Time
	rounds  int  // how often the keeper answered
	open    bool // it has not answered yet
}

var lostUpdate = &Rule{
	ID: "W-32", Name: "lost-update", Severity: severity.Warning,
	Doc: `A write leaves the conditions of other writers as they are

A controller that reads an object, changes its own conditions and sends the whole
list back as it was read, without the resourceVersion, takes back what others
wrote in between. Send the resourceVersion and try again on a conflict, or apply
with a field owner, which touches one's own types only. Told is that a condition
kept by another manager vanishes, or gets back exactly the statement that it had
before its keeper's last one, its time included. A status that is wiped as a whole is not meant here.`,
	OnChange: func(p *Pass) {
		if !p.New.StatusWrite || !crowded(p) {
			return
		}
		for _, was := range p.Old.Conditions {
			keeper := p.StatusWriter(was.Type)
			if keeper == "" || keeper == p.New.Manager || len(p.New.Conditions) == 0 {
				continue
			}
			c, there := p.New.Condition(was.Type)
			switch {
			case !there:
				p.Report(was.Path(""), "kept by %s, taken away by %s", keeper, p.New.Manager)
			case revived(p, c):
				p.Report(was.Path(""), "kept by %s, set back by %s to %s %s, as it was before", keeper, p.New.Manager, c.Status, c.Reason)
			}
		}
		noteStatements(p)
	},
}

// crowded reports whether a controller wrote the status to which another one has
// written before. A person is none.
func crowded(p *Pass) bool {
	who := p.New.Manager
	return who != "" && !strings.HasPrefix(who, "kubectl") && slices.ContainsFunc(p.history.writers, func(t writerCount) bool {
		return t.what == "" && t.manager != who && !strings.HasPrefix(t.manager, "kubectl")
	})
}

// A statement is what a condition said before its keeper's last word.
type statement struct{ of, status, reason, message, since string }

// formerStatements is under what the statements of conditions are remembered, for
// both rules.
var formerStatements = new(Rule)

// noteStatements remembers what the conditions said that their keeper changed.
func noteStatements(p *Pass) {
	shared := *p
	shared.rule = formerStatements
	for _, c := range p.New.Conditions {
		was, there := p.Old.Condition(c.Type)
		if !there || sameStatement(was, c) || p.StatusWriter(c.Type) != p.New.Manager {
			continue
		}
		known := State[[]statement](&shared)
		*known = slices.DeleteFunc(*known, func(s statement) bool { return s.of == c.Type })
		if len(*known) >= mostWriterCounts {
			*known = slices.Delete(*known, 0, 1)
		}
		*known = append(*known, statement{c.Type, was.Status, was.Reason, was.Message, was.Since})
	}
}

// revived reports whether a write gave a condition that another one keeps back
// what it said before that keeper's last word.
func revived(p *Pass, c Condition) bool {
	was, there := p.Old.Condition(c.Type)
	if !there || sameStatement(was, c) || p.StatusWriter(c.Type) == p.New.Manager {
		return false
	}
	shared := *p
	shared.rule = formerStatements
	known := remembered[[]statement](&shared)
	return known != nil && slices.Contains(*known, statement{c.Type, c.Status, c.Reason, c.Message, c.Since})
}

func sameStatement(a, b Condition) bool {
	return a.Status == b.Status && a.Reason == b.Reason && a.Message == b.Message
}
