// Package expect learns from a live cluster what controllers are to report on
// objects of custom kinds: whether a field that is missing is still to come.
//
// The schema of a kind is in its definition, one small read. Where you may not read
// that, or where none exists as with an aggregated API, it is in the OpenAPI
// document of its group and version, which everybody may read. Where the schema
// leaves it open, a few other objects of the kind show what their controller
// does. Of all that only a [schema.Expectation] is kept.
//
// expect.go holds what is known, read.go where it comes from; openapi.go reads
// documents, others.go other objects.
package expect

import (
	"maps"
	"strings"
	"sync"
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A Kinds is what is known of custom kinds. Its Of is for
// [status.Evaluator.Expect]. The zero Kinds know nothing. It may be used by
// several goroutines.
type Kinds struct {
	mu        sync.RWMutex                                  // guards what follows
	known     map[status.Kind]map[string]schema.Expectation // by version
	others    map[status.Kind]peers
	documents map[string]document // OpenAPI documents, by group and version
}

// Learn reads the definition of a kind, which replaces what was known of the
// kind. One that cannot be read promises nothing. It reports whether it is one.
func (k *Kinds) Learn(definition status.Object) bool {
	if !schema.IsCRD(definition.UnstructuredContent()) {
		return false
	}
	expect, err := schema.FromCRDs(definition.UnstructuredContent())
	if err != nil {
		return true
	}
	root := definition.UnstructuredContent()
	spec, _ := root["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	group, _ := spec["group"].(string)
	kind, _ := names["kind"].(string)
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
		delete(k.others, of)
	}
	return true
}

// versions returns the versions that a definition names.
func versions(spec map[string]any) (names []string) {
	if only, _ := spec["version"].(string); only != "" { // apiextensions.k8s.io/v1beta1
		names = append(names, only)
	}
	list, _ := spec["versions"].([]any)
	for _, item := range list {
		version, _ := item.(map[string]any)
		if name, _ := version["name"].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// setExpectation takes note of what a version of a kind promises, as other sources than
// its definition have it.
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

// Reported reports whether a controller has reported on an object what its kind
// promises: anything at all, and which generation it has observed.
func (k *Kinds) Reported(obj status.Object) bool {
	root := obj.UnstructuredContent()
	version, _ := root["apiVersion"].(string)
	kind, _ := root["kind"].(string)
	state, _ := root["status"].(map[string]any)
	e := k.Of(version, kind)
	switch {
	case e.Status == schema.TristateNo:
		return true
	case e.ObservedGeneration == schema.TristateYes && !isObservedGeneration(state["observedGeneration"]):
		return false
	}
	return e.Subresource != schema.TristateYes || schema.StatusWritten(root) != schema.TristateNo
}

// maxPeersAge is for how long what other objects show is taken for known: a controller may
// have been installed since.
const maxPeersAge = 5 * time.Minute

// peers is what objects of a kind have shown, and when.
type peers struct {
	schema.Peers
	seen time.Time
}

// hasPeers reports whether it is known what objects of a kind show.
func (k *Kinds) hasPeers(kind status.Kind) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	known, ok := k.others[kind]
	return ok && time.Since(known.seen) < maxPeersAge
}

// setPeers takes note of what objects of a kind show.
func (k *Kinds) setPeers(kind status.Kind, others schema.Peers) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.others == nil {
		k.others = map[status.Kind]peers{}
	}
	k.others[kind] = peers{others, time.Now()}
}

// Of returns what is to be expected of objects of a kind, the zero Expectation
// if nothing is known of it.
func (k *Kinds) Of(apiVersion, kind string) schema.Expectation {
	group, version, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group, version = "", apiVersion
	}
	of := status.Kind{Group: group, Kind: kind}
	k.mu.RLock()
	defer k.mu.RUnlock()
	e := k.known[of][version]
	e.Peers = k.others[of].Peers
	return e
}
