package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/plan"
)

// A Status is what the journal of a move contains.
type Status struct {
	ID      string    `json:"id"`
	Phase   Phase     `json:"phase"`
	Step    int       `json:"step"` // that had begun when the journal was saved, from 0
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
	place := journal.Place{File: o.Journal}
	if o.ID != "" {
		place.Namespace = o.JournalNamespace
	}
	for _, c := range []struct {
		name   string
		config *rest.Config
	}{{"the source", o.Source}, {"the target", o.Target}} {
		if place.Namespace == "" || c.config == nil {
			continue
		}
		client, err := management.NewClient(c.config)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		defer client.Close()
		place.Clusters = append(place.Clusters, journal.Cluster{Name: c.name, Client: client})
	}
	if place.File == "" && len(place.Clusters) == 0 {
		return nil, errors.New("want the file of the journal, or the namespace of its ConfigMaps and the ID of the move")
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, defaultTimeout))
	defer cancel()
	store, _ := place.Open(o.ID)
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
