package move

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/move/internal/archive"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
)

// readFolder computes the plan of what a folder contains.
func (m *Mover) readFolder(ctx context.Context) (*planner.Inventory, error) {
	_, entries, err := archive.Read(ctx, m.o.SourceFolder)
	if err != nil {
		return nil, err
	}
	saved := make([]planner.Saved, len(entries))
	for i, e := range entries {
		saved[i] = planner.Saved{Object: e.Object, Decision: plan.Decision(e.Decision), PausedBefore: e.PausedBefore}
	}
	inv, err := planner.FromFolder(ctx, m.target.Client, saved)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.o.SourceFolder, err)
	}
	return inv, nil
}

// readAgain reads the source folder for a resume. It must have what it had when the move began.
func (m *Mover) readAgain(ctx context.Context) error {
	inv, err := m.read(ctx)
	if err != nil {
		return err
	}
	if lines := plan.Diff(m.doc.Plan, inv.Plan); len(lines) > 0 {
		return fmt.Errorf("%s is not the folder that the move has begun with: %s; the target stays as it is: put that one back, then resume", m.o.SourceFolder, lines[0])
	}
	m.inv, m.doc.Plan = inv, inv.Plan
	return nil
}

// writeFolder writes the snapshot into the folder. It replaces what an interrupted run of the same
// move has written there.
func (m *Mover) writeFolder(ctx context.Context) error {
	if err := archive.Remove(ctx, m.o.TargetFolder, m.doc.ID); err != nil {
		return err
	}
	items := m.doc.Plan.Selected()
	objects := make([]*unstructured.Unstructured, len(items))
	index := map[*plan.Item]int{}
	for n, i := range items {
		index[i] = n
	}
	err := m.each(ctx, items, func(ctx context.Context, i *plan.Item) error {
		return m.retry(ctx, "read "+i.Key(), func(ctx context.Context) (err error) {
			objects[index[i]], err = m.original(ctx, i)
			return err
		})
	})
	if err != nil {
		return err
	}
	entries := make([]archive.Entry, len(items))
	for n, i := range items {
		o := objects[n]
		o.SetGroupVersionKind(endpoint.KindOf(i).GroupVersionKind)
		entries[n] = archive.Entry{Step: i.Step, Object: o, Decision: string(i.Decision)}
		if i.Root {
			entries[n].PausedBefore = &i.WasPaused
		}
	}
	return archive.Write(ctx, m.o.TargetFolder, archive.Header{ID: m.doc.ID, Time: m.doc.Began, Source: m.source.Server}, entries)
}

// removeFolder removes the target folder. It also restores the source if the folder stays, because
// the source does not depend on it.
func (m *Mover) removeFolder(ctx context.Context) error {
	err := archive.Remove(ctx, m.o.TargetFolder, m.doc.ID)
	if err != nil && ctx.Err() == nil {
		err = errors.Join(err, m.unpauseSource(ctx))
	}
	return err
}

// verifyFolder makes sure that the source has not changed since the snapshot, and that the folder
// can be read. Otherwise it writes the folder again.
func (m *Mover) verifyFolder(ctx context.Context) error {
	if err := m.settle(ctx, func([]*plan.Item) error { return m.writeFolder(ctx) }); err != nil {
		return err
	}
	header, entries, err := archive.Read(ctx, m.o.TargetFolder)
	switch selected := m.doc.Plan.Selected(); {
	case err != nil:
		return err
	case header.ID != m.doc.ID:
		return fmt.Errorf("%s: it has the archive of move %s, want this move", m.o.TargetFolder, header.ID)
	case len(entries) != len(selected):
		return fmt.Errorf("%s: it has %d objects, want %d", m.o.TargetFolder, len(entries), len(selected))
	}
	return m.verifyComplete(ctx)
}
