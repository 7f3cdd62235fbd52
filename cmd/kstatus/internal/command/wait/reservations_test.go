package wait

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// item returns an object of namespace shop, or of none for an IngressClass.
func item(apiVersion, kind, name string, more map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind}}
	for field, v := range more {
		u.Object[field] = v
	}
	u.SetName(name)
	if kind != "IngressClass" {
		u.SetNamespace("shop")
	}
	return u
}

// endpoints returns an EndpointSlice of a Service with one endpoint, if any.
func endpoints(service, by string, ready ...bool) *unstructured.Unstructured {
	var all []any
	for _, is := range ready {
		all = append(all, map[string]any{"conditions": map[string]any{"ready": is}})
	}
	u := item("discovery.k8s.io/v1", "EndpointSlice", service+"-1", map[string]any{"endpoints": all})
	u.SetLabels(map[string]string{"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": by})
	return u
}

// ingress returns an Ingress of a class with a Service behind it.
func ingress(name, class, service string) *unstructured.Unstructured {
	backend := map[string]any{"service": map[string]any{"name": service}}
	rule := map[string]any{"http": map[string]any{"paths": []any{map[string]any{"backend": backend}}}}
	spec := map[string]any{"rules": []any{rule}}
	if class != "" {
		spec["ingressClassName"] = class
	}
	return item("networking.k8s.io/v1", "Ingress", name, map[string]any{"spec": spec})
}

func TestReservations(t *testing.T) {
	const controller = "endpointslice-controller.k8s.io"
	class := item("networking.k8s.io/v1", "IngressClass", "nginx", nil)
	standard := item("networking.k8s.io/v1", "IngressClass", "standard", nil)
	standard.SetAnnotations(map[string]string{"ingressclass.kubernetes.io/is-default-class": "true"})
	served := item("v1", "Service", "web", nil)
	addressed := ingress("a", "nope", "web")
	addressed.Object["status"] = map[string]any{"loadBalancer": map[string]any{"ingress": []any{map[string]any{"ip": "1.2.3.4"}}}}
	for _, c := range []struct {
		name    string
		objects []runtime.Object
		of      status.Kind
		target  string
		want    string
	}{
		{"a Service without endpoints", []runtime.Object{endpoints("web", controller)}, serviceKind, "web", "no endpoint behind it is ready"},
		{"a Service whose endpoint is not ready", []runtime.Object{endpoints("web", controller, false)}, serviceKind, "web", "no endpoint behind it is ready"},
		{"a Service with a ready endpoint", []runtime.Object{endpoints("web", controller, false, true)}, serviceKind, "web", ""},
		{"a Service whose endpoints are written by somebody else", []runtime.Object{endpoints("web", "me")}, serviceKind, "web", ""},
		{"an Ingress whose class does not exist", []runtime.Object{ingress("a", "nope", "web"), class, served}, ingressKind, "a", "IngressClass nope does not exist"},
		{"an Ingress without a class and without a default", []runtime.Object{ingress("a", "", "web"), class, served}, ingressKind, "a", "it names no IngressClass, and none is the default"},
		{"an Ingress of the default class", []runtime.Object{ingress("a", "", "web"), standard, served}, ingressKind, "a", ""},
		{"an Ingress with an address", []runtime.Object{addressed, served}, ingressKind, "a", ""},
		{"an Ingress whose Service does not exist", []runtime.Object{ingress("a", "nginx", "gone"), class, served}, ingressKind, "a", "Service gone, a backend of it, does not exist"},
		{"an Ingress that is served", []runtime.Object{ingress("a", "nginx", "web"), class, served}, ingressKind, "a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			lists := map[schema.GroupVersionResource]string{
				services: "ServiceList", endpointSlices: "EndpointSliceList", ingresses: "IngressList", ingressClasses: "IngressClassList",
			}
			r := reserver{ctx: t.Context(), objects: fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), lists, c.objects...), found: map[observe.Target]string{}}
			if c.of == serviceKind {
				r.readServices("shop")
			} else {
				r.readIngresses(map[string][]string{"shop": {c.target}})
			}
			if have := r.found[observe.Target{Kind: c.of, Namespace: "shop", Name: c.target}]; have != c.want {
				t.Errorf("have %q, want %q", have, c.want)
			}
		})
	}
}
