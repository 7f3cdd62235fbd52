package engine

import (
	"context"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/status"
	statusschema "kstatus.dev/status/schema"
)

// reports makes custom resources wait for the first report of their controllers. It reads the
// definition of each custom kind once. A kind whose definition may not be read is judged without it.
type reports struct {
	mode    dropin.Mode
	reader  client.Reader
	mapper  meta.RESTMapper
	pending map[schema.GroupKind]bool // custom kinds whose definition has not been read
	found   []map[string]any          // definitions
	expect  statusschema.Expectations
	targets map[object.ObjMetadata]*verdict.Age
}

// definitionTimeout is the time limit for the read of a definition.
const definitionTimeout = 10 * time.Second

// newReports returns nil if the verdicts of the mode need no reports. It also does for a cache, which
// would keep all definitions.
func newReports(m dropin.Mode, reader client.Reader, mapper meta.RESTMapper, ids object.ObjMetadataSet) *reports {
	_, cached := reader.(interface{ WaitForCacheSync(context.Context) bool })
	if m.Events != dropin.EventsRight || m.Verdicts == dropin.VerdictsCompat || reader == nil || cached {
		return nil
	}
	r := &reports{mode: m, reader: reader, mapper: mapper, pending: map[schema.GroupKind]bool{}, targets: map[object.ObjMetadata]*verdict.Age{}}
	for _, id := range ids {
		r.targets[id] = &verdict.Age{}
		if strings.Contains(id.GroupKind.Group, ".") {
			r.pending[id.GroupKind] = true
		}
	}
	return r
}

// with returns the context of a round. Its statuses know what the kinds of the targets declare.
func (r *reports) with(ctx context.Context) context.Context {
	if r == nil {
		return ctx
	}
	for kind := range r.pending {
		if r.load(ctx, kind) {
			delete(r.pending, kind)
		}
	}
	return verdict.With(ctx, &verdict.Judge{Mode: r.mode, Evaluator: status.Evaluator{Expect: r.expect}, Since: r.since})
}

// since returns since when a target has had its generation. It is zero for other objects.
func (r *reports) since(u *unstructured.Unstructured) time.Time {
	age := r.targets[object.UnstructuredToObjMetadata(u)]
	if age == nil {
		return time.Time{}
	}
	return age.See(u)
}

// load reads the definition of a kind. It returns false if the next round must try again.
func (r *reports) load(ctx context.Context, kind schema.GroupKind) (done bool) {
	mapping, err := r.mapper.RESTMapping(kind)
	if err != nil {
		return false
	}
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("apiextensions.k8s.io/v1")
	u.SetKind("CustomResourceDefinition")
	limited, cancel := context.WithTimeout(ctx, definitionTimeout)
	defer cancel()
	switch err := r.reader.Get(limited, client.ObjectKey{Name: mapping.Resource.Resource + "." + kind.Group}, u); {
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err): // an aggregated API has none
		return true
	case err != nil:
		klog.FromContext(ctx).V(1).Info("A definition cannot be read", "kind", kind, "err", err)
		return false
	}
	expect, err := statusschema.FromCRDs(append(r.found, u.Object)...)
	if err != nil {
		klog.FromContext(ctx).V(1).Info("A definition cannot be used", "kind", kind, "err", err)
		return true
	}
	r.found, r.expect = append(r.found, u.Object), expect
	return true
}
