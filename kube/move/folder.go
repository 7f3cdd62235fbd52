package move

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/move/internal/archive"
	"kstatus.dev/kube/move/internal/planner"
	"kstatus.dev/kube/move/plan"
)

// readFolder computes the plan of what a folder contains.
func (m *Mover) readFolder(ctx context.Context) (*planner.Inventory, error) {
	_, entries, err := archive.Read(m.o.SourceFolder)
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

// writeFolder writes the snapshot into the folder. It replaces what an interrupted run of the same
// move has written there.
func (m *Mover) writeFolder(ctx context.Context) error {
	if err := m.removeFolder(); err != nil {
		return err
	}
	items := m.doc.Plan.Selected()
	objects := make([]*unstructured.Unstructured, len(items))
	index := map[*plan.Item]int{}
	for n, i := range items {
		index[i] = n
	}
	err := m.each(ctx, items, func(ctx context.Context, i *plan.Item) error {
		return m.retry(ctx, "read "+i.Key(), func() (err error) {
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
		o.SetGroupVersionKind(kind(i).GroupVersionKind)
		entries[n] = archive.Entry{Step: i.Step, Object: o, Decision: string(i.Decision)}
		if i.Root {
			entries[n].PausedBefore = &i.WasPaused
		}
	}
	return archive.Write(m.o.TargetFolder, archive.Header{ID: m.doc.ID, Time: m.doc.Began, Source: m.source.Server}, entries)
}

// removeFolder removes the target folder if this move has written it.
func (m *Mover) removeFolder() error {
	header, _, err := archive.Read(m.o.TargetFolder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil || header.ID != m.doc.ID:
		return nil // archive.Write refuses a folder that is not empty
	}
	return os.RemoveAll(m.o.TargetFolder)
}

// verifyFolder makes sure that the source has not changed since the snapshot, and that the folder
// can be read. Otherwise it writes the folder again.
func (m *Mover) verifyFolder(ctx context.Context) error {
	if err := m.settle(ctx, func([]*plan.Item) error { return m.writeFolder(ctx) }); err != nil {
		return err
	}
	if _, entries, err := archive.Read(m.o.TargetFolder); err != nil || len(entries) != len(m.doc.Plan.Selected()) {
		return fmt.Errorf("%s: %d of %d objects can be read again: %w", m.o.TargetFolder, len(entries), len(m.doc.Plan.Selected()), err)
	}
	return m.verifyComplete(ctx)
}
