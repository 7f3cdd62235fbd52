package main

import (
	"runtime/debug"

	"kstatus.dev/observe"
)

// A waitRecord records a wait.
type waitRecord struct {
	waitLook
	roll
	*record
	from   map[observe.Target]*source
	left   map[observe.Target]bool // those of which changes have been left out
	missed int                     // how many
	told   *explained
}

func newWaitRecord(l waitLook, r *record) *waitRecord {
	return &waitRecord{waitLook: l, record: r, left: map[observe.Target]bool{}}
}

func (r *waitRecord) start() error {
	line := recordStart{startLine: r.startLine(), Record: recordHead{
		Of: "wait", Version: versionText(debug.ReadBuildInfo), Subject: r.asked.subject, Names: r.asked.names, Namespaces: r.asked.namespaces,
		Contexts: r.asked.contexts, Goals: r.plan.texts.goals, Scoped: r.plan.texts.scoped,
	}}
	line.Time = exactly(r.at())
	for _, t := range r.plan.texts.timeouts {
		line.Record.Timeouts = append(line.Record.Timeouts, recordTimeout{t.scope.text, t.value.String()})
	}
	r.write(line)
	return nil
}

func (r *waitRecord) know(all []selected) {
	r.roll.know(all)
	r.from = make(map[observe.Target]*source, len(all))
	for _, o := range all {
		r.from[o.target] = o.from
		line := targetLine{V: linesVersion, Type: "target", Time: exactly(r.at()), ID: identityOfTarget(o.target), Goals: r.goals(o.target)}
		if o.from != nil {
			line.Source = &source{File: discreet(o.from.File), Line: o.from.Line}
		}
		if o.target.IsSelection() {
			labels, fields := o.target.Match.Selectors()
			line.Selection = &matching{labels, fields}
		}
		r.write(line)
	}
	r.write(markLine{V: linesVersion, Type: "known", Time: exactly(r.at()), Targets: new(len(all))})
}

// goals returns the goals that an object has of its own.
func (r *waitRecord) goals(t observe.Target) (names []string) {
	if own := r.plan.termsFor(t); own != nil {
		for _, g := range own.Goals {
			names = append(names, g.Name)
		}
	}
	return names
}

func (r *waitRecord) update(u observe.Update, _ *observe.Board) error {
	if u.Target == (observe.Target{}) {
		r.write(markLine{V: linesVersion, Type: "tick", Time: exactly(r.at()), Synced: u.Synced})
		return nil
	}
	r.hear(u.Target)
	if r.full() {
		r.left[u.Target] = true
		r.missed++
		return nil
	}
	r.write(r.line(u))
	return nil
}

func (r *waitRecord) line(u observe.Update) recordLine {
	line := recordLineOf(u, r.at(), r.from[u.Target])
	if r.pace != nil && r.pace.usual != nil {
		if usual, known := r.pace.usual(u.Target); known {
			line.Usual = usual.String()
		}
	}
	return line
}

// end writes the last verdicts of those whose changes have been left out.
func (r *waitRecord) end(b *observe.Board, _ ending) error {
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
func (r *waitRecord) result(b *observe.Board, e ending) error {
	line := recordResult{resultLine: resultLineOf(b, e, r.at(), r.objects(b), r.told), Cut: e.cut, Left: r.missed}
	line.Time = exactly(r.at())
	if e.err != nil {
		line.Error = said(e.err.Error())
	}
	r.write(line)
	return r.close()
}
