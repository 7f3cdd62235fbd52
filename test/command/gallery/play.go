package gallery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/util/jsonpath"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/poll"
)

// patience bounds the steps of a situation.
const patience = poll.Patience

// GPUNode is a Node for Pods of situations that select it explicitly.
const GPUNode = `
apiVersion: v1
kind: Node
metadata: {name: node-gpu, labels: {pool: gpu, kubernetes.io/hostname: node-gpu, kubernetes.io/os: linux, topology.kubernetes.io/zone: c}}
spec: {taints: [{key: example.com/gpu, value: "true", effect: NoSchedule}]}
`

// A Player sets up a situation.
type Player struct {
	Config    *rest.Config
	Namespace string            // of the situation
	Words     map[string]string // the values of $NAME in files, in addition to $NS
	// Change, unless nil, changes the objects of a situation before they are applied.
	Change func(*unstructured.Unstructured) error
	// PowerOff ends all processes of a real Node. It is nil without real Nodes.
	PowerOff func(node string) error

	client  kubernetes.Interface
	dynamic dynamic.Interface
	mapper  meta.ResettableRESTMapper
	applied []*unstructured.Unstructured
}

// NewPlayer returns a player for a situation with its own namespace.
func NewPlayer(config *rest.Config, namespace string, words map[string]string) (*Player, error) {
	p := &Player{Config: config, Namespace: namespace, Words: words}
	var err error
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	if p.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, err
	}
	p.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(p.client.Discovery()))
	return p, nil
}

// NewTestPlayer returns a player whose situation is cleared at the end of the test.
func NewTestPlayer(t testing.TB, config *rest.Config, namespace string, words map[string]string) *Player {
	t.Helper()
	p, err := NewPlayer(config, namespace, words)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Clear(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Expand replaces $NAME variables in a text.
func (p *Player) Expand(text string) string {
	text = strings.ReplaceAll(text, "$NS", p.Namespace)
	for name, value := range p.Words {
		text = strings.ReplaceAll(text, "$"+name, value)
	}
	for _, o := range p.applied {
		text = strings.ReplaceAll(text, "$UID/"+o.GetKind()+"/"+o.GetName(), string(o.GetUID()))
	}
	return text
}

// Play runs all steps of a situation.
func (p *Player) Play(ctx context.Context, s *Situation) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not within %s", patience))
	defer cancel()
	if err := p.prepareNamespace(ctx); err != nil {
		return fmt.Errorf("namespace %s: %w", p.Namespace, err)
	}
	for _, step := range s.Steps {
		if err := p.step(ctx, s, step); err != nil {
			return fmt.Errorf("%s %s: %w", step.Verb, step.Args, err)
		}
	}
	return p.waitForFaults(ctx)
}

// prepareNamespace creates the namespace after the end of an earlier one of its name, and waits
// until it accepts Pods.
func (p *Player) prepareNamespace(ctx context.Context) error {
	return poll.Until(ctx, func() error {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.Namespace}}
		made, err := p.client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			made, err = p.client.CoreV1().Namespaces().Get(ctx, p.Namespace, metav1.GetOptions{})
		}
		if err != nil {
			return err
		}
		if made.DeletionTimestamp != nil {
			return errors.New("it is being deleted")
		}
		_, err = p.client.CoreV1().ServiceAccounts(p.Namespace).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

func (p *Player) step(ctx context.Context, s *Situation, step Step) error {
	what, rest, _ := strings.Cut(step.Args, " ")
	switch step.Verb {
	case "until":
		return p.until(ctx, p.Expand(what), p.Expand(rest))
	case "event":
		return p.event(ctx, what, rest)
	case "refused":
		return p.waitForRejection(ctx)
	case "power-off":
		if p.PowerOff == nil {
			return errors.New("the cluster has no real Nodes")
		}
		return p.PowerOff(what)
	}
	text, err := s.File(what)
	if err != nil {
		return err
	}
	objects, err := apply.Parse([]byte(p.Expand(text)))
	if err != nil {
		return err
	}
	switch step.Verb {
	case "report":
		return p.report(ctx, objects)
	case "remove":
		return apply.Delete(ctx, p.Config, p.Namespace, objects, nil)
	}
	for _, o := range objects {
		if err := p.waitForOldNamespace(ctx, o); err != nil {
			return err
		}
		if p.Change == nil {
			continue
		}
		if err := p.Change(o); err != nil {
			return fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), err)
		}
	}
	return apply.To(ctx, p.Config, p.Namespace, objects, func(o *unstructured.Unstructured) { p.applied = append(p.applied, o) })
}

// waitForOldNamespace waits for the end of an earlier namespace of the same name.
func (p *Player) waitForOldNamespace(ctx context.Context, o *unstructured.Unstructured) error {
	if o.GetKind() != "Namespace" {
		return nil
	}
	return poll.Until(ctx, func() error {
		old, err := p.client.CoreV1().Namespaces().Get(ctx, o.GetName(), metav1.GetOptions{})
		if err == nil && old.DeletionTimestamp != nil {
			return fmt.Errorf("namespace %s is being deleted", o.GetName())
		}
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	})
}

// report writes the status of objects. It updates the whole object if its kind has no status
// subresource.
func (p *Player) report(ctx context.Context, objects []*unstructured.Unstructured) error {
	for _, o := range objects {
		to, err := p.resource(o.GroupVersionKind().GroupKind())
		if err != nil {
			return err
		}
		options := metav1.ApplyOptions{FieldManager: "controller", Force: true}
		_, err = to.ApplyStatus(ctx, o.GetName(), o, options)
		if apierrors.IsNotFound(err) {
			_, err = to.Apply(ctx, o.GetName(), o, options)
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), err)
		}
	}
	return nil
}

// resource returns the client for objects of a kind in the namespace of the situation.
func (p *Player) resource(kind schema.GroupKind) (dynamic.ResourceInterface, error) {
	return p.resourceIn(p.Namespace, kind)
}

func (p *Player) resourceIn(namespace string, kind schema.GroupKind) (dynamic.ResourceInterface, error) {
	mapping, err := p.mapper.RESTMapping(kind)
	if meta.IsNoMatchError(err) {
		p.mapper.Reset()
		mapping, err = p.mapper.RESTMapping(kind)
	}
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return p.dynamic.Resource(mapping.Resource).Namespace(namespace), nil
	}
	return p.dynamic.Resource(mapping.Resource), nil
}

// until waits until a field has a value: resource.group/name and {jsonpath}=value. A value that ends
// with "…" is the beginning of the field's.
func (p *Player) until(ctx context.Context, look, row string) error {
	path, want, ok := strings.Cut(row, "}=")
	if !ok {
		return fmt.Errorf("want {jsonpath}=value, have %q", row)
	}
	parsed := jsonpath.New(look).AllowMissingKeys(true)
	if err := parsed.Parse(path + "}"); err != nil {
		return err
	}
	resource, name, _ := strings.Cut(look, "/")
	return poll.Until(ctx, func() error {
		kind, err := p.mapper.KindFor(schema.ParseGroupResource(resource).WithVersion(""))
		if err != nil {
			p.mapper.Reset()
			return err
		}
		from, err := p.resource(kind.GroupKind())
		if err != nil {
			return err
		}
		object, err := from.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		var have bytes.Buffer
		if err := parsed.Execute(&have, object.Object); err != nil {
			return err
		}
		begin, cut := strings.CutSuffix(want, "…")
		if have.String() != want && !(cut && strings.HasPrefix(have.String(), begin)) {
			return fmt.Errorf("have %q; the status: %v", have.String(), object.Object["status"])
		}
		return nil
	})
}

// event waits for an event about an object, resource.group/name, or, without a name, about any
// object.
func (p *Player) event(ctx context.Context, look, reason string) error {
	_, name, _ := strings.Cut(look, "/")
	return poll.Until(ctx, func() error {
		events, err := p.client.CoreV1().Events(p.Namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, e := range events.Items {
			if e.Reason == reason && (name == "" || e.InvolvedObject.Name == name) {
				return nil
			}
		}
		return errors.New("there is none")
	})
}

// waitForRejection waits until the server rejects Pods.
func (p *Player) waitForRejection(ctx context.Context) error {
	probe := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "probe"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "registry.example.com/probe:1"}}},
	}
	return poll.Until(ctx, func() error {
		_, err := p.client.CoreV1().Pods(p.Namespace).Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil || apierrors.IsAlreadyExists(err) || ctx.Err() != nil {
			return errors.New("it takes one")
		}
		return nil
	})
}

// Clear deletes the objects of the situation at once, and removes the finalizers that no
// controller removes. It does not wait for the end of the deletion.
func (p *Player) Clear(ctx context.Context) error {
	var errs []error
	for _, o := range p.applied {
		to, err := p.resourceIn(o.GetNamespace(), o.GroupVersionKind().GroupKind())
		if err == nil && len(o.GetFinalizers()) > 0 {
			_, err = to.Patch(ctx, o.GetName(), types.MergePatchType, []byte(`{"metadata": {"finalizers": null}}`), metav1.PatchOptions{})
		}
		if err == nil && (o.GetNamespace() == "" || o.GetKind() == "Pod") {
			now := int64(0)
			err = to.Delete(ctx, o.GetName(), metav1.DeleteOptions{GracePeriodSeconds: &now})
		}
		if err != nil && !apierrors.IsNotFound(err) && !meta.IsNoMatchError(err) {
			errs = append(errs, fmt.Errorf("clear %s %s: %w", o.GetKind(), o.GetName(), err))
		}
	}
	err := p.client.CoreV1().Namespaces().Delete(ctx, p.Namespace, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
