package explain

import (
	"slices"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// A Ref is a reference of one object to another.
type Ref struct {
	Path     string    // of the field that makes it
	ID       ID        // without a Group: that of the only kind of that name, or the core group
	Optional bool      // it may be missing
	Anyway   bool      // it matters even while it is Current, which says little of it: a Service may have nobody behind it
	Guessed  bool      // only the shape of the field says that it is one; that it is missing counts where a message names it
	said     *Evidence // what names it, where no field does
	stays    bool      // it matters to the deletion of the object, although it is not being deleted itself
}

// References returns what an object refers to, as far as it may tell why the
// object is not there.
func References(id ID, obj status.Map) []Ref {
	n := &node{Thing: &Thing{ID: id, Object: obj}}
	n.section = section{fields.Section{Map: obj}, n}
	return n.references()
}

// What the objects of a kind refer to.
var refsOf = map[status.Kind]func(*node) []Ref{
	pod:         podRefs,
	claim:       claimRefs,
	replicaSet:  createRefs,
	deployment:  createRefs,
	statefulSet: createRefs,
	daemonSet:   createRefs,
	controller:  createRefs,
	job:         createRefs,
	cronJob:     createRefs,

	ingress:            ingressRefs,
	autoscaler:         autoscalerRefs,
	apiService:         apiServiceRefs,
	crd:                webhookRefs,
	validatingWebhooks: webhookRefs,
	mutatingWebhooks:   webhookRefs,

	kustomization: fluxRefs,
	helmRelease:   fluxRefs,
	helmChart:     fluxRefs,
	{Group: fluxSources, Kind: "GitRepository"}:  fluxRefs,
	{Group: fluxSources, Kind: "OCIRepository"}:  fluxRefs,
	{Group: fluxSources, Kind: "HelmRepository"}: fluxRefs,
	{Group: fluxSources, Kind: "Bucket"}:         fluxRefs,

	snapshot:           snapshotRefs,
	capiCluster:        clusterRefs,
	application:        argoRefs,
	certificate:        issuerRefs,
	certificateRequest: issuerRefs,
	order:              issuerRefs,
	challenge:          issuerRefs,
	issuer:             authorityRefs,
	externalSecret:     storeRefs,

	{Group: gatewayGroup, Kind: "Gateway"}:   gatewayRefs,
	{Group: gatewayGroup, Kind: "HTTPRoute"}: routeRefs,
	{Group: gatewayGroup, Kind: "GRPCRoute"}: routeRefs,
	{Group: gatewayGroup, Kind: "TLSRoute"}:  routeRefs,
	{Group: gatewayGroup, Kind: "TCPRoute"}:  routeRefs,
	{Group: gatewayGroup, Kind: "UDPRoute"}:  routeRefs,
}

// mostRefs is how many references of one object are followed.
const mostRefs = 20

// references returns what an object refers to, each once: what its kind is known
// to refer to, or else what its fields look like, who works on it, and what is
// said to stand in its way. Of too many those count that messages name.
func (n *node) references() []Ref {
	if !n.looked {
		n.refs, n.looked = n.lookForReferences(), true
	}
	return n.refs
}

func (n *node) lookForReferences() []Ref {
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
	if len(all) > mostRefs {
		slices.SortStableFunc(all, func(a, b Ref) int { return rank(n.names(a.ID)) - rank(n.names(b.ID)) })
	}
	n.unfollowed = max(0, len(all)-mostRefs)
	return all[:min(len(all), mostRefs)]
}

// usualRefs are what the fields of an object refer to.
func (n *node) usualRefs() []Ref {
	if of := refsOf[n.ID.GroupKind()]; of != nil {
		return of(n)
	}
	return customRefs(n)
}

// shapedRefs are the references that the fields of an object look like.
func shapedRefs(n *node) (all []Ref) {
	for _, r := range reference.Find(n.section.Section, n.ID.Group, n.ID.Namespace, 2*mostRefs) {
		id := ID{n.ID.Cluster, r.Group, r.Kind, r.Namespace, r.Name}
		all = append(all, Ref{Path: r.Path, ID: id, Optional: r.Optional, Guessed: r.Guessed})
	}
	return all
}
