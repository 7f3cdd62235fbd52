package main

import (
	"runtime/debug"

	"kstatus.dev/observe"
)

// A waitRecord records a wait.
type waitRecord struct {
	config
	pending
	*record
	from   map[observe.Target]*source
	left   map[observe.Target]bool // those of which changes have been left out
	missed int                     // how many
	told   *explained
}

func newWaitRecord(l config, r *record) *waitRecord {
	return &waitRecord{config: l, record: r, left: map[observe.Target]bool{}}
}

func (r *waitRecord) start() error {
	request := r.brief.request
	line := recordStart{startLine: r.brief.startLine(r.at()), Record: recordHead{
		Of: "wait", Version: versionText(debug.ReadBuildInfo), Subject: request.subject, Names: request.names, Namespaces: request.namespaces,
		Contexts: request.contexts, Goals: r.brief.goalNames(), Scoped: r.brief.scoped,
	}}
	line.Time = exactly(r.at())
	for _, t := range r.brief.timeouts {
		line.Record.Timeouts = append(line.Record.Timeouts, recordTimeout{t.sel, t.timeout.String()})
	}
	r.write(line)
	return nil
}

func (r *waitRecord) know(all []target) {
	r.pending.know(all)
	r.from = sourcesOf(all)
	for _, o := range all {
		line := targetLine{V: linesVersion, Type: "target", Time: exactly(r.at()), ID: identityOfTarget(o.Target), Goals: r.ownGoals(o.Target)}
		if o.source != nil {
			line.Source = &source{File: redactURL(o.source.File), Line: o.source.Line}
		}
		if o.IsSelection() {
			labels, fields := o.Match.Selectors()
			line.Selection = &matching{labels, fields}
		}
		r.write(line)
	}
	r.write(markLine{V: linesVersion, Type: "known", Time: exactly(r.at()), Targets: new(len(all))})
}

// ownGoals names the goals of an object that has other ones than all.
func (r *waitRecord) ownGoals(t observe.Target) []string {
	if r.brief.ownGoals == nil {
		return nil
	}
	return namesOfGoals(r.brief.ownGoals(t))
}

func (r *waitRecord) update(u event, _ *observe.Board) error {
	if u.tick() {
		r.write(markLine{V: linesVersion, Type: "tick", Time: exactly(r.at()), Synced: u.Synced})
		return nil
	}
	r.hear(u.Target)
	if r.full() {
		r.left[u.Target] = true
		r.missed++
		return nil
	}
	r.write(r.line(u.Update))
	return nil
}

func (r *waitRecord) line(u observe.Update) recordLine {
	line := recordLineOf(u, r.at(), r.from[u.Target])
	if r.progress != nil && r.progress.usual != nil {
		if usual, known := r.progress.usual(u.Target); known {
			line.Usual = usual.String()
		}
	}
	return line
}

// end writes the last verdicts of those whose changes have been left out.
func (r *waitRecord) end(b *observe.Board, _ result) error {
	for _, u := range b.Updates() {
		if r.left[u.Target] {
			line := r.line(u)
			line.Final = true
			r.write(line)
		}
	}
	return nil
}

func (r *waitRecord) why(e *explained) error {
	r.told = e
	_, lines, err := recorded(e.facts)
	r.fail(err)
	r.text(lines)
	return nil
}

// result closes the record. A record that could not be written changes how the
// process exits only if all was well with the wait.
func (r *waitRecord) result(b *observe.Board, e result) error {
	line := recordResult{resultLine: resultLineOf(b, e, r.at(), r.objects(b), r.told), Cut: e.cut, Left: r.missed}
	line.Time = exactly(r.at())
	if e.err != nil {
		line.Error = said(e.err.Error())
	}
	r.write(line)
	return r.close()
}
