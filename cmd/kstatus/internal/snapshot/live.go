package snapshot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Connect reads the arguments and files, and connects to the clusters. If only some could be
// read, unread has the errors of the others.
func (f *Flags) Connect(ctx context.Context, args []string, by output.Criteria) (wanted selection.Request, clusters []*connection.Cluster, unread, err error) {
	wanted, unread = f.Selection.Request(ctx, f.Env, args)
	if unread != nil && len(wanted.Objects) == 0 {
		return wanted, nil, nil, unread
	}
	clusters, err = f.Selection.Connect(ctx, f.Env, f.Connection, by.Rules)
	f.noteMissingNamespaces = func() {
		for _, c := range clusters {
			c.NoteMissingNamespace(ctx)
		}
	}
	return wanted, clusters, unread, err
}

// A Reader judges objects of a cluster in their current state.
type Reader struct {
	Cluster *connection.Cluster
	Judge   output.Judge
	Pods    bool // the Pods of workloads that are not Current count, as in a wait
	OwnText bool // with Pods, messages do not repeat those of the Pods

	// FirstStatus is how long a controller has for its first report on an object, counted from the
	// last change of the object. Zero: no limit.
	FirstStatus time.Duration
}

// LookUp returns the verdict on each of the objects. It reads objects of which only the name is
// known.
func (l Reader) LookUp(ctx context.Context, all []selection.Object) (judged []output.Verdict, err error) {
	defer func() { err = connection.InContext(l.Cluster.Name, err) }()
	listed := map[status.Kind]bool{}
	var objects []status.Object
	var unseen []observe.Target
	for _, o := range all {
		if o.Listed == nil {
			unseen = append(unseen, o.Target)
		} else {
			listed[o.Target.Kind] = true
			objects = append(objects, o.Listed)
		}
	}
	if err := l.Cluster.Client.LoadSchemas(ctx, slices.Collect(maps.Keys(listed))...); err != nil {
		return nil, err
	}
	if err := l.Cluster.Client.LoadEvictions(ctx, objects...); err != nil {
		l.Cluster.Note("not read: " + err.Error())
	}
	seen, err := l.read(ctx, unseen)
	if err != nil {
		return nil, err
	}
	judged = make([]output.Verdict, len(all))
	var troubled []workload
	for i, o := range all {
		if o.Listed != nil {
			judged[i] = l.Judge.Verdict(o.Listed)
		} else {
			judged[i] = seen[o.Target].verdict
			o.Listed = seen[o.Target].object
		}
		judged[i].Source = o.From
		if u, ok := o.Listed.(*unstructured.Unstructured); ok && mayHavePods(judged[i]) {
			troubled = append(troubled, workload{o.Target, u, &judged[i]})
		}
	}
	if l.Pods {
		if err = l.addPods(ctx, troubled); err != nil {
			return judged, err
		}
	}
	return judged, l.expireFirstStatus(ctx, troubled)
}

// An observedObject is an object that was read, with its verdict. The object is kept only if its
// Pods may count.
type observedObject struct {
	verdict output.Verdict
	object  status.Object
}

// read reads objects.
func (l Reader) read(ctx context.Context, targets []observe.Target) (map[observe.Target]observedObject, error) {
	seen := make(map[observe.Target]observedObject, len(targets))
	if len(targets) == 0 {
		return seen, nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	source := l.Cluster.Source()
	source.Interval = kubesource.Once // it is read once, so it need not be watched
	err := source.Observe(ctx, targets, func(e observe.Event) (open bool) {
		mu.Lock()
		defer mu.Unlock()
		s := observedObject{verdict: l.Judge.FromEvent(e)}
		if mayHavePods(s.verdict) {
			s.object = e.Object
		}
		if seen[e.Target] = s; len(seen) == len(targets) {
			stop()
		}
		return false
	})
	if err != nil {
		return nil, err
	}
	if len(seen) < len(targets) {
		return nil, fmt.Errorf("look up %d objects: %w", len(targets), context.Cause(ctx))
	}
	return seen, nil
}
