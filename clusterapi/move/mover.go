package move

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/copies"
	"kstatus.dev/clusterapi/move/internal/document"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/internal/retry"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/internal/text"
)

// A Mover moves Clusters. Its methods must not be called concurrently.
type Mover struct {
	o        Options
	source   *endpoint.Cluster
	target   *endpoint.Cluster
	place    journal.Place
	store    journal.Store
	clusters journal.Store // the part of store that is in ConfigMaps; nil if there are none
	locks    journal.Locks
	requests atomic.Int64
	events   sync.Mutex

	began time.Time
	doc   document.Document[Phase]
	inv   *planner.Inventory

	silent []string // objects that have not reported since the end of the pause

	copies copies.Set
	// compareAll is true if each copy is compared once more before its original is deleted.
	compareAll bool

	mu   sync.Mutex // guards the plan's versions
	call sleep.Call // of Run, Resume or Rollback
}

// A BlockedError says that problems prevent the move. Nothing was changed.
type BlockedError struct{ Problems []plan.Problem }

// Error lists the problems.
func (e *BlockedError) Error() string {
	lines := []string{text.Count(len(e.Problems), "problem") + " in the way of the move"}
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// defaultTimeout is the default of Options.Timeout.
const defaultTimeout = 10 * time.Minute

// New returns a Mover. It connects to the clusters and checks that they are different.
func New(ctx context.Context, o Options) (*Mover, error) {
	switch {
	case (o.Source == nil) == (o.SourceFolder == ""):
		return nil, errors.New("want either a source cluster or a source folder")
	case (o.Target == nil) == (o.TargetFolder == ""):
		return nil, errors.New("want either a target cluster or a target folder")
	case o.SourceFolder != "" && o.TargetFolder != "":
		return nil, errors.New("want a cluster as the source or the target, have two folders")
	case o.JournalNamespace != "" && (o.SourceFolder != "" || o.TargetFolder != ""):
		return nil, errors.New("want a journal in ConfigMaps only between two clusters")
	}
	if err := guard.CheckName("move", o.ID); err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	o.Concurrency = cmp.Or(o.Concurrency, 20)
	m := &Mover{o: o, began: time.Now()}
	err := m.absolute()
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	shared := endpoint.Shared{Requests: &m.requests, Locks: &m.locks, Concurrency: o.Concurrency, Retry: m.retry}
	if m.source, err = endpoint.Connect(limited, o.Source, "source", shared); err == nil {
		m.target, err = endpoint.Connect(limited, o.Target, "target", shared)
	}
	if err == nil && m.source != nil && m.target != nil && m.source.UID == m.target.UID {
		err = fmt.Errorf("source and target are the same cluster: %s and %s have the same namespace kube-system", m.source.Server, m.target.Server)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	m.copies.Target, m.copies.Differs, m.copies.Collides, m.copies.Note = m.target, m.acceptDifference, collision, m.note
	m.place = journal.Place{File: o.Journal, Namespace: o.JournalNamespace, Clusters: endpoint.Journals(m.source, m.target), Timeout: o.Timeout}
	return m, nil
}

// absolute makes the paths of the folders absolute, so that a move is continued from any folder.
func (m *Mover) absolute() (err error) {
	for _, folder := range []*string{&m.o.SourceFolder, &m.o.TargetFolder} {
		if *folder != "" && err == nil {
			*folder, err = filepath.Abs(*folder)
		}
	}
	return err
}

// Close closes idle connections.
func (m *Mover) Close() {
	for _, s := range []*endpoint.Cluster{m.source, m.target} {
		if s != nil {
			s.Close()
		}
	}
}

// Mappings returns the mappings of the kinds of Cluster API, whose objects a move from or to a cluster
// may touch. Other custom resources with a label for moves are not among them: see [LabeledMappings].
func Mappings(ctx context.Context, config *rest.Config) ([]*meta.RESTMapping, error) {
	client, err := management.NewClient(config)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	kinds, err := client.Kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the kinds of Cluster API: %w", err)
	}
	return management.Mappings(kinds), nil
}

// LabeledMappings returns the mappings of the other custom resources of which a move of the scope
// finds objects with a label for moves. It reads what a plan reads. The unlisted resources may have
// such objects too, but may not be listed.
func LabeledMappings(ctx context.Context, config *rest.Config, scope plan.Scope) (all []*meta.RESTMapping, unlisted []schema.GroupResource, err error) {
	client, err := management.NewClient(config)
	if err != nil {
		return nil, nil, err
	}
	defer client.Close()
	inv, err := planner.Read(ctx, client, scope)
	if err != nil {
		return nil, nil, err
	}
	foreign := slices.DeleteFunc(inv.Kinds, func(k *management.Kind) bool { return !k.IsForeign() })
	return management.Mappings(foreign), inv.Unlisted, nil
}

// Plan reads the source and decides about each object. It changes nothing.
func (m *Mover) Plan(ctx context.Context) (*plan.Plan, error) {
	inv, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	m.inv = inv
	return inv.Plan, nil
}

// read computes the plan from what the source has now.
func (m *Mover) read(ctx context.Context) (*planner.Inventory, error) {
	var inv *planner.Inventory
	err := m.retry(ctx, "read the source", func(ctx context.Context) (err error) {
		if m.source == nil {
			inv, err = m.readFolder(ctx)
		} else {
			inv, err = planner.Read(ctx, m.source.Client, m.scope())
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	inv.Plan.Source, inv.Plan.Target = m.sourceEnd().Server, m.targetEnd().Server
	return inv, nil
}

// sourceEnd identifies the source.
func (m *Mover) sourceEnd() endpoint.ID { return m.source.ID(m.o.SourceFolder) }

// targetEnd identifies the target.
func (m *Mover) targetEnd() endpoint.ID { return m.target.ID(m.o.TargetFolder) }

// scope returns the scope of the move in progress, or that of the options.
func (m *Mover) scope() plan.Scope {
	if m.doc.Plan != nil {
		return m.doc.Plan.Scope
	}
	return m.o.Scope
}

// blocking returns the problems that are errors and not accepted.
func (m *Mover) blocking(problems []plan.Problem) []plan.Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p plan.Problem) bool {
		return p.Severity < severity.Error || isAccepted(p, m.doc.Accept)
	})
}

// isAccepted reports whether a problem is accepted: by its word, or by its word and the name of the
// object, as in not-ready=shop/web-0.
func isAccepted(p plan.Problem, words []string) bool {
	_, name, _ := strings.Cut(p.Object, " ")
	return p.Accept != "" && (slices.Contains(words, p.Accept) || slices.Contains(words, p.Accept+"="+name))
}

// by is the name of the move in the records of a pause.
func (m *Mover) by() string { return management.ByMove(m.doc.ID) }

// NewID returns an ID for a new move: eight hexadecimal digits.
func NewID() string {
	id := make([]byte, 4)
	_, _ = rand.Read(id) // it never fails: see crypto/rand
	return hex.EncodeToString(id)
}

// emit reports an event.
func (m *Mover) emit(e Event) {
	if m.o.OnEvent == nil {
		return
	}
	m.events.Lock()
	defer m.events.Unlock()
	e.Time, e.Phase = time.Now(), m.doc.Phase
	m.o.OnEvent(e)
}

// note reports a special event.
func (m *Mover) note(object, format string, args ...any) {
	m.emit(Event{Object: object, Message: fmt.Sprintf(format, args...)})
}

// retry calls do until it succeeds, or fails for good.
func (m *Mover) retry(ctx context.Context, what string, do func(context.Context) error) error {
	return retry.Do(ctx, m.o.Timeout, what, func(err error) { m.note("", "%s: %v; trying again", what, err) }, do)
}

// each calls do for each item, several at the same time, and reports the progress. It returns the
// errors of all items.
func (m *Mover) each(ctx context.Context, items []*plan.Item, do func(context.Context, *plan.Item) error) error {
	errs := make([]error, len(items))
	var done atomic.Int64
	crash.Each(len(items), m.o.Concurrency, func(i int) {
		if ctx.Err() != nil {
			errs[i] = context.Cause(ctx)
			return
		}
		errs[i] = do(ctx, items[i])
		n := done.Add(1)
		if n%100 == 0 || int(n) == len(items) {
			m.emit(Event{Step: m.doc.Step + 1, Steps: m.doc.Plan.Steps, Done: int(n), Total: len(items)})
		}
	})
	return retry.Join(errs)
}
