package importers

import (
	"context"
	"errors"
	"time"

	"github.com/fluxcd/cli-utils/pkg/flowcontrol"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/aggregator"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/clusterreader"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/collector"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// waitUntilCurrent polls without a cache and cancels when all objects are current, as flux, timoni
// and the controllers of Flux do.
func waitUntilCurrent(ctx context.Context, reader client.Reader, mapper meta.RESTMapper, ids object.ObjMetadataSet) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	poller := polling.NewStatusPoller(reader, mapper, polling.Options{
		CustomStatusReaders:  []engine.StatusReader{statusreaders.NewGenericStatusReader(mapper, status.Compute)},
		ClusterReaderFactory: engine.ClusterReaderFactoryFunc(clusterreader.NewDirectClusterReader),
	})
	c := collector.NewResourceStatusCollector(ids)
	events := poller.Poll(ctx, ids, polling.PollOptions{PollInterval: time.Second})
	done := c.ListenWithObserver(events, collector.ObserverFunc(func(c *collector.ResourceStatusCollector, e event.Event) {
		var all []*event.ResourceStatus
		for _, rs := range c.ResourceStatuses {
			all = append(all, rs)
		}
		if e.Type == event.ResourceUpdateEvent && aggregator.AggregateStatus(all, status.CurrentStatus) == status.CurrentStatus {
			cancel()
		}
	}))
	if result := <-done; result.Err != nil {
		return result.Err
	}
	return errors.Join(c.Error, c.LatestObservation().Error)
}

// unlimited removes the limit of requests if the server has its own.
func unlimited(ctx context.Context, config *rest.Config) error {
	enabled, err := flowcontrol.IsEnabled(ctx, config)
	if enabled {
		config.QPS = -1
	}
	return err
}

// find parses the identifier of an entry of an inventory.
func find(id string) (object.ObjMetadata, error) { return object.ParseObjMetadata(id) }

var _ = []any{waitUntilCurrent, unlimited, find}
