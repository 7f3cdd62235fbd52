package wait

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

var (
	serviceKind = status.Kind{Kind: "Service"}
	ingressKind = status.Kind{Group: "networking.k8s.io", Kind: "Ingress"}

	services       = schema.GroupVersionResource{Version: "v1", Resource: "services"}
	endpointSlices = schema.GroupVersionResource{Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"}
	ingresses      = schema.GroupVersionResource{Group: "networking.k8s.io", Version: "v1", Resource: "ingresses"}
	ingressClasses = schema.GroupVersionResource{Group: "networking.k8s.io", Version: "v1", Resource: "ingressclasses"}
)

// reservations returns the updates on Services and Ingresses that are Current although nothing
// serves them, each with a warning that says so. Where there is no such kind on the board it
// makes no request. Otherwise it lists the EndpointSlices of each namespace with Services; and
// IngressClasses once, and the Services of each namespace with Ingresses. It gets each Ingress
// by its name, or lists them if they are many.
// What cannot be read gives no warning.
func (w *command) reservations(ctx context.Context, clusters []*connection.Cluster, board *observe.Board) (reserved []observe.Update) {
	if w.explaining.mode == "none" {
		return nil
	}
	ctx, done := context.WithTimeoutCause(ctx, explainBudget, errExplainBudget)
	defer done()
	for _, c := range clusters {
		names := map[status.Kind]map[string][]string{serviceKind: {}, ingressKind: {}} // by namespace
		var here []observe.Update
		for _, u := range board.Updates() {
			t := u.Target
			isOpen := t.Kind == ingressKind || t.Kind == serviceKind && !w.verdicts.endpoints
			if t.Cluster != c.Name || !isOpen || t.IsSelection() || u.Result.Status != status.CurrentStatus || u.Progress != observe.ProgressReached {
				continue
			}
			here = append(here, u)
			names[t.Kind][t.Namespace] = append(names[t.Kind][t.Namespace], t.Name)
		}
		if len(here) == 0 {
			continue
		}
		c.Requests.UseContext(ctx)
		r := reserver{ctx: ctx, objects: c.Client.Interfaces().Dynamic, found: map[observe.Target]string{}, cluster: c.Name}
		for namespace := range names[serviceKind] {
			r.readServices(namespace)
		}
		r.readIngresses(names[ingressKind])
		for _, u := range here {
			if why := r.found[u.Target]; why != "" {
				u.Result.Warnings = append(slices.Clip(u.Result.Warnings), waitview.Reservation+redact.Text(why))
				reserved = append(reserved, u)
			}
		}
	}
	return reserved
}

// A reserver finds out which Services and Ingresses of a cluster nothing serves.
type reserver struct {
	ctx     context.Context
	objects dynamic.Interface
	cluster string
	found   map[observe.Target]string // why
}

// list returns the objects of a namespace, or those without one. known is false if they cannot
// be listed.
func (r *reserver) list(resource schema.GroupVersionResource, namespace string) (all []unstructured.Unstructured, known bool) {
	var from dynamic.ResourceInterface = r.objects.Resource(resource)
	if namespace != "" {
		from = r.objects.Resource(resource).Namespace(namespace)
	}
	list, err := from.List(r.ctx, metav1.ListOptions{})
	if err != nil {
		return nil, false
	}
	return list.Items, true
}

// readServices finds the Services of a namespace without a ready endpoint. Kubernetes keeps
// EndpointSlices of Services with a selector only; slices of others are passed over.
func (r *reserver) readServices(namespace string) {
	all, _ := r.list(endpointSlices, namespace)
	ready := map[string]bool{}
	for i := range all {
		s := &all[i]
		if name := s.GetLabels()["kubernetes.io/service-name"]; name != "" && s.GetLabels()["endpointslice.kubernetes.io/managed-by"] == "endpointslice-controller.k8s.io" {
			ready[name] = ready[name] || hasReadyEndpoint(s)
		}
	}
	for name, is := range ready {
		if !is {
			r.found[observe.Target{Kind: serviceKind, Namespace: namespace, Name: name, Cluster: r.cluster}] = "no endpoint behind it is ready"
		}
	}
}

// hasReadyEndpoint reports whether an endpoint of an EndpointSlice is ready. One that does not
// say is ready.
func hasReadyEndpoint(slice *unstructured.Unstructured) bool {
	endpoints, _, _ := unstructured.NestedSlice(slice.Object, "endpoints")
	return slices.ContainsFunc(endpoints, func(e any) bool {
		endpoint, _ := e.(map[string]any)
		ready, told, _ := unstructured.NestedBool(endpoint, "conditions", "ready")
		return ready || !told
	})
}

// manyIngresses is from how many on the Ingresses of a namespace are listed.
const manyIngresses = 20

// ingresses returns the Ingresses of a namespace with these names. They are got one by one
// where the list may not be permitted: a wait for few objects needs only these.
func (r *reserver) ingresses(namespace string, names []string) (all []unstructured.Unstructured) {
	if len(names) >= manyIngresses {
		all, _ = r.list(ingresses, namespace)
		return all
	}
	for _, name := range names {
		if one, err := r.objects.Resource(ingresses).Namespace(namespace).Get(r.ctx, name, metav1.GetOptions{}); err == nil {
			all = append(all, *one)
		}
	}
	return all
}

// readIngresses finds the Ingresses that no class serves, or whose Services do not exist, given
// their names by namespace.
func (r *reserver) readIngresses(names map[string][]string) {
	if len(names) == 0 {
		return
	}
	classes, classesKnown := r.list(ingressClasses, "")
	for namespace, names := range names {
		all := r.ingresses(namespace, names)
		behind, servicesKnown := r.list(services, namespace)
		for i := range all {
			why := ""
			if classesKnown {
				why = missingClass(&all[i], classes)
			}
			if why == "" && servicesKnown {
				why = missingBackend(&all[i], behind)
			}
			r.found[observe.Target{Kind: ingressKind, Namespace: namespace, Name: all[i].GetName(), Cluster: r.cluster}] = why
		}
	}
}

// missingClass says which IngressClass an Ingress lacks; empty if it lacks none. An Ingress
// with an address is served by somebody, and so may be one with the annotation that is older
// than classes.
func missingClass(ingress *unstructured.Unstructured, classes []unstructured.Unstructured) string {
	addresses, _, _ := unstructured.NestedSlice(ingress.Object, "status", "loadBalancer", "ingress")
	if len(addresses) > 0 || ingress.GetAnnotations()["kubernetes.io/ingress.class"] != "" {
		return ""
	}
	class, _, _ := unstructured.NestedString(ingress.Object, "spec", "ingressClassName")
	serves := func(c unstructured.Unstructured) bool {
		return c.GetName() == class || class == "" && c.GetAnnotations()["ingressclass.kubernetes.io/is-default-class"] == "true"
	}
	switch {
	case slices.ContainsFunc(classes, serves):
		return ""
	case class == "":
		return "it names no IngressClass, and none is the default"
	}
	return "IngressClass " + class + " does not exist"
}

// missingBackend says which Service behind an Ingress does not exist, empty if all do.
func missingBackend(ingress *unstructured.Unstructured, services []unstructured.Unstructured) string {
	name, _, _ := unstructured.NestedString(ingress.Object, "spec", "defaultBackend", "service", "name")
	names := []string{name}
	rules, _, _ := unstructured.NestedSlice(ingress.Object, "spec", "rules")
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		paths, _, _ := unstructured.NestedSlice(rule, "http", "paths")
		for _, p := range paths {
			path, _ := p.(map[string]any)
			name, _, _ := unstructured.NestedString(path, "backend", "service", "name")
			names = append(names, name)
		}
	}
	for _, name := range names {
		if name != "" && !slices.ContainsFunc(services, func(s unstructured.Unstructured) bool { return s.GetName() == name }) {
			return "Service " + name + ", a backend of it, does not exist"
		}
	}
	return ""
}
