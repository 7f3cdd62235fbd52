package parts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/crash"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// maxReads is how many namespaces are read at the same time.
const maxReads = 8

// Read lists the Pods of workloads once, and reports the unready ones that count for them.
// Objects of kinds without Pods are ignored. It sends two lists per namespace, or one without
// Deployments. A third one is for events about workloads with too few Pods. A forbidden list is reported as in a watch; the error is about other failures.
func (tracker *Tracker) Read(ctx context.Context, objects map[observe.Target]*unstructured.Unstructured) error {
	places := map[string][]observe.Target{}
	for t, u := range objects {
		if _, ok := workloadKinds[t.Kind]; ok {
			places[u.GetNamespace()] = append(places[u.GetNamespace()], t)
		}
	}
	namespaces := slices.Sorted(maps.Keys(places))
	errs := make([]error, len(namespaces))
	crash.Each(len(namespaces), maxReads, func(i int) {
		pt := newPodTracker(tracker, namespaces[i])
		for _, t := range places[namespaces[i]] {
			pt.add(t, objects[t])
		}
		errs[i] = errors.Join(pt.watches.replicaSets.list(ctx), pt.watches.pods.list(ctx), pt.watches.events.list(ctx))
	})
	return errors.Join(errs...)
}

// Find reports the unready Pods among objects that count for workloads, and the refusals among Events,
// in place of lists.
func (tracker *Tracker) Find(workloads map[observe.Target]*unstructured.Unstructured, among []*unstructured.Unstructured) {
	places := map[string]*podTracker{}
	for t, u := range workloads {
		if HasPods(t.Kind) && u.GetUID() != "" {
			if places[u.GetNamespace()] == nil {
				places[u.GetNamespace()] = newPodTracker(tracker, u.GetNamespace())
			}
			places[u.GetNamespace()].add(t, u)
		}
	}
	for _, kind := range []status.Kind{replicaSetKind, podKind} { // as Read does
		for _, u := range among {
			if pt := places[u.GetNamespace()]; pt != nil && u.GetKind() == kind.Kind {
				(&partSink{watch: &partWatch{kind: kind, tracker: pt}}).See(u)
			}
		}
	}
	for _, u := range among {
		if pt := places[u.GetNamespace()]; pt != nil && u.GetKind() == eventKind.Kind {
			pt.eventSeen(u, true)
		}
	}
	for _, pt := range places {
		pt.retain(eventKind, nil)
	}
}

// add tracks a workload whose Pods are to be listed.
func (pt *podTracker) add(t observe.Target, u *unstructured.Unstructured) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	if pt.workloads[u.GetUID()] != nil {
		return
	}
	w := newWorkload(t, u)
	w.pending = true
	pt.workloads[w.uid], pt.uids[t] = w, w.uid
	pt.updateRevision(w, u)
}

// list lists the parts of this kind once.
func (pw *partWatch) list(ctx context.Context) error {
	pt := pw.tracker
	pt.mu.Lock()
	var workloads []*workload
	for _, w := range pt.workloads {
		if pw.isDueFor(w) {
			workloads = append(workloads, w)
		}
	}
	if len(workloads) > 0 {
		pw.selector = &selector{}
		if pw.kind != eventKind {
			pw.selector = selectorOf(workloads)
		}
	}
	pt.mu.Unlock()
	if len(workloads) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, client.ListTimeout)
	defer cancel()
	sink := &partSink{watch: pw, ctx: ctx, listed: map[string]bool{}}
	_, err := pt.tracker.Client.List(ctx, pw.scope(pw.selector), func(o metav1.Object) { sink.See(o) })
	switch {
	case connection.IsRefused(err):
		pw.reportDenied(ctx, err)
		return nil
	case err != nil:
		return fmt.Errorf("list %s in namespace %s: %w", pw.resource.GroupResource(), pt.namespace, err)
	case pw.kind == eventKind:
		pt.retain(pw.kind, sink.listed)
	}
	return nil
}

// scope returns the scope of the parts that a selector covers.
func (pw *partWatch) scope(c *selector) client.Scope {
	s := client.Scope{
		Mapping:       &meta.RESTMapping{Resource: pw.resource, GroupVersionKind: pw.resource.GroupVersion().WithKind(pw.kind.Kind), Scope: meta.RESTScopeNamespace},
		Namespace:     pw.tracker.namespace,
		LabelSelector: c.String(),
		MetadataOnly:  pw.kind == replicaSetKind, // revision and owner are in the metadata
	}
	if pw.kind == eventKind {
		s.FieldSelector = refusalEvents
	}
	return s
}

// HasPods reports whether objects of a kind have Pods that count for them.
func HasPods(kind status.Kind) bool {
	_, ok := workloadKinds[kind]
	return ok
}
