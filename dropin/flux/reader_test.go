package flux_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/clusterreader"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin"
	dropinflux "kstatus.dev/dropin/flux"
	dropinreader "kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
)

var (
	deploymentKind = schema.GroupKind{Group: "apps", Kind: "Deployment"}
	jobKind        = schema.GroupKind{Group: "batch", Kind: "Job"}
	podKind        = schema.GroupKind{Kind: "Pod"}
)

func TestSupports(t *testing.T) {
	r := dropinflux.Reader(nil)
	for _, row := range []struct {
		it     string
		reader engine.StatusReader
		kind   schema.GroupKind
		want   bool
	}{
		{"supports Deployments", r, deploymentKind, true},
		{"supports custom kinds", r, schema.GroupKind{Group: "example.com", Kind: "Pod"}, true},
		{"leaves Jobs to Helm", r, jobKind, false},
		{"leaves Pods to Helm", r, podKind, false},
		{"supports the kinds of Only", r.Only(jobKind), jobKind, true},
		{"supports only the kinds of Only", r.Only(jobKind), deploymentKind, false},
		{"supports nothing after an empty Only", r.Only(), deploymentKind, false},
		{"keeps the kinds in another mode", r.Only(jobKind).In(dropin.Compat), deploymentKind, false},
		{"is for all kinds in a poller", dropinflux.Options(nil, dropin.Right).CustomStatusReaders[0], podKind, true},
	} {
		if have := row.reader.Supports(row.kind); have != row.want {
			t.Errorf("it %s: Supports(%s) is %t", row.it, row.kind, have)
		}
	}
}

// lists is a reader of objects that counts lists. It finds no object.
type lists struct {
	clusterreader.DirectClusterReader
	count int
}

func (l *lists) ListNamespaceScoped(context.Context, *unstructured.UnstructuredList, string, labels.Selector) error {
	l.count++
	return nil
}

func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Group: "apps", Version: "v1"}, {Version: "v1"}})
	for _, kind := range []schema.GroupVersionKind{
		{Group: "apps", Version: "v1", Kind: "Deployment"}, {Group: "apps", Version: "v1", Kind: "ReplicaSet"}, {Version: "v1", Kind: "Pod"},
	} {
		m.Add(kind, meta.RESTScopeNamespace)
	}
	return m
}

func deployment(condition map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"namespace": "shop", "name": "web", "generation": int64(1)},
		"spec":     map[string]any{"replicas": int64(1), "selector": map[string]any{"matchLabels": map[string]any{"app": "web"}}},
		"status":   map[string]any{"observedGeneration": int64(1), "conditions": []any{condition}},
	}}
}

func TestReader(t *testing.T) {
	progressing := map[string]any{"type": "Progressing", "status": "True", "reason": "ReplicaSetUpdated"}
	exceeded := map[string]any{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "it has timed out"}
	for _, row := range []struct {
		it        string
		reader    engine.StatusReader
		condition map[string]any
		status    string
		message   string
		lists     int
	}{
		{"reads no Pods of a Deployment in progress", dropinflux.Reader(mapper()), progressing, "InProgress", "[RolloutUpdating] 0/1 updated", 0},
		{"reads the ReplicaSets of a failed Deployment", dropinflux.Reader(mapper()), exceeded, "Failed", "[ProgressDeadlineExceeded] it has timed out", 1},
		{"has the message of the original in another mode", dropinflux.Reader(mapper()).In(dropin.Compat), exceeded, "Failed", "Progress deadline exceeded", 0},
		{"has the verdict of the original without its events", dropinflux.Reader(mapper()).In(dropin.Mode{Verdicts: dropin.VerdictsCompat}), exceeded, "Failed", "Progress deadline exceeded", 0},
	} {
		t.Run(row.it, func(t *testing.T) {
			var objects lists
			u := deployment(row.condition)
			rs, err := row.reader.ReadStatusForObject(t.Context(), &objects, u)
			if err != nil {
				t.Fatal(err)
			}
			if string(rs.Status) != row.status || rs.Message != row.message || objects.count != row.lists {
				t.Errorf("%s %q with %d lists, want %s %q with %d", rs.Status, rs.Message, objects.count, row.status, row.message, row.lists)
			}
			if want := (object.ObjMetadata{Namespace: "shop", Name: "web", GroupKind: deploymentKind}); rs.Identifier != want || rs.Resource != u || rs.Error != nil {
				t.Errorf("identifier %v, resource %v, error %v", rs.Identifier, rs.Resource, rs.Error)
			}
		})
	}
}

func TestUnknownMode(t *testing.T) {
	rs, err := dropinflux.Reader(mapper()).In(dropin.Mode{Verdicts: "kind"}).ReadStatusForObject(t.Context(), &lists{}, deployment(nil))
	if err == nil {
		t.Errorf("verdicts that do not exist are no error: %+v", rs)
	}
}

// A poller keeps the readers of the program, and gets both fields.
func TestOptions(t *testing.T) {
	o := dropinflux.Options(mapper(), dropin.Mode{})
	if o.ClusterReaderFactory == nil || len(o.CustomStatusReaders) != 1 {
		t.Fatalf("have %+v, want both fields", o)
	}
	r, err := o.ClusterReaderFactory.New(nil, mapper(), object.ObjMetadataSet{{Namespace: "shop", Name: "web", GroupKind: deploymentKind}})
	if _, ok := r.(*dropinreader.DirectClusterReader); !ok || err != nil {
		t.Errorf("have a %T, error %v, want the reader of dropin", r, err)
	}
}

// The types of the statuses have the same fields, so convert forgets none.
func TestFields(t *testing.T) {
	var theirs, ours []string
	for field := range reflect.TypeFor[theirStatus]().Fields() {
		theirs = append(theirs, field.Name)
	}
	for field := range reflect.TypeFor[ourStatus]().Fields() {
		ours = append(ours, field.Name)
	}
	if !reflect.DeepEqual(theirs, ours) {
		t.Errorf("the original has the fields %q, dropin %q", theirs, ours)
	}
}
