package move

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/move/internal/endpoint"
	"kstatus.dev/kube/move/internal/journal"
	"kstatus.dev/kube/move/plan"
)

// documentVersion is the version of the journal's format.
const documentVersion = 1

// A document is the content of the journal. It has no values of objects: what is moved is in the
// clusters, and is read again.
type document struct {
	Version int         `json:"version"`
	ID      string      `json:"id"`
	Phase   Phase       `json:"phase"`
	Step    int         `json:"step"`
	Began   time.Time   `json:"began"`
	Saved   time.Time   `json:"saved"`
	Source  endpoint.ID `json:"source"`
	Target  endpoint.ID `json:"target"`

	Accept []string           `json:"accept,omitempty"`
	Status []schema.GroupKind `json:"status,omitempty"`
	Strict bool               `json:"strict,omitempty"`
	Window time.Duration      `json:"window,omitempty"`

	Plan *plan.Plan `json:"plan"`
	// Adopted are the UIDs of originals whose copy existed before with the same content.
	Adopted []string `json:"adopted,omitempty"`
	// Namespaces are those that the move has created in the target.
	Namespaces []string `json:"namespaces,omitempty"`
	// Failure is why the move has stopped.
	Failure string `json:"failure,omitempty"`
}

// newStore returns the store of the journal of a move.
func (m *Mover) newStore(id string) journal.Store {
	var all []journal.Store
	if m.o.Journal != "" {
		all = append(all, journal.File(m.o.Journal))
	}
	if m.o.JournalNamespace != "" {
		all = append(all, m.configMaps(id)...)
	}
	return journal.All(all...)
}

// lockName is the name of the Lease that two moves of one cluster exclude each other with.
const lockName = "kstatus-move"

// lock takes the Leases of both clusters, if the journal is in ConfigMaps. The returned context
// ends when one is lost.
func (m *Mover) lock(ctx context.Context) (locked context.Context, release func(), err error) {
	if m.o.JournalNamespace == "" {
		return ctx, func() {}, nil
	}
	var releases []func()
	release = func() {
		for _, r := range slices.Backward(releases) {
			r()
		}
	}
	for _, s := range []*endpoint.Cluster{m.source, m.target} {
		l := journal.Lock{Cluster: "the " + s.Role, Namespace: m.o.JournalNamespace, Name: lockName, Holder: m.by()}
		acquiring, give := context.WithCancelCause(ctx)
		late := time.AfterFunc(m.o.Timeout, func() { give(fmt.Errorf("not within %s: %w", m.o.Timeout, context.DeadlineExceeded)) })
		locked, r, err := journal.Acquire(acquiring, s.Client, l)
		late.Stop()
		if err != nil {
			give(nil)
			release()
			return nil, nil, err
		}
		releases, ctx = append(releases, func() { r(); give(nil) }), locked
	}
	return ctx, release, nil
}

// removeConfigMaps removes the journal from the clusters at the end of a move. The file stays.
func (m *Mover) removeConfigMaps(ctx context.Context) error {
	if m.o.JournalNamespace == "" {
		return nil
	}
	all := m.configMaps(m.doc.ID)
	return m.retry(ctx, "remove the journal", func(ctx context.Context) error { return journal.All(all...).Remove(ctx) })
}

// configMaps returns the stores of the journal in both clusters.
func (m *Mover) configMaps(id string) []journal.Store {
	return []journal.Store{
		journal.ConfigMap(m.source.Client, "the source", m.o.JournalNamespace, id),
		journal.ConfigMap(m.target.Client, "the target", m.o.JournalNamespace, id),
	}
}

// begin makes the document of a new move.
func (m *Mover) begin(p *plan.Plan) {
	m.doc = document{
		Version: documentVersion, ID: cmp.Or(m.o.ID, NewID()), Phase: Planned, Began: m.began,
		Source: m.sourceEnd(), Target: m.targetEnd(),
		Accept: m.o.Accept, Status: m.o.Status, Strict: m.o.Strict, Window: m.o.Window, Plan: p,
	}
}

// save writes the journal.
func (m *Mover) save(ctx context.Context) error {
	m.doc.Saved = time.Now()
	data, err := json.Marshal(m.doc)
	if err == nil {
		err = m.retry(ctx, "write the journal", func(ctx context.Context) error { return m.store.Save(ctx, data) })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.store, err)
	}
	return nil
}

// enter begins a phase: it is in the journal before anything is done for it.
func (m *Mover) enter(ctx context.Context, p Phase, step int) error {
	m.doc.Phase, m.doc.Step, m.doc.Failure = p, step, ""
	if err := m.save(ctx); err != nil {
		return err
	}
	m.emit(Event{Step: step + 1, Steps: m.doc.Plan.Steps})
	return nil
}

// decode decodes and checks the content of a journal.
func decode(store journal.Store, data []byte) (*document, error) {
	doc := &document{}
	switch err := json.Unmarshal(data, doc); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", store, err)
	case doc.Version != documentVersion:
		return nil, fmt.Errorf("%s: its version is %d; want %d, or another release of kstatus", store, doc.Version, documentVersion)
	case doc.ID == "" || doc.Plan == nil || slices.Contains(doc.Plan.Items, nil):
		return nil, fmt.Errorf("%s: the ID or the plan is missing", store)
	}
	return doc, nil
}

// reopen reads the journal of an earlier run and takes its locks. It reads the journal again then,
// because another process may have gone on before.
func (m *Mover) reopen(ctx context.Context) (locked context.Context, release func(), err error) {
	if err := m.load(ctx); err != nil {
		return nil, nil, err
	}
	if locked, release, err = m.lock(ctx); err != nil {
		return nil, nil, err
	}
	if err := m.load(locked); err != nil {
		release()
		return nil, nil, err
	}
	return locked, release, nil
}

// load reads the journal of an earlier run, and checks that it is about these clusters.
func (m *Mover) load(ctx context.Context) error {
	if m.o.Journal == "" && (m.o.JournalNamespace == "" || m.o.ID == "") {
		return errors.New("want the file of the journal, or the namespace of its ConfigMaps and the ID of the move")
	}
	m.store = m.newStore(m.o.ID)
	var data []byte
	err := m.retry(ctx, "read the journal", func(ctx context.Context) (err error) {
		data, err = m.store.Load(ctx)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: it does not exist; want the journal of a move that has begun", m.store)
	case err != nil:
		return err
	}
	doc, err := decode(m.store, data)
	if err != nil {
		return err
	}
	switch {
	case m.o.ID != "" && doc.ID != m.o.ID:
		return fmt.Errorf("%s: it is about move %s; want %s", m.store, doc.ID, m.o.ID)
	case !doc.Source.Is(m.sourceEnd()):
		return fmt.Errorf("%s: its source is %s; want the same instead of %s", m.store, doc.Source.Server, m.sourceEnd().Server)
	case !doc.Target.Is(m.targetEnd()):
		return fmt.Errorf("%s: its target is %s; want the same instead of %s", m.store, doc.Target.Server, m.targetEnd().Server)
	}
	m.doc = *doc
	if m.o.JournalNamespace != "" {
		m.store = m.newStore(doc.ID)
	}
	return nil
}
