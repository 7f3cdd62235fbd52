package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A Ref is a reference of one object to another.
type Ref struct {
	Path     string   // of the field that makes it
	ID       ID       // without a Group: that of the only kind of that name, or the core group
	Optional bool     // it may be missing
	Anyway   bool     // it matters even while it is Current, which says little of it: a Service may have nobody behind it
	stays    bool     // it matters to the deletion of the object, although it is not being deleted itself
	by       Evidence // what says so, where no field does
	Guessed  bool     // only the shape of the field says that it is one; that it is missing counts where a message names it
}

// References returns what an object refers to, as far as it may tell why the
// object is not there.
func References(id ID, obj status.Map) []Ref {
	n := &node{Thing: &Thing{ID: id, Object: obj}}
	n.fields = fields{m: obj, node: n}
	return n.references()
}

// What the objects of a kind refer to.
var refsOf = map[status.Kind]func(*node) []Ref{
	pod: podRefs,

	ingress:            ingressRefs,
	autoscaler:         autoscalerRefs,
	apiService:         apiServiceRefs,
	crd:                webhookRefs,
	validatingWebhooks: webhookRefs,
	mutatingWebhooks:   webhookRefs,

	{Group: gatewayGroup, Kind: "Gateway"}:   gatewayRefs,
	{Group: gatewayGroup, Kind: "HTTPRoute"}: routeRefs,
	{Group: gatewayGroup, Kind: "GRPCRoute"}: routeRefs,
	{Group: gatewayGroup, Kind: "TLSRoute"}:  routeRefs,
	{Group: gatewayGroup, Kind: "TCPRoute"}:  routeRefs,
	{Group: gatewayGroup, Kind: "UDPRoute"}:  routeRefs,
}

// mostRefs is how many references of one object are followed.
const mostRefs = 20

// references returns what an object refers to, each once, the first that say so:
// what its kind is known to refer to, or else what its fields look like, and who
// works on it.
func (n *node) references() []Ref {
	var all []Ref
	switch {
	case n.Result.Status == status.TerminatingStatus:
		all = n.endingRefs()
	case n.Object == nil && n.Result.Reason == "NoMatch":
		if def := n.definition(); def.Name != "" {
			all = []Ref{{ID: def, Optional: true}}
		}
	case n.Object == nil:
		all = n.namespaceRef()
	default:
		all = slices.Concat(n.usualRefs(), n.controllerRefs(), saidRefs(n))
	}
	seen := map[ID]bool{n.ID: true}
	all = slices.DeleteFunc(all, func(r Ref) bool {
		was := seen[r.ID]
		seen[r.ID] = true
		return was
	})
	return all[:min(len(all), mostRefs)]
}

// usualRefs are what the fields of an object refer to.
func (n *node) usualRefs() []Ref {
	if of := refsOf[n.ID.GroupKind()]; of != nil {
		return of(n)
	}
	return nil
}

// podRefs are the ConfigMaps, Secrets, claims and the ServiceAccount of a Pod.
func podRefs(n *node) (all []Ref) {
	add := func(f fields, path, kind string, name string) {
		if name != "" {
			id := ID{n.ID.Cluster, "", kind, n.ID.Namespace, name}
			all = append(all, Ref{Path: f.path + path, ID: id, Optional: f.is("optional")})
		}
	}
	for v := range n.each("spec.volumes") {
		add(v.under("secret"), "secretName", "Secret", v.text("secret.secretName"))
		add(v.under("configMap"), "name", "ConfigMap", v.text("configMap.name"))
		add(v.under("persistentVolumeClaim"), "claimName", "PersistentVolumeClaim", v.text("persistentVolumeClaim.claimName"))
	}
	for _, list := range containerLists {
		for c := range n.each(list.spec) {
			for from := range c.each("envFrom") {
				add(from.under("secretRef"), "name", "Secret", from.text("secretRef.name"))
				add(from.under("configMapRef"), "name", "ConfigMap", from.text("configMapRef.name"))
			}
			for env := range c.each("env") {
				add(env.under("valueFrom.secretKeyRef"), "name", "Secret", env.text("valueFrom.secretKeyRef.name"))
				add(env.under("valueFrom.configMapKeyRef"), "name", "ConfigMap", env.text("valueFrom.configMapKeyRef.name"))
			}
		}
	}
	return all
}
