package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

var pods = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// cluster is the reader and the judge of a test: the status of each round is the next in the list.
type cluster struct {
	statuses []status.Status
	round    int
	err      error // of Sync
}

func (c *cluster) Supports(schema.GroupKind) bool { return true }

func (c *cluster) ReadStatus(_ context.Context, _ engine.ClusterReader, id object.ObjMetadata) (*event.ResourceStatus, error) {
	return &event.ResourceStatus{Identifier: id, Status: c.statuses[min(c.round, len(c.statuses))-1]}, nil
}

func (c *cluster) ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error) {
	return nil, errors.New("not called by a poll")
}

func (c *cluster) Get(context.Context, client.ObjectKey, *unstructured.Unstructured) error {
	return nil
}

func (c *cluster) ListNamespaceScoped(context.Context, *unstructured.UnstructuredList, string, labels.Selector) error {
	return nil
}

func (c *cluster) ListClusterScoped(context.Context, *unstructured.UnstructuredList, labels.Selector) error {
	return nil
}

func (c *cluster) Sync(context.Context) error {
	c.round++
	return c.err
}

func (c *cluster) poll(ctx context.Context, interval time.Duration, ids ...object.ObjMetadata) <-chan event.Event {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{pods.GroupVersion()})
	mapper.Add(pods, meta.RESTScopeNamespace)
	e := &engine.PollerEngine{
		Mapper: mapper, DefaultStatusReader: c,
		ClusterReaderFactory: engine.ClusterReaderFactoryFunc(
			func(client.Reader, meta.RESTMapper, object.ObjMetadataSet) (engine.ClusterReader, error) {
				return c, nil
			}),
	}
	return e.Poll(ctx, ids, engine.Options{PollInterval: interval})
}

var target = object.ObjMetadata{Namespace: "a", Name: "x", GroupKind: pods.GroupKind()}

func TestPollSendsChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := &cluster{statuses: []status.Status{status.InProgressStatus, status.InProgressStatus, status.CurrentStatus}}
		start := time.Now()
		events := c.poll(ctx, 0, target)
		if e := <-events; e.Resource.Status != status.InProgressStatus || time.Since(start) != 0 {
			t.Errorf("the first event is %v after %s", e, time.Since(start))
		}
		if e := <-events; e.Resource.Status != status.CurrentStatus || time.Since(start) != 4*time.Second {
			t.Errorf("the second event is %v after %s, want Current after two intervals of 2s", e, time.Since(start))
		}
		cancel()
		if e, open := <-events; open {
			t.Errorf("%v after the end of the context", e)
		}
	})
}

func TestPollEndsWithoutReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		events := (&cluster{statuses: []status.Status{status.CurrentStatus}}).poll(ctx, time.Second, target)
		synctest.Wait() // no one receives the first event
		cancel()
		synctest.Wait()
		if e, open := <-events; open {
			t.Errorf("%v after the end of the context", e)
		}
	})
}

// A request has timed out, as net/http reports it.
type timeoutError struct{}

func (timeoutError) Error() string        { return "request timed out" }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

func TestPollContinuesAfterTheTimeoutOfARequest(t *testing.T) {
	for _, err := range []error{fmt.Errorf("list: %w", timeoutError{}), fmt.Errorf("list: %w", context.DeadlineExceeded)} {
		synctest.Test(t, func(t *testing.T) { continuesAfter(t, err) })
	}
}

func continuesAfter(t *testing.T, err error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := (&cluster{err: err}).poll(ctx, time.Second, target)
	select {
	case e := <-events:
		t.Errorf("%v, want none", e)
	case <-time.After(10 * time.Second):
	}
	cancel()
	if e, open := <-events; open {
		t.Errorf("%v after the end of the context", e)
	}
}

// A caller may change the object of an event. The next round compares with the event as it was.
func TestPollKeepsNoObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := &cluster{statuses: []status.Status{status.InProgressStatus, status.InProgressStatus, status.CurrentStatus}}
		events := c.poll(ctx, time.Second, target)
		e := <-events
		e.Resource.Status, e.Resource.Message = "changed", "changed"
		if e := <-events; e.Resource.Status != status.CurrentStatus {
			t.Errorf("%v, want the next change", e)
		}
	})
}

func TestPollEndsWithAnError(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		sync error
		id   object.ObjMetadata
		want string
	}{
		"the error of Sync":   {sync: broken, id: target, want: "broken"},
		"a missing namespace": {id: object.ObjMetadata{Name: "x", GroupKind: pods.GroupKind()}, want: "resource Pod x is namespace scoped, but namespace is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			var have []string
			for e := range (&cluster{err: c.sync}).poll(t.Context(), time.Second, c.id) {
				have = append(have, e.Type.String()+" "+e.Error.Error())
			}
			want := ""
			if c.want != "" {
				want = "Error " + c.want
			}
			if strings.Join(have, "\n") != want {
				t.Errorf("have the events %q, want %q", have, want)
			}
		})
	}
}
