package pause

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/status"
)

const (
	defaultWindow = 15 * time.Second
	maxWindow     = 5 * time.Minute
)

// A tracker holds the states of all objects. It uses no clock and sends no request. It belongs to
// one goroutine.
type tracker struct {
	options Options
	unpause bool
	targets []*target
	byID    map[status.ID]*target
	kinds   map[schema.GroupKind]*kind
	objects map[status.ID]*object

	held    map[status.ID][]change // objects that are being written here, with their events so far
	moved   bool                   // owners or labels have changed since the last evaluation
	changed []Object               // to report
}

// A kind is what is known about all objects of a kind.
type kind struct {
	*management.Kind
	reports          bool // an object has the condition Paused, or the kind is known to have it
	blocksMove       bool // the definition has the annotation
	blockMoveTimeout time.Duration
	longest          time.Duration // between two writes of an object
	answered         time.Time     // when the call has stopped to wait for the last of its objects
	scopes           map[string]*scope
}

// A scope is the part of a kind that one watch covers: a namespace, or all if it has no name.
type scope struct {
	object    *object // represents the scope if it cannot be read; nil otherwise
	connected bool
	since     time.Time // from when it is connected
}

// A change is a version of an object, or its deletion.
type change struct {
	kind    *kind
	facts   facts.Facts
	deleted bool
	at      time.Time
}

// An object is the state of one object.
type object struct {
	Object
	kind *kind
	facts.Facts
	scope *scope

	// When these were last seen to happen.
	becamePaused  moment // Paused changed to True
	released      moment // block-move was removed
	lastWritten   moment // by others
	statusWritten moment // by others

	answered   bool // it has given its sign
	after      int  // writes of others after the sign
	wokenAt    time.Time
	isUnaware  bool // its controller should report, and has not
	isReported bool // it was reported, so it is in the result
}

// A moment is when something was seen, as a version of the object and as a local time. The zero
// moment is never.
type moment struct {
	number uint64 // of the version; 0 if versions cannot be compared
	at     time.Time
}

// isSince reports whether a moment is after the write of a target.
func (m moment) isSince(p *target) bool {
	if p == nil || m.at.IsZero() {
		return false
	}
	if m.number == 0 || p.version == 0 {
		return m.at.After(p.at)
	}
	return m.number > p.version
}

// A target is the state of a target.
type target struct {
	status.ID
	uid       types.UID
	written   bool      // it is paused or unpaused
	version   uint64    // after that write; 0 if versions cannot be compared
	restored  bool      // the server was restored from a backup after that write
	at        time.Time // of that write
	server    time.Time // the same by the server's clock
	before    bool      // it had been paused before the call
	stays     bool      // it stays paused
	ignored   bool      // it is left alone
	failed    bool      // it does not get the requested state
	result    TargetResult
	phase     Phase  // as written
	message   string // as written
	writing   bool   // the phase and the message
	writtenAt time.Time
	retryAt   time.Time // after a failed write
	doneSince time.Time // zero: not all objects are done
	verified  bool      // the last list has the versions that were judged
	open      []*object // the objects that are not done
	unclear   []*object // the objects that are Unknown
}

func newTracker(o Options, unpause bool, targets []status.ID, kinds []*management.Kind) *tracker {
	t := &tracker{options: o, unpause: unpause, byID: map[status.ID]*target{}, kinds: map[schema.GroupKind]*kind{}, objects: map[status.ID]*object{}, held: map[status.ID][]change{}}
	for _, one := range targets {
		one.Cluster = ""
		t.targets = append(t.targets, &target{ID: one, result: TargetResult{ID: one}})
	}
	slices.SortFunc(t.targets, func(a, b *target) int { return compareByNamespace(a.ID, b.ID) })
	t.targets = slices.CompactFunc(t.targets, func(a, b *target) bool { return a.ID == b.ID })
	for _, p := range t.targets {
		t.byID[p.ID] = p
	}
	for _, k := range kinds {
		_, blocks := k.Annotations[management.BlockMoveAnnotation]
		t.kinds[k.GroupKind()] = &kind{Kind: k, reports: k.ReportsPaused(), blocksMove: blocks, blockMoveTimeout: facts.Timeout(k.Annotations), scopes: map[string]*scope{}}
	}
	return t
}

func (p *target) fail(reason Reason, format string, args ...any) {
	if p.failed {
		return
	}
	p.failed, p.result.Reason, p.result.Message = true, reason, fmt.Sprintf(format, args...)
}

// referenceOf returns the target whose write counts for an object: the first that was written.
func (t *tracker) referenceOf(o *object) (first *target) {
	for _, id := range o.Targets {
		p := t.byID[id]
		if p.written && !p.failed && (first == nil || p.at.Before(first.at)) {
			first = p
		}
	}
	return first
}

// setTrees finds the objects below each target.
func (t *tracker) setTrees() {
	children, labelled := map[types.UID][]*object{}, map[status.ID][]*object{}
	for _, o := range t.objects {
		o.Targets = nil
		for _, owner := range o.Owners {
			children[owner] = append(children[owner], o)
		}
		if o.Cluster != "" {
			id := management.IDOf(management.Cluster, o.Namespace, o.Cluster)
			labelled[id] = append(labelled[id], o)
		}
	}
	for _, p := range t.targets {
		if p.ignored {
			continue
		}
		root := t.objects[p.ID]
		if root == nil {
			continue
		}
		if p.failed || p.Kind != status.Kind(management.Cluster) {
			// The annotation pauses one object. Objects below a failed target are not waited for.
			root.Targets = append(root.Targets, p.ID)
			continue
		}
		seen := map[*object]bool{root: true}
		for todo := []*object{root}; len(todo) > 0; {
			o := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			o.Targets = append(o.Targets, p.ID)
			for _, child := range slices.Concat(children[o.UID], labelled[o.ID]) {
				if !seen[child] {
					seen[child] = true
					todo = append(todo, child)
				}
			}
		}
	}
	t.moved = false
}

// evaluate judges all objects. It returns when to call it again if nothing happens, and zero for
// never.
func (t *tracker) evaluate(now time.Time) (next time.Time) {
	t.checkTargets()
	if t.moved {
		t.setTrees()
	}
	for _, p := range t.targets {
		p.open, p.unclear = nil, nil
	}
	for _, o := range t.all() {
		if len(o.Targets) == 0 {
			if o.isReported {
				o.isReported, o.State, o.Reason, o.Message = false, "", "", ""
				t.changed = append(t.changed, o.Object)
			}
			continue
		}
		v := t.judge(o, now)
		next = sleep.Earliest(next, v.next)
		t.set(o, v, now)
		for _, id := range o.Targets {
			p := t.byID[id]
			if !o.Done {
				p.open = append(p.open, o)
			}
			if o.State == Unknown {
				p.unclear = append(p.unclear, o)
			}
		}
	}
	for _, p := range t.targets {
		switch {
		case len(p.open) > 0 || !p.written || p.failed:
			p.doneSince, p.verified = time.Time{}, false
		case p.doneSince.IsZero():
			p.doneSince = now
		}
	}
	return next
}

// all returns all objects, and those that represent kinds that cannot be read.
func (t *tracker) all() []*object {
	all := make([]*object, 0, len(t.objects))
	for _, o := range t.objects {
		all = append(all, o)
	}
	for _, k := range t.kinds {
		for _, s := range k.scopes {
			if s.object != nil {
				s.object.Targets = nil
				for _, p := range t.targets {
					if !p.ignored && !p.failed && (s.object.Namespace == "" || s.object.Namespace == p.Namespace) {
						s.object.Targets = append(s.object.Targets, p.ID)
					}
				}
				all = append(all, s.object)
			}
		}
	}
	return all
}

// set takes over a verdict.
func (t *tracker) set(o *object, v verdict, now time.Time) {
	if o.isReported && o.State == v.state && o.Reason == v.reason && o.Message == v.message && o.Done == v.done {
		return
	}
	if o.State != v.state || !o.isReported {
		o.Since = now
	}
	if v.done && !o.Done {
		o.kind.answered = now
	}
	o.isReported, o.State, o.Reason, o.Message, o.Done = true, v.state, v.reason, v.message, v.done
	t.changed = append(t.changed, o.Object)
	for _, id := range o.Targets {
		t.byID[id].verified = false
	}
}

// checkTargets finds targets that others have changed.
func (t *tracker) checkTargets() {
	for _, p := range t.targets {
		o := t.objects[p.ID]
		if !p.written || p.failed || p.ignored || o == nil {
			continue
		}
		was := p.failed
		writer := cmp.Or(o.Manager, facts.Name(o.LastWriter()))
		if p.restored {
			writer = "the restore of a backup"
		}
		switch {
		case o.UID != p.uid:
			p.fail(ReasonReplaced, "it was deleted meanwhile, and another object has its name")
		case !p.isAfter(&o.Facts) && o.Number != p.version:
		case !t.unpause && !o.IsPaused:
			p.fail(ReasonUnpausedByOther, "%s has unpaused it meanwhile", writer)
		case t.unpause && !p.stays && o.IsPaused:
			p.fail(ReasonPausedByOther, "%s has paused it meanwhile", writer)
		}
		t.moved = t.moved || was != p.failed
	}
}
