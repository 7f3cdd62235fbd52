package explainer

import (
	"context"
	"maps"
	"slices"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	maxFormerReads    = 20 // during a wait
	maxFormerRequests = 8  // of one read
)

// A FormerPods reads facts about failing Pods of Jobs during a wait. A Job that fails deletes its
// Pods, and with them their logs. Its methods are called by one goroutine.
type FormerPods struct {
	read     func(ctx context.Context, pod status.ID) *explain.Facts
	messages map[status.ID]string // the last problem of each Pod
	reads    int

	ctx  context.Context // of the reads
	stop context.CancelFunc
	work crash.Group

	turn  turn.Turn // of a read, which then may use facts
	facts map[status.ID]*explain.Facts
}

// NewFormerPods returns a FormerPods for the targets of a wait, whose reads end with ctx. Stop must
// be called. The criteria are those for objects that the wait does not watch.
func (f *Flags) NewFormerPods(ctx context.Context, scopes []Scope, by output.Criteria, targets []observe.Target) *FormerPods {
	readers := map[string]tree.Reader{}
	for _, scope := range scopes {
		c := scope.Cluster
		var ids []status.ID
		for _, t := range targets {
			if t.Cluster == c.Name {
				ids = append(ids, t.ID())
			}
		}
		reader := f.Reader(c, by.Judge(output.DetailObject))
		reader.LoadSchemas, reader.LoadEvictions = nil, nil // a Pod needs none, and the wait uses them
		reader.Namespaces, reader.MaxRequests = f.namespaces(scope.Homes, ids), maxFormerRequests
		readers[c.Name] = reader
	}
	p := &FormerPods{messages: map[status.ID]string{}, facts: map[status.ID]*explain.Facts{}}
	p.ctx, p.stop = context.WithCancel(ctx)
	p.read = func(ctx context.Context, pod status.ID) *explain.Facts {
		facts, err := readers[pod.Cluster].Collect(ctx, []status.ID{pod})
		if err != nil {
			return nil
		}
		return facts
	}
	return p
}

// Note reads the facts about the Pod whose problem an update reports, at its first problem and
// again when the problem changes. It does not wait for them.
func (p *FormerPods) Note(u observe.Update) {
	if u.Target.Kind != (status.Kind{Group: "batch", Kind: "Job"}) || u.Parts == nil || u.Parts.Kind != "Pod" {
		return
	}
	of := u.Target.ID()
	pod := status.ID{Cluster: of.Cluster, Kind: status.Kind{Kind: "Pod"}, Namespace: of.Namespace, Name: u.Parts.Name}
	if p.messages[pod] == u.Parts.Message || p.reads == maxFormerReads {
		return
	}
	p.messages[pod] = u.Parts.Message
	p.reads++
	p.work.Go(func() {
		end, err := p.turn.Take(p.ctx)
		if err != nil {
			return // the reads have ended
		}
		defer end()
		if facts := p.read(p.ctx, pod); isBetter(facts, p.facts[pod], pod) {
			p.facts[pod] = facts
		}
	})
}

// isBetter reports whether facts about a Pod replace earlier ones: a later state does, unless it
// lacks the log.
func isBetter(facts, earlier *explain.Facts, pod status.ID) bool {
	if facts == nil || !slices.ContainsFunc(facts.Objects, func(t explain.ObjectFact) bool { return t.ID == pod && t.Object != nil }) {
		return false
	}
	return hasLog(facts, pod) || !hasLog(earlier, pod)
}

// hasLog reports whether facts have lines of a log of a Pod.
func hasLog(facts *explain.Facts, pod status.ID) bool {
	return facts != nil && slices.ContainsFunc(facts.Logs, func(l explain.Log) bool { return l.Pod == pod && len(l.Lines) > 0 })
}

// AddTo adds the facts about Pods that were deleted, or are being deleted, to the facts at the end of
// the wait. It waits for reads until ctx ends.
func (p *FormerPods) AddTo(ctx context.Context, facts *explain.Facts) {
	defer context.AfterFunc(ctx, crash.Guarded(p.stop))()
	p.work.Wait()
	for _, pod := range slices.SortedFunc(maps.Keys(p.facts), status.ID.Compare) {
		if slices.ContainsFunc(facts.Objects, func(t explain.ObjectFact) bool { return t.ID == pod && !isDeleting(t) }) {
			continue
		}
		facts.Objects = slices.DeleteFunc(facts.Objects, func(t explain.ObjectFact) bool { return t.ID == pod })
		hasEvents := slices.ContainsFunc(facts.Events, func(e explain.Event) bool { return e.About == pod })
		for _, t := range p.facts[pod].Objects {
			if t.ID == pod {
				t.Former = true
				facts.Objects = append(facts.Objects, t)
			}
		}
		for _, e := range p.facts[pod].Events {
			if e.About == pod && !hasEvents {
				facts.Events = append(facts.Events, e)
			}
		}
		facts.Logs = slices.DeleteFunc(facts.Logs, func(l explain.Log) bool { return l.Pod == pod })
		facts.Logs = append(facts.Logs, p.facts[pod].Logs...)
	}
}

// isDeleting reports whether an object does not exist, or is being deleted.
func isDeleting(t explain.ObjectFact) bool {
	return t.Object == nil || decoded.At(t.Object, "metadata", "deletionTimestamp") != nil
}

// Stop ends all reads.
func (p *FormerPods) Stop() {
	p.stop()
	p.work.Wait()
}
