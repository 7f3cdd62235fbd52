package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/internal/journal"
	"kstatus.dev/kube/move/plan"
)

// A Status is what the journal of a move contains.
type Status struct {
	ID      string    `json:"id"`
	Phase   Phase     `json:"phase"`
	Step    int       `json:"step"` // from which objects are created or deleted, beginning with 0
	Began   time.Time `json:"began"`
	Saved   time.Time `json:"saved"`
	Source  string    `json:"source"` // the URL of the API server
	Target  string    `json:"target"`
	Failure string    `json:"failure,omitempty"` // why the move has stopped
	// MayResume and MayRollBack report what can be done next. While objects are deleted, a rollback
	// is possible only until the first one is deleted.
	MayResume   bool       `json:"mayResume"`
	MayRollBack bool       `json:"mayRollBack"`
	Plan        *plan.Plan `json:"plan"`
}

// ReadStatus reads the journal of a move: the file of Options.Journal, or the ConfigMaps in those
// clusters of Options that are set. The newest journal counts. The error wraps [fs.ErrNotExist] if
// there is none.
func ReadStatus(ctx context.Context, o Options) (*Status, error) {
	var stores []journal.Store
	if o.Journal != "" {
		stores = append(stores, journal.File(o.Journal))
	}
	if o.JournalNamespace != "" && o.ID != "" {
		if o.Source != nil {
			c, err := clusterapi.NewClient(o.Source)
			if err != nil {
				return nil, fmt.Errorf("the source: %w", err)
			}
			defer c.Close()
			stores = append(stores, journal.ConfigMap(c, "the source", o.JournalNamespace, o.ID))
		}
		if o.Target != nil {
			c, err := clusterapi.NewClient(o.Target)
			if err != nil {
				return nil, fmt.Errorf("the target: %w", err)
			}
			defer c.Close()
			stores = append(stores, journal.ConfigMap(c, "the target", o.JournalNamespace, o.ID))
		}
	}
	if len(stores) == 0 {
		return nil, errors.New("want the file of the journal, or the namespace of its ConfigMaps and the ID of the move")
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, defaultTimeout))
	defer cancel()
	store := journal.All(stores...)
	data, err := store.Load(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("want the journal of a move: %w", err)
	case err != nil:
		return nil, err
	}
	doc, err := decode(store, data)
	if err != nil {
		return nil, err
	}
	return &Status{
		ID: doc.ID, Phase: doc.Phase, Step: doc.Step, Began: doc.Began, Saved: doc.Saved,
		Source: doc.Source.Server, Target: doc.Target.Server, Failure: doc.Failure, Plan: doc.Plan,
		MayResume:   !slices.Contains([]Phase{Done, RollingBack, RolledBack}, doc.Phase),
		MayRollBack: !slices.Contains([]Phase{Unpausing, Cleaning, Done, RolledBack}, doc.Phase),
	}, nil
}
