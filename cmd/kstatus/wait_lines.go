package main

import (
	"encoding/json"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A waitLine is the line about an object while it is waited for.
type waitLine struct {
	objectLine
	Selection  *matching `json:"selection,omitempty"`  // the line is about a selection of objects
	Failing    bool      `json:"failing,omitempty"`    // something is wrong that may heal, and has its time to do so
	FailsAt    string    `json:"failsAt,omitempty"`    // when that time is over
	Met        bool      `json:"met"`                  // it meets the goals
	Wants      string    `json:"wants,omitempty"`      // what goals that are not met have found
	Ignored    bool      `json:"ignored,omitempty"`    // it is not waited for
	Late       bool      `json:"late,omitempty"`       // the time that it had for itself is over
	Left       bool      `json:"left,omitempty"`       // it is gone from its selection
	Stale      bool      `json:"stale,omitempty"`      // it cannot be looked at; the verdict is from before
	StaleSince string    `json:"staleSince,omitempty"` // since when
}

// A matching tells which objects a selection has.
type matching struct {
	Labels string `json:"labels"`
	Fields string `json:"fields"`
}

// waitLines prints a wait as one JSON object per line.
type jsonView struct {
	base
	config
	pending
	encode *json.Encoder
	from   map[observe.Target]*source
	told   *explained
}

func newJSONView(l config) *jsonView {
	return &jsonView{config: l, encode: encoderOn(l.out)}
}

func (p *jsonView) start() error {
	return p.encode.Encode(p.brief.startLine(p.at()))
}

func (p *jsonView) know(all []target) {
	p.pending.know(all)
	p.from = sourcesOf(all)
}

func (p *jsonView) update(u event, _ *observe.Board) error {
	if u.tick() {
		return nil
	}
	p.hear(u.Target)
	if p.quiet {
		return nil
	}
	return p.encode.Encode(waitLineOf(u.Update, p.at(), p.from[u.Target]))
}

// waitLineOf returns the line about an update.
func waitLineOf(u observe.Update, at time.Time, from *source) waitLine {
	line := waitLine{
		objectLine: verdictOn(u, at).objectLine,
		Failing:    u.Standing == observe.Failing, FailsAt: timeText(u.FailsAt),
		Met: u.Standing == observe.Met, Wants: u.Wants,
		Ignored: u.Standing == observe.Ignored && !u.Left, Late: u.Standing == observe.Late, Left: u.Left,
		Stale: !u.Stale.IsZero(), StaleSince: timeText(u.Stale),
	}
	line.Source = from
	if u.Target.IsSelection() {
		labels, fields := u.Target.Match.Selectors()
		line.Selection = &matching{labels, fields}
	}
	return line
}

// timeText returns a time as the lines have it, empty for none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return rfc3339(t)
}

func (p *jsonView) why(e *explained) error {
	p.told = e
	return nil
}

func (p *jsonView) result(b *observe.Board, e result) error {
	return p.encode.Encode(resultLineOf(b, e, p.at(), p.objects(b), p.told))
}

// resultLineOf returns the line that closes the stream.
func resultLineOf(b *observe.Board, e result, at time.Time, objects int, why *explained) resultLine {
	line := resultLine{
		V: linesVersion, Type: "result", Time: rfc3339(at), Outcome: e.code.outcome(), ExitCode: e.code,
		Objects: objects, Counts: map[status.Status]int{},
	}
	for _, u := range b.Updates() {
		if !u.Target.IsSelection() {
			line.Counts[u.Result.Status]++
		}
		if u.Standing == observe.Ignored {
			line.Ignored++
		}
	}
	if why != nil {
		line.Causes, line.NotSeen = why.Causes, why.Gaps
	}
	return line
}

// waitNames prints the name of each object when it first meets the goals, as
// kubectl takes it.
type nameView struct {
	base
	config
	done map[observe.Target]bool
}

func (p *nameView) update(u event, _ *observe.Board) error {
	if u.Standing != observe.Met || u.Target.IsSelection() || p.done[u.Target] {
		return nil
	}
	p.done[u.Target] = true
	return names{p.out}.object(verdict{objectLine: objectLine{ID: identityOfTarget(u.Target)}})
}

// A quietLog tells the end only, and of one that is as wished nothing if the
// names have told it.
type quietLog struct {
	*logView
	content bool
}

func (l *quietLog) end(b *observe.Board, e result) error {
	if l.content && e.code == exitOK {
		return nil
	}
	return l.logView.end(b, e)
}

func (l *quietLog) result(b *observe.Board, e result) error {
	if l.content && e.code == exitOK {
		return nil
	}
	return l.logView.result(b, e)
}

// verdictOn returns the verdict of an update.
func verdictOn(u observe.Update, now time.Time) verdict {
	r := u.Result
	v := verdict{objectLine: objectLine{
		V: linesVersion, Type: "object", Time: rfc3339(now), ID: identityOfTarget(u.Target), Previous: u.Previous,
		Status: r.Status, Reason: r.Reason, Message: u.Message(), Failure: r.Failure, Suspended: r.Suspended,
		Confidence: r.Confidence, Rule: r.Rule, Evidence: []evidence{}, Warnings: r.Warnings,
	}}
	if u.Version.Created != 0 {
		v.created = time.Unix(u.Version.Created, 0)
	}
	if u.Version.Generation > 0 {
		v.Generation = new(u.Version.Generation)
	}
	if u.Version.Observed > 0 {
		v.ObservedGeneration = new(u.Version.Observed)
	}
	for _, read := range u.Reads {
		v.Evidence = append(v.Evidence, evidence{read.Path, printable(read.Value)})
	}
	if r.Status == status.UnknownStatus {
		v.Error = v.Message
	}
	return v
}
