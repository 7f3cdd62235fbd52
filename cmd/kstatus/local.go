package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/kube/celrule"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/status"
)

// getLocal judges the objects of files. Files are cut into documents, which are
// decoded and judged on all processors and shown in their order. Definitions
// of custom resources are decoded first, wherever they stand, since they say
// what is to be expected of the others.
func (g *getCommand) getLocal(ctx context.Context, args []string, j judge, show printer) error {
	if err := g.wantsFiles(); err != nil {
		return err
	}
	if len(args) > 0 {
		return usagef("%s: with --local, objects come from -f or -k only", args[0])
	}
	if err := show.start(g.startLine(j)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	t := &tally{}
	pieces, err := g.pieces(ctx, &j, t)
	if err != nil {
		return err
	}
	wanted, err := g.filter()
	if err != nil {
		return err
	}
	for verdicts := range inOrder(pieces, runtime.GOMAXPROCS(0), func(p *piece) []verdict { return j.piece(p, wanted) }) {
		for _, v := range verdicts {
			t.add(v)
			g.complain(v)
			if err := show.object(v); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	return g.finish(show, t, j.now)
}

// pieces reads the files, and has the judge judge by what stands in them.
func (g *getCommand) pieces(ctx context.Context, j *judge, t *tally) (pieces []piece, err error) {
	read := newReader(ctx, g.env.in)
	for _, name := range g.files {
		pieces = append(pieces, read.named(name, g.recursive)...)
	}
	if g.kustomize != "" {
		pieces = append(pieces, kustomized(g.kustomize)...)
	}
	set, err := celrule.NewSet(j.rules...)
	if err != nil {
		return nil, err
	}
	j.evaluator.Expect = g.expectations(read, pieces, t, set.Learn)
	j.evaluator.Choose = set.Choose
	j.evaluator.Related = relatedIn(pieces)
	return pieces, nil
}

// complain tells people what is wrong with the text of an object.
func (g *getCommand) complain(v verdict) {
	if v.unjudged {
		g.say("error: %s: %s", v.Source, v.Error)
	}
	for _, odd := range v.odd {
		g.say("warning: %s: %s", v.Source, odd)
	}
}

func (g *getCommand) startLine(j judge) startLine {
	return startLine{V: linesVersion, Type: "start", Time: rfc3339(j.now), Profile: g.profile}
}

// piece judges the objects of one document, and lets go of it.
func (j judge) piece(p *piece, wanted func(map[string]any) bool) []verdict {
	items := p.decoded()
	*p = piece{}
	verdicts := make([]verdict, 0, len(items))
	for _, item := range items {
		var v verdict
		switch {
		case item.err != nil:
			v = j.unreadable(item.object, item.err)
		case wanted(item.object):
			v = j.verdict(item.object)
		default:
			continue
		}
		v.Source = &item.from
		v.odd, v.Warnings = item.odd, append(v.Warnings, item.odd...)
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// filter returns whether an object is asked for by -l and -n.
func (g *getCommand) filter() (func(map[string]any) bool, error) {
	selector, err := g.labels()
	if err != nil {
		return nil, usageError(err)
	}
	namespace := g.namespace()
	return func(root map[string]any) bool {
		if namespace != "" && textAt(root, "metadata", "namespace") != namespace {
			return false
		}
		if selector.Empty() {
			return true
		}
		have := labels.Set{}
		m, _ := at(root, "metadata", "labels").(map[string]any)
		for key, value := range m {
			have[key], _ = value.(string)
		}
		return selector.Matches(have)
	}, nil
}

// expectations reads what the definitions promise, those of --crds and those
// among the objects. What --crds names and cannot be read counts as unread:
// verdicts rest on it. A definition among the objects is an object first. All
// that can be read are also given to learn.
func (g *getCommand) expectations(read reader, pieces []piece, t *tally, learn func(status.Object)) status.Expectations {
	var named []item
	for _, name := range g.crds {
		found := definitionsIn(read.named(name, true))
		if len(found) == 0 {
			found = []item{{from: source{File: name}, err: errNoDefinitions}}
		}
		named = append(named, found...)
	}
	var definitions []status.Object
	for _, item := range append(named, definitionsIn(pieces)...) {
		if item.err == nil {
			definitions = append(definitions, item.object)
			learn(item.object)
		}
	}
	if len(definitions) == 0 && len(named) == 0 {
		return nil
	}
	for _, item := range named {
		err := item.err
		if err == nil {
			_, err = status.ExpectationsFromCRDs(item.object)
		}
		if err != nil {
			t.unread++
			g.say("error: %s: %v", item.from, err)
		}
	}
	expect, _ := status.ExpectationsFromCRDs(definitions...) // what is wrong has been said
	return expect
}

// relatedIn returns what finds the StorageClasses among the documents, on which
// the verdicts on claims rest.
func relatedIn(pieces []piece) status.Lookup {
	classes := &kubesource.Promises{}
	for _, item := range among(pieces, "StorageClass", func(obj status.Map) bool { return obj["kind"] == "StorageClass" }) {
		if item.err == nil {
			classes.Learn(item.object)
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
		for _, item := range items {
			if item.err != nil || is(item.object) {
				all = append(all, item)
			}
		}
	}
	return all
}
