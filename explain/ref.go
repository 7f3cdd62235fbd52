package explain

import (
	"slices"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// An objectRef is a reference of one object to another.
type objectRef struct {
	Path           string    // of the field that makes it
	ID             ID        // without a Group: that of the only kind of that name, or the core group
	Optional       bool      // it may be missing
	Anyway         bool      // it matters even while it is Current, which says little of it: a Service may have nobody behind it
	isAside        bool      // what is wrong with it does not matter, only its fields do
	Guessed        bool      // only the shape of the field says that it is one; that it is missing counts where a message names it
	reportedBy     *Evidence // what names it, where no field does
	blocksDeletion bool      // it matters to the deletion of the object, although it is not being deleted itself
}

// What the objects of a kind refer to.
var refsOf = map[status.Kind]func(*object) []objectRef{
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

// maxRefs is how many references of one object are followed.
const maxRefs = 20

// references returns what an object refers to, each once: what its kind is known
// to refer to, or else what its fields look like, who works on it, and what is
// said to stand in its way. Of too many those count that messages name.
func (o *object) references() []objectRef {
	if !o.refsFound {
		o.refs, o.refsFound = o.findReferences(), true
	}
	return o.refs
}

func (o *object) findReferences() []objectRef {
	var all []objectRef
	switch {
	case o.Result.Status == status.TerminatingStatus:
		all = o.deletionRefs()
	case o.Object == nil && o.Result.Reason == "NoMatch":
		if def := o.definition(); def.Name != "" {
			all = []objectRef{{ID: def, Optional: true}}
		}
	case o.Object == nil:
		all = o.namespaceRef()
	default:
		all = slices.Concat(o.fieldRefs(), o.controllerRefs(), statementRefs(o))
	}
	seen := map[ID]bool{o.ID: true}
	all = slices.DeleteFunc(all, func(r objectRef) bool {
		was := seen[r.ID]
		seen[r.ID] = true
		return was
	})
	if len(all) > maxRefs {
		slices.SortStableFunc(all, func(a, b objectRef) int { return rank(o.mentions(a.ID)) - rank(o.mentions(b.ID)) })
	}
	o.unfollowed = max(0, len(all)-maxRefs)
	return all[:min(len(all), maxRefs)]
}

// fieldRefs are what the fields of an object refer to.
func (o *object) fieldRefs() []objectRef {
	if of := refsOf[o.ID.GroupKind()]; of != nil {
		return of(o)
	}
	return customRefs(o)
}

// genericRefs are the references that the fields of an object look like.
func genericRefs(o *object) (all []objectRef) {
	for _, r := range reference.Find(o.section.Section, o.ID.Group, o.ID.Namespace, 2*maxRefs) {
		id := ID{o.ID.Cluster, r.Group, r.Kind, r.Namespace, r.Name}
		all = append(all, objectRef{Path: r.Path, ID: id, Optional: r.Optional, Guessed: r.Guessed})
	}
	return all
}
