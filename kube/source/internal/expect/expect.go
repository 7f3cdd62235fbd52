// Package expect reads from a live cluster which status fields controllers write for objects of
// custom kinds. If such a field is missing, the controller has not reported yet.
//
// The schema of a kind is in its definition, which takes one small read. If the
// definition is forbidden or does not exist, as for an aggregated API, the schema is in
// an OpenAPI document. All users may read the document of a group and version. If the
// schema leaves a field open, a few other objects of the kind show what their controller
// writes. Only a [schema.Expectation] is kept.
//
// expect.go holds the expectations, read.go finds the sources, openapi.go reads
// documents, and peers.go reads other objects.
package expect

import (
	"maps"
	"strings"
	"sync"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A Kinds holds the expectations of custom kinds. Its Of is for [status.Evaluator.Expect]. The
// zero Kinds is empty. It is safe for concurrent use.
type Kinds struct {
	mu          sync.RWMutex                                  // guards the fields below
	known       map[status.Kind]map[string]schema.Expectation // by version
	peersByKind map[status.Kind]peers
	claims      map[status.Kind]int // the number of claims to read other objects of the kind
	documents   map[string]document // OpenAPI documents, by group and version
}

// AddDefinition reads the definition of a kind, which replaces what was known about the kind. A
// definition that cannot be read gives no expectations. It reports whether the object is a
// definition.
func (k *Kinds) AddDefinition(definition status.Object) bool {
	if !schema.IsCRD(definition.UnstructuredContent()) {
		return false
	}
	expect, err := schema.FromCRDs(definition.UnstructuredContent())
	if err != nil {
		return true
	}
	root := definition.UnstructuredContent()
	spec := decoded.Map(root, "spec")
	group, kind := decoded.Text(spec, "group"), decoded.Text(spec, "names", "kind")
	served := map[string]schema.Expectation{}
	for _, version := range versions(spec) {
		if e := expect(group+"/"+version, kind); e != (schema.Expectation{}) {
			served[version] = e
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[status.Kind]map[string]schema.Expectation{}
	}
	of := status.Kind{Group: group, Kind: kind}
	if !maps.Equal(k.known[of], served) {
		k.known[of] = served
		delete(k.peersByKind, of)
	}
	return true
}

// versions returns the versions that a definition names.
func versions(spec map[string]any) (names []string) {
	if only := decoded.Text(spec, "version"); only != "" { // apiextensions.k8s.io/v1beta1
		names = append(names, only)
	}
	for _, version := range decoded.Maps(spec, "versions") {
		if name := decoded.Text(version, "name"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// setExpectation records the expectation of a version of a kind from another source than its
// definition.
func (k *Kinds) setExpectation(kind status.Kind, version string, e schema.Expectation) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[status.Kind]map[string]schema.Expectation{}
	}
	if k.known[kind] == nil {
		k.known[kind] = map[string]schema.Expectation{}
	}
	k.known[kind][version] = e
}

// Reported reports whether a controller has written what its kind declares: a status, and the
// observed generation.
func (k *Kinds) Reported(obj status.Object) bool {
	root := obj.UnstructuredContent()
	e := k.Of(decoded.Text(root, "apiVersion"), decoded.Text(root, "kind"))
	switch {
	case e.Status == schema.TristateNo:
		return true
	case e.ObservedGeneration == schema.TristateYes && !isObservedGeneration(decoded.At(root, "status", "observedGeneration")):
		return false
	}
	return e.Subresource != schema.TristateYes || schema.StatusWritten(root) != schema.TristateNo
}

// maxPeersAge is how long the result from other objects is valid: a controller may have been
// installed since.
const maxPeersAge = 5 * time.Minute

// peers is what objects of a kind have reported, and when.
type peers struct {
	schema.Peers
	seen time.Time
}

// hasPeers reports whether the result from other objects of a kind is known and valid.
func (k *Kinds) hasPeers(kind status.Kind) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	known, ok := k.peersByKind[kind]
	return ok && time.Since(known.seen) < maxPeersAge
}

// setPeers records what objects of a kind report.
func (k *Kinds) setPeers(kind status.Kind, others schema.Peers) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.peersByKind == nil {
		k.peersByKind = map[status.Kind]peers{}
	}
	k.peersByKind[kind] = peers{others, time.Now()}
}

// Of returns the expectation for objects of a kind, the zero Expectation if the kind is not
// known.
func (k *Kinds) Of(apiVersion, kind string) schema.Expectation {
	group, version, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group, version = "", apiVersion
	}
	of := status.Kind{Group: group, Kind: kind}
	k.mu.RLock()
	defer k.mu.RUnlock()
	e := k.known[of][version]
	known, read := k.peersByKind[of]
	e.Peers = known.Peers
	e.Peers.Pending = !read && k.claims[of] > 0
	return e
}
