package race

import (
	"context"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	peerstatus "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/cli-utils/pkg/kstatus/watcher"
	"github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/observe"
)

// A cliUtils is the watcher of fluxcd/cli-utils.
type cliUtils struct{ watcher *watcher.DefaultStatusWatcher }

func newCLIUtils(config *rest.Config) (*cliUtils, error) {
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	return &cliUtils{watcher.NewDefaultStatusWatcher(objects, mapper)}, nil
}

// waitForCurrent returns the first version of a target that the peer reports as Current. It returns
// zero if there is none before ctx ends.
func (p *cliUtils) waitForCurrent(ctx context.Context, t observe.Target) (version int64) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	id := object.ObjMetadata{GroupKind: schema.GroupKind(t.Kind), Namespace: t.Namespace, Name: t.Name}
	for e := range p.watcher.Watch(ctx, object.ObjMetadataSet{id}, watcher.Options{}) {
		if version == 0 && e.Type == event.ResourceUpdateEvent && e.Resource.Status == peerstatus.CurrentStatus && e.Resource.Resource != nil {
			version = versionOf(e.Resource.Resource.GetResourceVersion())
			stop()
		}
	}
	return version
}
