package naive

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/examples/provider/cloud"
)

const (
	// MistakesAnnotation lists the mistakes to make with an object, separated by commas.
	MistakesAnnotation = "naive.kstatus.dev/mistakes"
	// EndAnnotation lets an object go whose mistake is about its deletion.
	EndAnnotation     = "naive.kstatus.dev/end"
	finalizer         = "naive.kstatus.dev/server"
	pausedAnnotation  = "cluster.x-k8s.io/paused"
	managedAnnotation = "cluster.x-k8s.io/managed-by"

	blockMoveAnnotation = "clusterctl.cluster.x-k8s.io/block-move"
	poll                = 100 * time.Millisecond
)

// Kind is a kind of this provider.
func Kind(name string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "infrastructure.cluster.x-k8s.io", Version: "v1", Kind: name}
}

// Reconciler reconciles one kind.
type Reconciler struct {
	Client client.Client
	Cloud  *cloud.Client
	Kind   schema.GroupVersionKind

	mu    sync.Mutex // guards seen
	seen  map[types.NamespacedName]Seen
	count map[types.NamespacedName]int
}

// Seen describes the last pass over an object.
type Seen struct {
	Generation int64
	Paused     bool
	Idle       bool // it has nothing to do until the next change
}

// Seen returns the description of the last pass over an object.
func (r *Reconciler) Seen(key types.NamespacedName) Seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen[key]
}

// Setup adds a controller for the kind to a manager.
func (r *Reconciler) Setup(mgr ctrl.Manager) error {
	r.seen, r.count = map[types.NamespacedName]Seen{}, map[types.NamespacedName]int{}
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(r.Kind)
	return ctrl.NewControllerManagedBy(mgr).Named(strings.ToLower(r.Kind.Kind)).For(obj).
		WithOptions(controller.Options{MaxConcurrentReconciles: 20}).Complete(r)
}

// pass is one reconcile of an object.
type pass struct {
	r        *Reconciler
	ctx      context.Context
	obj      *unstructured.Unstructured
	mistakes []string
	passes   int  // number of passes over this object, including this one
	active   bool // the server is active
	again    bool
}

// Reconcile reconciles one object.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(r.Kind)
	if err := r.Client.Get(ctx, req.NamespacedName, obj); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	p := &pass{r: r, ctx: ctx, obj: obj, mistakes: contractMistakes}
	if names, told := obj.GetAnnotations()[MistakesAnnotation]; told {
		p.mistakes = strings.Split(names, ",")
	}
	r.mu.Lock()
	r.count[req.NamespacedName]++
	p.passes = r.count[req.NamespacedName]
	r.mu.Unlock()
	generation, paused := obj.GetGeneration(), p.paused()
	err := p.run()
	r.mu.Lock()
	r.seen[req.NamespacedName] = Seen{generation, paused, err == nil && !p.again}
	r.mu.Unlock()
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if p.again {
		return reconcile.Result{RequeueAfter: poll}, nil
	}
	return reconcile.Result{}, nil
}

func (p *pass) hasMistake(mistake string) bool { return slices.Contains(p.mistakes, mistake) }

func (p *pass) generation() int64 { return p.obj.GetGeneration() }

func (p *pass) created() string {
	return p.obj.GetCreationTimestamp().UTC().Add(-time.Hour).Format(time.RFC3339)
}

// paused reports whether the object itself is paused. It reads the Cluster only for mistakes that
// are about its pause.
func (p *pass) paused() bool {
	_, paused := p.obj.GetAnnotations()[pausedAnnotation]
	return paused || slices.ContainsFunc(p.mistakes, func(m string) bool { return slices.Contains(clusterMistakes, m) }) && p.clusterPaused()
}

// clusterPaused reports whether the Cluster of the object is paused. No event starts a pass when
// that changes, so passes repeat.
func (p *pass) clusterPaused() bool {
	p.again = true
	cluster := &unstructured.Unstructured{}
	cluster.SetGroupVersionKind(schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Cluster"})
	key := types.NamespacedName{Namespace: p.obj.GetNamespace(), Name: p.obj.GetLabels()["cluster.x-k8s.io/cluster-name"]}
	if err := p.r.Client.Get(p.ctx, key, cluster); err != nil {
		return false
	}
	paused, _, _ := unstructured.NestedBool(cluster.Object, "spec", "paused")
	return paused
}

func (p *pass) run() error {
	if _, managed := p.obj.GetAnnotations()[managedAnnotation]; managed && !p.hasMistake("touches-what-others-manage") {
		return nil
	}
	was := find(p.status(), "Paused")["status"] == "True"
	switch {
	case p.hasMistake("stays-paused") && was && p.obj.GetDeletionTimestamp() == nil:
		return nil
	case p.paused() && p.hasMistake("silent-about-the-pause"):
		return nil
	case p.paused() && !p.hasMistake("works-while-paused"):
		return p.pause()
	case p.obj.GetDeletionTimestamp() != nil:
		return p.delete()
	case len(p.obj.GetOwnerReferences()) == 0 && !p.hasMistake("no-owner"):
		return nil
	}
	if !p.hasMistake("finalizer-afterwards") {
		if err := p.finalize(); err != nil {
			return err
		}
	}
	server, err := p.server()
	if err != nil {
		return err
	}
	if p.hasMistake("provisioned-before-the-name") && find(p.status(), "Ready")["status"] == nil {
		if err := p.write(map[string]any{"initialization": map[string]any{"provisioned": true}}); err != nil {
			return err
		}
	}
	if server.ID == "" {
		return p.writeStatus("False", "Building", "False")
	}
	if err := p.name(server); err != nil {
		return err
	}
	if p.hasMistake("finalizer-afterwards") {
		if err := p.finalize(); err != nil {
			return err
		}
	}
	p.active = server.State == cloud.Active
	p.again = p.again || !p.active
	return p.report()
}

// token returns the token of the object's server.
func (p *pass) token() string {
	token := p.obj.GetKind() + "/" + p.obj.GetNamespace() + "/" + p.obj.GetName()
	if p.hasMistake("identity-in-the-uid") {
		token += "-" + strings.ReplaceAll(string(p.obj.GetUID()), "-", "")
	}
	return token
}

// server requests the server of the object from the cloud.
func (p *pass) server() (cloud.Server, error) {
	token := p.token()
	if p.hasMistake("identity-in-the-status") {
		kept, _ := p.status()["token"].(string)
		if kept == "" {
			kept = token + fmt.Sprintf("-%d", time.Now().UnixNano())
			if err := p.write(map[string]any{"token": kept}); err != nil {
				return cloud.Server{}, err
			}
		}
		token = kept
	}
	request := cloud.ServerRequest{Size: "small", Zone: "north"}
	if p.hasMistake("works-in-the-background") {
		server, err := p.r.Cloud.Server(p.ctx, token)
		if !cloud.IsNotFound(err) {
			return server, err
		}
		ctx := context.WithoutCancel(p.ctx)
		go p.r.Cloud.EnsureServer(ctx, token, request) // and the pass ends before that
		return cloud.Server{State: cloud.Building}, nil
	}
	return p.r.Cloud.EnsureServer(p.ctx, token, request)
}

// name writes the fields of the spec that depend on the server.
func (p *pass) name(server cloud.Server) error {
	spec, _ := p.obj.Object["spec"].(map[string]any)
	want := map[string]any{}
	switch id := "plain:///" + server.ID; {
	case p.hasMistake("provisioned-without-a-name"):
	case p.obj.GetKind() == "PlainCluster" && spec["controlPlaneEndpoint"] == nil:
		want["controlPlaneEndpoint"] = map[string]any{"host": server.ID + ".plain.example", "port": int64(6443)}
	case p.obj.GetKind() == "PlainMachine" && p.hasMistake("another-name-each-time") && p.generation() == 3:
		want["providerID"] = fmt.Sprintf("%s/%d", id, p.passes)
	case p.obj.GetKind() == "PlainMachine" && spec["providerID"] == nil:
		want["providerID"] = id
	}
	if p.hasMistake("defaults-in-the-spec") && p.generation() > 2 && spec["size"] != "small" {
		want["size"] = "small"
	}
	patch := map[string]any{}
	if len(want) > 0 {
		patch["spec"] = want
	}
	if p.hasMistake("owner-is-lost") && p.passes == maxRepeats/2 {
		patch["metadata"] = map[string]any{"ownerReferences": nil, "annotations": map[string]any{"naive.kstatus.dev/seen": "yes"}}
	}
	if len(patch) == 0 {
		return nil
	}
	return p.patch(patch)
}

func (p *pass) patch(patch map[string]any) error {
	data, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	return p.r.Client.Patch(p.ctx, p.obj, client.RawPatch(types.MergePatchType, data))
}

func (p *pass) finalize() error {
	metadata := map[string]any{}
	if controllerutil.AddFinalizer(p.obj, finalizer) {
		metadata["finalizers"] = p.obj.GetFinalizers()
	}
	if _, blocks := p.obj.GetAnnotations()[blockMoveAnnotation]; !blocks && p.hasMistake("blocks-moves-for-ever") {
		metadata["annotations"] = map[string]any{blockMoveAnnotation: ""}
	}
	if len(metadata) == 0 {
		return nil
	}
	return p.patch(map[string]any{"metadata": metadata})
}

// delete deletes the server, and removes the finalizer.
func (p *pass) delete() error {
	if !controllerutil.ContainsFinalizer(p.obj, finalizer) {
		return nil
	}
	token := p.token()
	if kept, _ := p.status()["token"].(string); kept != "" {
		token = kept
	}
	_, ends := p.obj.GetAnnotations()[EndAnnotation]
	if p.hasMistake("silent-to-the-end") && !ends {
		p.again = true
		return nil
	}
	err := p.r.Cloud.DeleteServer(p.ctx, token)
	if p.hasMistake("ready-to-the-end") && !ends {
		p.again = true
		return p.write(map[string]any{"message": fmt.Sprint("the server is being deleted, look ", p.passes)})
	}
	if cloud.IsNotFound(err) || p.hasMistake("lets-go-too-early") {
		controllerutil.RemoveFinalizer(p.obj, finalizer)
		return p.patch(map[string]any{"metadata": map[string]any{"finalizers": p.obj.GetFinalizers()}})
	}
	p.again = true
	return p.writeStatus("False", "Deleting", "False")
}

// write merges fields into the status.
func (p *pass) write(status map[string]any) error {
	now := maps.Clone(p.status())
	for k, v := range status {
		now[k] = v
	}
	if reflect.DeepEqual(clone(now), clone(p.status())) && !p.hasMistake("writes-what-is-there") {
		return nil
	}
	data, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	return p.r.Client.Status().Patch(p.ctx, p.obj, client.RawPatch(types.MergePatchType, data))
}

func (p *pass) status() map[string]any {
	status, _ := p.obj.Object["status"].(map[string]any)
	if status == nil {
		return map[string]any{}
	}
	return status
}

// clone returns a copy of a value with the types of JSON.
func clone(m map[string]any) map[string]any {
	data, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	copied := map[string]any{}
	if err := json.Unmarshal(data, &copied); err != nil {
		return nil
	}
	return copied
}
