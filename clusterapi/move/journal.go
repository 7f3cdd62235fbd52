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

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/document"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/internal/plancheck"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/text"
)

// lock takes the Leases of both clusters, if the journal is in ConfigMaps. The returned context
// ends when one is lost.
func (m *Mover) lock(ctx context.Context) (locked context.Context, release func(), err error) {
	locked, err = m.place.Lock(ctx, &m.locks, m.by())
	return locked, m.locks.Release, err
}

// removeConfigMaps removes the journal from the clusters at the end of a move. The file stays.
func (m *Mover) removeConfigMaps(ctx context.Context) error {
	if m.clusters == nil {
		return nil
	}
	return m.retry(ctx, "remove the journal", func(ctx context.Context) error { return m.clusters.Remove(ctx) })
}

// begin makes the document of a new move.
func (m *Mover) begin(p *plan.Plan) {
	m.doc = document.Document[Phase]{
		Version: document.Version, ID: cmp.Or(m.o.ID, NewID()), Phase: Planned, Began: m.began,
		Source: m.sourceEnd(), Target: m.targetEnd(),
		Accept: m.o.Accept, Status: m.o.Status, Strict: m.o.Strict, Window: m.o.Window, Plan: p,
	}
	m.copies.Begin(m.doc.ID, m.doc.Status, nil)
}

// save writes the journal. Without its locks it writes no file either: another process may use the
// same file.
func (m *Mover) save(ctx context.Context) error {
	if err := m.locks.Err(); err != nil {
		return err
	}
	m.doc.Saved, m.doc.Adopted = time.Now(), m.copies.Adopted()
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

// enterStep begins a step. All steps can be repeated, so the journal need not have it. Otherwise the
// move of a long chain of owners would write its plan at each step. No other process may have saved
// since.
func (m *Mover) enterStep(ctx context.Context, step int) error {
	m.doc.Step = step
	err := m.locks.Err()
	if err == nil {
		err = m.retry(ctx, "look at the journal", m.store.Check)
	}
	if err == nil {
		m.emit(Event{Step: step + 1, Steps: m.doc.Plan.Steps})
	}
	return err
}

// decode decodes and checks the content of a journal.
func decode(store journal.Store, data []byte) (*document.Document[Phase], error) {
	return document.Decode(store, data, func(p Phase) error {
		if slices.Contains(order, p) || p == RollingBack || p == RolledBack {
			return nil
		}
		return fmt.Errorf("phase is %q, want one such as %s", text.Line(string(p)), Creating)
	})
}

// checkKinds checks that a journal names only objects of Cluster API. After the last deletion, the
// source may have lost the kinds of a provider, so those of the target count too.
func (m *Mover) checkKinds(ctx context.Context, d *document.Document[Phase]) error {
	clusters := []*endpoint.Cluster{m.source, m.target}
	if m.source != nil && slices.Index(order, d.Phase) <= slices.Index(order, Deleting) {
		clusters = clusters[:1]
	}
	var kinds []*management.Kind
	err := m.retry(ctx, "find the kinds of Cluster API", func(ctx context.Context) (err error) {
		kinds, err = endpoint.Kinds(ctx, d.Plan, clusters...)
		return err
	})
	if err != nil {
		return err
	}
	if err := plancheck.Kinds(d.Plan, kinds); err != nil {
		return document.Suspect(m.store, err)
	}
	return nil
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
	if err = m.load(locked); err == nil {
		err = m.locks.Err() // the journal is the newest only while the locks are valid
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	m.note("", "goes on as the journal says: %s", plancheck.Choices(m.doc.Plan, m.doc.Accept))
	return locked, release, nil
}

// load reads the journal of an earlier run, and checks that it is about these clusters.
func (m *Mover) load(ctx context.Context) error {
	if m.o.Journal == "" && (m.o.JournalNamespace == "" || m.o.ID == "") {
		return errors.New("want the file of the journal, or the namespace of its ConfigMaps and the ID of the move")
	}
	doc, err := m.loadDocument(ctx, m.o.ID)
	if err == nil && m.o.ID == "" && m.o.JournalNamespace != "" {
		// The file names the move. The ConfigMaps may have a newer journal.
		doc, err = m.loadDocument(ctx, doc.ID)
	}
	switch {
	case err != nil:
		return err
	case !doc.Source.Is(m.sourceEnd()):
		return fmt.Errorf("%s: its source is %s; want the same instead of %s", m.store.Origin(), doc.Source.Server, m.sourceEnd().Server)
	case !doc.Target.Is(m.targetEnd()):
		return fmt.Errorf("%s: its target is %s; want the same instead of %s", m.store.Origin(), doc.Target.Server, m.targetEnd().Server)
	}
	m.doc = *doc
	m.copies.Begin(doc.ID, doc.Status, doc.Adopted)
	return m.checkKinds(ctx, doc)
}

// loadDocument reads the journal of a move, or that of the file if the ID is empty.
func (m *Mover) loadDocument(ctx context.Context, id string) (*document.Document[Phase], error) {
	m.store, m.clusters = m.place.Open(id)
	var data []byte
	err := m.retry(ctx, "read the journal", func(ctx context.Context) (err error) {
		data, err = m.store.Load(ctx)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: it does not exist; want the journal of a move that has begun", m.store)
	case err != nil:
		return nil, err
	}
	doc, err := decode(m.store, data)
	if err == nil && id != "" && doc.ID != id {
		err = fmt.Errorf("%s: it is about move %s; want %s", m.store.Origin(), doc.ID, id)
	}
	return doc, err
}
