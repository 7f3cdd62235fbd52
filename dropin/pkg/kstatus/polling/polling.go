// Package polling computes the statuses of objects at an interval.
package polling

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/readers"
	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// Options configure a [StatusPoller].
type Options struct {
	// CustomStatusReaders come before the readers of this module. The first that supports a kind
	// computes its statuses.
	CustomStatusReaders []engine.StatusReader

	// ClusterReaderFactory makes the reader of objects. Nil: a reader that reads once per round.
	ClusterReaderFactory engine.ClusterReaderFactory

	Mode dropin.Mode // zero: the mode of the program
}

// PollOptions are those of one poll.
type PollOptions struct {
	// PollInterval is the time between the starts of two rounds.
	PollInterval time.Duration
}

// A StatusPoller computes statuses at an interval.
type StatusPoller struct {
	engine *engine.PollerEngine
}

// NewStatusPoller returns a StatusPoller that reads with reader.
func NewStatusPoller(reader client.Reader, mapper meta.RESTMapper, o Options) *StatusPoller {
	factory := o.ClusterReaderFactory
	if factory == nil {
		factory = engine.ClusterReaderFactoryFunc(clusterreader.NewCachingClusterReader)
	}
	workloads, other := readers.Config{Mode: o.Mode}.Builtin(mapper)
	return &StatusPoller{engine: &engine.PollerEngine{
		Reader: reader, Mapper: mapper, DefaultStatusReader: other, ClusterReaderFactory: factory, Mode: o.Mode,
		StatusReaders: append(append([]engine.StatusReader{}, o.CustomStatusReaders...), workloads...),
	}}
}

// A Getter is the part of the factory of kubectl that a poller needs.
type Getter interface {
	ToRESTConfig() (*rest.Config, error)
	ToRESTMapper() (meta.RESTMapper, error)
}

// NewStatusPollerFromFactory returns a StatusPoller for the cluster of f.
func NewStatusPollerFromFactory(f Getter, o Options) (*StatusPoller, error) {
	config, err := f.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("error getting RESTConfig: %w", err)
	}
	mapper, err := f.ToRESTMapper()
	if err != nil {
		return nil, fmt.Errorf("error getting RESTMapper: %w", err)
	}
	c, err := client.New(config, client.Options{Mapper: mapper})
	if err != nil {
		return nil, fmt.Errorf("error creating client: %w", err)
	}
	return NewStatusPoller(c, mapper, o), nil
}

// Poll reads and judges all objects until ctx ends. See [engine.PollerEngine.Poll].
func (s *StatusPoller) Poll(ctx context.Context, identifiers object.ObjMetadataSet, options PollOptions) <-chan event.Event {
	return s.engine.Poll(ctx, identifiers, engine.Options{PollInterval: options.PollInterval})
}
