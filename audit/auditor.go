package audit

import (
	"cmp"
	"slices"
	"time"
)

// Options say how patient the rules are. Zero values mean what is said of each.
type Options struct {
	Rules []*Rule       // nil: [Rules]
	Grace time.Duration // how long a wrong state may last that two requests cannot avoid; 2s
	Burst time.Duration // writes of one writer closer than this are one reconcile; 1s
	Slow  time.Duration // how long a controller may take to say a first word, or to answer a pause; 1m
}

func (o Options) withDefaults() Options {
	if o.Rules == nil {
		o.Rules = Rules
	}
	o.Grace = cmp.Or(o.Grace, 2*time.Second)
	o.Burst = cmp.Or(o.Burst, time.Second)
	o.Slow = cmp.Or(o.Slow, time.Minute)
	return o
}

// An Auditor takes the writes one by one. It is not safe for concurrent use.
type Auditor struct {
	options Options
	now     time.Time
	objects map[ID]*history
	latest  map[ID]*Version // by ID without UID
	alarms  alarms
	found   map[key]*Finding
}

// New returns an auditor that has seen nothing.
func New(o Options) *Auditor {
	return &Auditor{options: o.withDefaults(), objects: map[ID]*history{}, latest: map[ID]*Version{}, found: map[key]*Finding{}}
}

// history is what is kept of one object.
type history struct {
	last   *Version
	burst  []*Version
	keeper string         // who keeps the status
	wrote  map[string]int // status writes by manager
	memory map[*Rule]any
}

// A Finding is one rule broken on one object, however often.
type Finding struct {
	Rule     string    `json:"rule"` // the ID
	Name     string    `json:"name"`
	Severity Severity  `json:"severity"`
	Object   ID        `json:"object"`
	Path     string    `json:"path,omitempty"`
	Evidence string    `json:"evidence"`         // of the first time
	Writer   string    `json:"writer,omitempty"` // of the first time
	From     string    `json:"from,omitempty"`   // the resourceVersion before, of the first time
	To       string    `json:"to,omitempty"`     // the resourceVersion of the first time
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
	Count    int       `json:"count"`
}

type key struct {
	rule string
	id   ID
	path string
}

// See takes the next write. The object must not be changed afterwards.
func (a *Auditor) See(w Write) {
	a.pass(w.Time)
	switch {
	case w.Type == Gap:
		of := versionOf(w).ID
		for id, h := range a.objects {
			if of.Kind == "" || id.Kind == of.Kind && id.Group == of.Group && (of.Namespace == "" || id.Namespace == of.Namespace) {
				h.last, h.burst = nil, nil
			}
		}
	case w.Type == Tick || w.Object == nil:
	case w.Related:
		a.relate(versionOf(w), w.Type == Deleted)
	default:
		a.see(w)
	}
}

// relate keeps what no rule looks at, for those that ask for it.
func (a *Auditor) relate(v *Version, gone bool) {
	place := v.ID
	place.UID = ""
	a.latest[place] = v
	if gone {
		delete(a.latest, place)
	}
}

func (a *Auditor) see(w Write) {
	v := versionOf(w)
	h := a.objects[v.ID]
	if h == nil {
		h = &history{wrote: map[string]int{}, memory: map[*Rule]any{}}
		a.objects[v.ID] = h
	}
	h.take(v, a.options.Burst)
	place := v.ID
	place.UID = ""
	a.latest[place] = v
	look := Look{Old: h.last, New: v, Now: a.now, Options: &a.options, history: h, auditor: a}
	for _, r := range a.options.Rules {
		look.rule = r
		if r.Version != nil {
			r.Version(&look)
		}
		if r.Step != nil && look.Old != nil {
			r.Step(&look)
		}
	}
	h.last = v
	if w.Type == Deleted {
		delete(a.objects, v.ID)
		delete(a.latest, place)
		a.alarms.forget(v.ID)
	}
}

// take files a version: who keeps the status, and which burst it is part of.
func (h *history) take(v *Version, within time.Duration) {
	if v.StatusWrite && v.Manager != "" {
		h.wrote[v.Manager]++
		if h.keeper == "" || h.wrote[v.Manager] > h.wrote[h.keeper] {
			h.keeper = v.Manager
		}
	}
	if n := len(h.burst); n > 0 && (h.burst[n-1].Manager != v.Manager || v.Time.Sub(h.burst[n-1].Time) > within) {
		h.burst = nil
	}
	h.burst = append(h.burst, v)
	if len(h.burst) > longestBurst {
		h.burst = slices.Delete(h.burst, 0, 1)
	}
}

// longestBurst bounds what is kept of a controller that never pauses.
const longestBurst = 16

func (a *Auditor) report(l *Look, path, evidence string) {
	k := key{l.rule.ID, l.New.ID, path}
	f := a.found[k]
	if f == nil {
		f = &Finding{Rule: l.rule.ID, Name: l.rule.Name, Severity: l.rule.Severity, Object: l.New.ID, Path: path,
			Evidence: evidence, Writer: l.New.Manager, To: l.New.ResourceVersion, First: l.Now}
		if l.Old != nil {
			f.From = l.Old.ResourceVersion
		}
		a.found[k] = f
	}
	f.Last, f.Count = l.Now, f.Count+1
}

// Findings returns what was found so far, by object, rule and path.
func (a *Auditor) Findings() []Finding {
	all := make([]Finding, 0, len(a.found))
	for _, f := range a.found {
		all = append(all, *f)
	}
	slices.SortFunc(all, func(x, y Finding) int {
		return cmp.Or(x.Object.Compare(y.Object), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Path, y.Path))
	})
	return all
}
