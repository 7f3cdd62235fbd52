package flux_test

import (
	"fmt"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	peerevent "github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	"github.com/fluxcd/cli-utils/pkg/kstatus/watcher"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	dropinflux "kstatus.dev/dropin/flux"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
)

type (
	theirStatus = peerevent.ResourceStatus
	ourStatus   = event.ResourceStatus
)

// The watcher of cli-utils judges with kstatus.
func ExampleReader() {
	_ = func(client dynamic.Interface, mapper meta.RESTMapper) *watcher.DefaultStatusWatcher {
		w := watcher.NewDefaultStatusWatcher(client, mapper)
		w.StatusReader = dropinflux.Reader(mapper)
		return w
	}
	fmt.Println(dropinflux.Reader(nil).Supports(deploymentKind), dropinflux.Reader(nil).Supports(jobKind))
	// Output: true false
}

// A poller judges with kstatus, except for a kind that the program judges itself.
func ExampleOptions() {
	_ = func(reader client.Reader, mapper meta.RESTMapper, jobs engine.StatusReader) *polling.StatusPoller {
		o := dropinflux.Options(mapper, dropin.Right)
		o.CustomStatusReaders = append([]engine.StatusReader{jobs}, o.CustomStatusReaders...)
		return polling.NewStatusPoller(reader, mapper, o)
	}
	fmt.Println(len(dropinflux.Options(nil, dropin.Right).CustomStatusReaders))
	// Output: 1
}
