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
	Failing bool   `json:"failing,omitempty"` // something is wrong that may heal, and has its time to do so
	FailsAt string `json:"failsAt,omitempty"` // when that time is over
	Met     bool   `json:"met"`               // it meets the goals
	Wants   string `json:"wants,omitempty"`   // what goals that are not met have found
}

// waitLines prints a wait as one JSON object per line.
type waitLines struct {
	waitLook
	encode *json.Encoder
	from   map[observe.Target]*source
}

func newWaitLines(l waitLook) *waitLines {
	encode := json.NewEncoder(l.out)
	encode.SetEscapeHTML(false)
	from := make(map[observe.Target]*source, len(l.objects))
	for _, o := range l.objects {
		from[o.target] = o.from
	}
	return &waitLines{l, encode, from}
}

func (p *waitLines) start(goals []observe.Goal) error {
	return p.encode.Encode(startLine{
		V: linesVersion, Type: "start", Time: p.time(), Objects: new(len(p.objects)), Profile: p.profile,
		Goal: namesOf(goals), Timeout: p.timeout.String(),
	})
}

func (p *waitLines) update(u observe.Update, _ *observe.Board) error {
	if u.Target == (observe.Target{}) || p.quiet {
		return nil
	}
	r := u.Result
	line := waitLine{
		objectLine: objectLine{
			V: linesVersion, Type: "object", Time: p.time(), ID: identityOfTarget(u.Target),
			Status: r.Status, Previous: u.Previous, Reason: r.Reason, Message: r.Message, Failure: r.Failure,
			Suspended: r.Suspended, Confidence: r.Confidence, Rule: r.Rule, Evidence: []evidence{},
			Source: p.from[u.Target], Warnings: r.Warnings,
		},
		Failing: u.Standing == observe.Failing,
		Met:     u.Standing == observe.Met,
		Wants:   u.Wants,
	}
	if u.Version.Generation > 0 {
		line.Generation = new(u.Version.Generation)
	}
	if u.Version.Observed > 0 {
		line.ObservedGeneration = new(u.Version.Observed)
	}
	for _, read := range u.Reads {
		line.Evidence = append(line.Evidence, evidence{read.Path, printable(read.Value)})
	}
	if !u.FailsAt.IsZero() {
		line.FailsAt = u.FailsAt.UTC().Format(time.RFC3339)
	}
	if r.Status == status.UnknownStatus {
		line.Error = r.Message
	}
	return p.encode.Encode(line)
}

func (p *waitLines) end(b *observe.Board, e ending) error {
	return p.encode.Encode(resultLine{
		V: linesVersion, Type: "result", Time: p.time(), Outcome: e.code.outcome(), ExitCode: e.code,
		Objects: len(p.objects), Counts: b.Counts(),
	})
}

func (p *waitLines) time() string { return p.now().UTC().Format(time.RFC3339) }

// waitNames prints the name of each object when it first meets the goals, as
// kubectl takes it. What else is to be said goes to the people.
type waitNames struct {
	waitLook
	log  *waitLog
	done map[observe.Target]bool
}

func (p *waitNames) start([]observe.Goal) error {
	p.done = map[observe.Target]bool{}
	return nil
}

func (p *waitNames) update(u observe.Update, _ *observe.Board) error {
	if u.Standing != observe.Met || p.done[u.Target] {
		return nil
	}
	p.done[u.Target] = true
	return names{p.out}.object(verdict{objectLine: objectLine{ID: identityOfTarget(u.Target)}})
}

func (p *waitNames) end(b *observe.Board, e ending) error {
	if e.code == exitOK {
		return nil
	}
	return p.log.end(b, e)
}
