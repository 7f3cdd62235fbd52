package source

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	spread     = 20               // over more namespaces than these, a kind is read in the whole cluster
	byNameOnly = 50               // how many are watched by name where nothing else is permitted
	firstProbe = 15 * time.Second // when to try whether what was refused is permitted, at first
	lastProbe  = 5 * time.Minute  // and at most
	patience   = 5 * time.Second  // how long a kind may be listed by discovery and not be served
)

// Kinds that are not read in the whole cluster for the sake of some of their
// objects: there are too many others, or it looks like an attack.
var neverWide = map[status.Kind]bool{
	{Kind: "Event"}: true, {Group: "events.k8s.io", Kind: "Event"}: true, {Kind: "Secret"}: true,
}

// A plan reads the targets of one kind, or one selection.
type plan struct {
	link *link
	roll *roll
	in   string // the namespace of a selection; empty: all

	lacking time.Time // since when the kind has not been served though it should be
}

// plans sorts targets into plans.
func (l *link) plans(targets []observe.Target, saw func(observe.Sighting) (open bool), parts *families) []*plan {
	var all []*plan
	type family struct {
		kind    status.Kind
		cluster string
	}
	named := map[family]*plan{}
	for _, t := range targets {
		f := family{t.Kind, t.Cluster}
		if t.IsSelection() {
			f = family{}
		}
		p := named[f]
		if p == nil || t.IsSelection() {
			p = &plan{link: l, roll: &roll{kind: t.Kind, cluster: t.Cluster, standard: l.namespace, saw: saw, states: map[key]state{}}}
			if l.hasParts(t.Kind) {
				p.roll.parts = parts
			}
			all = append(all, p)
		}
		if t.IsSelection() {
			p.roll.selection, p.in = t, t.Namespace
			continue
		}
		named[f] = p
		p.roll.states[key{t.Namespace, t.Name}] = state{open: true}
	}
	return all
}

// run reads until ctx ends, or credentials are lost. A kind that is not served
// as it was is looked up again.
func (p *plan) run(ctx context.Context) error {
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		mapping, err := p.link.kinds.find(ctx, p.roll.kind)
		if err == nil {
			err = p.link.lessons.take(ctx, mapping)
		}
		if err == nil {
			err = p.attended(ctx, mapping)
		}
		if ctx.Err() != nil {
			return nil
		}
		if apierrors.IsUnauthorized(err) && p.link.credentials.lost() {
			return &errCredentials{err}
		}
		if time.Since(began) > openPause {
			pause = firstPause
		}
		if time.Since(began) > patience {
			p.lacking = time.Time{}
		}
		p.fault(ctx, err)
		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + rand.N(pause)):
		}
		pause = min(2*pause, lastPause)
	}
	return nil
}

// attended reads the targets, and looks after those on which nothing is reported.
func (p *plan) attended(ctx context.Context, m *meta.RESTMapping) error {
	p.roll.mu.Lock()
	p.roll.unheard = p.link.lessons.unheard(m)
	p.roll.mu.Unlock()
	ctx, stop := context.WithCancel(ctx)
	var attends sync.WaitGroup
	defer attends.Wait()
	defer stop()
	attends.Go(func() { p.attend(ctx, m) })
	return p.read(ctx, m)
}

// fault tells why nothing can be read. What the server does not find is looked
// up anew before anything is said of it: another version may have it.
func (p *plan) fault(ctx context.Context, err error) {
	if apierrors.IsNotFound(err) {
		p.link.kinds.forget(p.roll.kind)
		p.link.lessons.forget(p.roll.kind)
		if p.lacking.IsZero() {
			p.lacking = time.Now()
		}
		if time.Since(p.lacking) < patience {
			return
		}
		p.fail(unserved(p.roll.kind))
		return
	}
	if meta.IsNoMatchError(err) {
		p.link.lessons.forget(p.roll.kind)
	}
	p.fail(p.link.unknown(ctx, p.roll.kind, err))
}

// fail tells of all targets that they cannot be read.
func (p *plan) fail(why *observe.Unreadable) {
	p.roll.mu.Lock()
	defer p.roll.mu.Unlock()
	p.roll.failAll(why)
}

// read reads the targets as their kind is served, until that changes.
func (p *plan) read(ctx context.Context, m *meta.RESTMapping) error {
	all := scope{mapping: m, match: p.roll.selection.Match, lean: metadataOnly(p.roll.kind, p.link.data)}
	namespaced := m.Scope.Name() == meta.RESTScopeNameNamespace
	if p.roll.selects() {
		if !namespaced && p.in != "" {
			p.misplaced(all)
			<-ctx.Done()
			return nil
		}
		all.namespace = p.in
		s := p.stream(all, "")
		s.whole, s.last = true, true
		return s.run(ctx)
	}
	p.misplaced(all)
	places := p.places(all)
	switch {
	case len(places) == 0:
		<-ctx.Done()
		return nil
	case wide(m, len(places)):
		return p.step(ctx, p.stream(all, ""), "each namespace is read by itself", func(ctx context.Context, note string) error {
			return p.within(ctx, all, places, note)
		})
	}
	return p.within(ctx, all, places, "")
}

// wide reports whether the targets of a kind that are in so many namespaces are
// read in the whole cluster.
func wide(m *meta.RESTMapping, namespaces int) bool {
	kind := status.Kind{Group: m.GroupVersionKind.Group, Kind: m.GroupVersionKind.Kind}
	return m.Scope.Name() == meta.RESTScopeNameNamespace && namespaces > spread && !neverWide[kind]
}

// misplaced tells of targets that do not name their namespace as their kind asks.
func (p *plan) misplaced(s scope) {
	v := view{p.roll, s}
	v.mu.Lock()
	defer v.mu.Unlock()
	if p.roll.selects() {
		v.saw(observe.Sighting{Target: v.selection, Err: &observe.Unreadable{Reason: "BadScope", Text: fmt.Sprintf("%s has no namespace, and %s is named", v.kind, p.in)}})
		return
	}
	for k, st := range v.states {
		switch in := v.place(k); {
		case v.namespaced() && in == "":
			v.tell(k, st, nil, &observe.Unreadable{Reason: "BadScope", Text: fmt.Sprintf("%s is namespaced, and no namespace is named", v.kind)})
		case !v.namespaced() && in != "":
			v.tell(k, st, nil, &observe.Unreadable{Reason: "BadScope", Text: fmt.Sprintf("%s has no namespace, and %s is named", v.kind, in)})
		}
	}
}

// places returns the names of the targets in each namespace.
func (p *plan) places(all scope) map[string][]string {
	v := view{p.roll, all}
	v.mu.Lock()
	defer v.mu.Unlock()
	places := map[string][]string{}
	seen := map[key]bool{}
	for k := range v.all() {
		if k.namespace = v.place(k); !seen[k] {
			seen[k] = true
			places[k.namespace] = append(places[k.namespace], k.name)
		}
	}
	return places
}

// stream returns a stream, which says the note once it has read something.
func (p *plan) stream(s scope, note string) *stream {
	return &stream{link: p.link, scope: s, sink: view{p.roll, s}, note: note, pollPause: pollPause}
}

// within reads each namespace by itself: by one stream, or by those of its
// targets if there are few.
func (p *plan) within(ctx context.Context, all scope, places map[string][]string, note string) error {
	total := 0
	for _, names := range places {
		total += len(names)
	}
	return p.each(ctx, func(start func(func(context.Context) error)) {
		for namespace, names := range places {
			there := all
			there.namespace = namespace
			start(func(ctx context.Context) error {
				if p.link.byName(len(names), total) {
					if err := p.single(ctx, there, names, note); !unselectable(err) {
						return err
					}
				}
				return p.step(ctx, p.stream(there, note), "its objects are read by name", func(ctx context.Context, note string) error {
					return p.single(ctx, there, names, note)
				})
			})
		}
	})
}

// byName reports whether so many targets of a kind in one namespace, of so many
// in total, are read by their names, and not with all others. Who lists again and
// again does it once for all that are in one namespace.
func (l *link) byName(here, total int) bool {
	return here == 1 || here > 0 && total <= few && l.every == 0
}

// single reads targets in one namespace by their names: it watches them where
// that is permitted and they are not too many, and else gets them again and again.
func (p *plan) single(ctx context.Context, there scope, names []string, note string) error {
	if len(names) > byNameOnly {
		return p.poll(ctx, there, names, note)
	}
	return p.each(ctx, func(start func(func(context.Context) error)) {
		for _, name := range names {
			this := there
			this.name = name
			start(func(ctx context.Context) error {
				return p.step(ctx, p.stream(this, note), "its objects are got every few seconds", func(ctx context.Context, note string) error {
					return p.poll(ctx, there, []string{name}, note)
				})
			})
		}
	})
}
