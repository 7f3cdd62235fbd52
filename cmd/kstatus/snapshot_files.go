package main

import (
	"bytes"
	"context"
	"runtime"
	"slices"

	"kstatus.dev/explain"
	"kstatus.dev/kube/celrule"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/status"
)

// A fileSnapshot is the observed state that files hold, and what judges it.
type fileSnapshot struct {
	judge  judge
	pieces []piece
	wanted func(map[string]any) bool
	unread int // definitions that could not be read
}

// readFiles reads what -f and -k name. Nothing is decoded yet.
func (f *snapshotFlags) readFiles(ctx context.Context) ([]input, error) {
	if len(f.selection.files) == 0 && f.selection.kustomize == "" {
		return nil, usagef("--local: want -f FILE or -k DIR with it")
	}
	if f.selection.fieldSelector != "" {
		return nil, usagef("--field-selector: a server selects by fields; with --local there is none")
	}
	return newReader(ctx, f.env.in).all(f.selection.files, f.selection.recursive, f.selection.kustomize), nil
}

// ofFiles returns the snapshot that files hold. Definitions of custom resources
// are decoded first, wherever they are, since they say what is to be expected of
// the others.
func (f *snapshotFlags) ofFiles(ctx context.Context, c criteria, d detail, inputs []input) (s fileSnapshot, err error) {
	s.pieces = pieces(inputs)
	if s.wanted, err = f.filter(); err != nil {
		return s, err
	}
	set, err := celrule.NewSet(c.rules...)
	if err != nil {
		return s, err
	}
	s.judge = c.judge(d)
	s.judge.evaluator.Expect, s.unread = f.expectations(ctx, s.pieces, set.Learn)
	s.judge.evaluator.Choose = set.Choose
	s.judge.evaluator.Related = relatedIn(s.pieces)
	return s, nil
}

// verdicts judges the objects of one document that -l and -n match, and lets go
// of its text.
func (s *fileSnapshot) verdicts(p *piece) []verdict {
	items := p.decoded()
	*p = piece{}
	verdicts := make([]verdict, 0, len(items))
	for _, it := range items {
		if it.err == nil && !s.wanted(it.object) {
			continue
		}
		verdicts = append(verdicts, s.verdict(it))
	}
	return verdicts
}

func (s *fileSnapshot) verdict(it item) (v verdict) {
	if it.err != nil {
		v = s.judge.unreadable(it.object, it.err)
	} else {
		v = s.judge.verdict(it.object)
	}
	v.Source = &it.from
	v.odd, v.Warnings = it.odd, append(v.Warnings, it.odd...)
	return v
}

// A fileFact is what a file says: an object with the verdict on it, or an Event,
// with its place in the file as all there is of a verdict.
type fileFact struct {
	verdict verdict
	event   *explain.Event
}

// facts judges the objects of one document, and lets go of its text.
func (s *fileSnapshot) facts(p *piece) (all []fileFact) {
	items := p.decoded()
	*p = piece{}
	for _, it := range items {
		if it.err == nil {
			if e, ok := explain.EventOf(it.object); ok {
				all = append(all, fileFact{verdict: verdict{objectLine: objectLine{Source: &it.from}, odd: it.odd}, event: &e})
				continue
			}
		}
		all = append(all, fileFact{verdict: s.verdict(it)})
	}
	return all
}

// collect adds to facts all that the files say, and returns the verdicts on the
// objects that the arguments name. What cannot be judged is counted. Every verdict
// is given to seen.
func (s *fileSnapshot) collect(args []string, facts *explain.Facts, t *tally, seen func(verdict)) ([]verdict, error) {
	t.unread += s.unread
	var all []verdict
	var redact explain.Redactor
	for some := range inOrder(s.pieces, runtime.GOMAXPROCS(0), s.facts) {
		for _, k := range some {
			seen(k.verdict)
			switch {
			case k.event != nil:
				facts.Events = append(facts.Events, redact.Event(*k.event))
			case k.verdict.unjudged:
				t.add(k.verdict)
			default:
				facts.Things = append(facts.Things, redact.Thing(*k.verdict.thing))
				if s.wanted(k.verdict.thing.Object) {
					all = append(all, k.verdict)
				}
			}
		}
	}
	return namedBy(args, all)
}

// printProblems prints what is wrong with the text of an object.
func (f *snapshotFlags) printProblems(v verdict) {
	if v.unjudged {
		f.env.print("error: %s: %s", v.Source, v.Error)
	}
	for _, odd := range v.odd {
		f.env.print("warning: %s: %s", v.Source, odd)
	}
}

// expectations reads what the definitions promise, those of --crds and those
// among the objects. What --crds names and cannot be read is printed and counts
// as unread: verdicts rest on it. A definition among the objects is an object
// first. All that can be read are also given to learn.
func (f *snapshotFlags) expectations(ctx context.Context, pieces []piece, learn func(status.Object)) (expect status.Expectations, unread int) {
	named := f.namedDefinitions(ctx)
	var definitions []status.Object
	for _, it := range append(slices.Clone(named), definitionsIn(pieces)...) {
		if it.err == nil {
			definitions = append(definitions, it.object)
			learn(it.object)
		}
	}
	if len(definitions) == 0 && len(named) == 0 {
		return nil, 0
	}
	for _, it := range named {
		err := it.err
		if err == nil {
			_, err = status.ExpectationsFromCRDs(it.object)
		}
		if err != nil {
			unread++
			f.env.print("error: %s: %v", it.from, err)
		}
	}
	expect, _ = status.ExpectationsFromCRDs(definitions...) // what is wrong has been printed
	return expect, unread
}

// namedDefinitions returns the definitions of --crds, and what cannot be read.
func (f *snapshotFlags) namedDefinitions(ctx context.Context) (named []item) {
	read := newReader(ctx, f.env.in)
	for _, name := range f.crds {
		found := definitionsIn(pieces(read.named(name, true)))
		if len(found) == 0 {
			found = []item{{from: source{File: name}, err: errNoDefinitions}}
		}
		named = append(named, found...)
	}
	return named
}

// relatedIn returns what finds the StorageClasses among the documents, on which
// the verdicts on claims rest.
func relatedIn(pieces []piece) status.Lookup {
	classes := &kubesource.Promises{}
	for _, it := range among(pieces, "StorageClass", func(obj status.Map) bool { return obj["kind"] == "StorageClass" }) {
		if it.err == nil {
			classes.Learn(it.object)
		}
	}
	return classes.Related
}

// definitionsIn returns the definitions among the documents, and what cannot be read.
func definitionsIn(pieces []piece) []item {
	return among(pieces, "CustomResourceDefinition", func(obj status.Map) bool { return status.IsCRD(obj) })
}

// among returns the objects of a kind among the documents, and what cannot be
// read. It decodes only documents that hold the name of the kind, and keeps what
// was decoded for when they are judged themselves.
func among(pieces []piece, kind string, is func(status.Map) bool) []item {
	var candidates []*piece
	for i := range pieces {
		p := &pieces[i]
		if p.items != nil || bytes.Contains(p.text, []byte(kind)) {
			candidates = append(candidates, p)
		}
	}
	var all []item
	for items := range inOrder(candidates, runtime.GOMAXPROCS(0), func(p **piece) []item {
		(*p).items = (*p).decoded()
		return (*p).items
	}) {
		for _, it := range items {
			if it.err != nil || is(it.object) {
				all = append(all, it)
			}
		}
	}
	return all
}
