package pause

import (
	"context"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/watcher"
	"kstatus.dev/status"
)

// maxNamespaces is how many namespaces are watched one by one. More are watched together.
const maxNamespaces = 5

// namespaces returns the namespaces of the targets, sorted. Cluster-scoped targets have the empty
// one.
func (r *runner) namespaces() (all []string) {
	for _, p := range r.tracker.targets {
		all = append(all, p.Namespace)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// watch starts all watches. They end with ctx.
func (r *runner) watch(ctx context.Context) {
	namespaces := r.namespaces()
	clusterScoped := slices.Contains(namespaces, "")
	for _, k := range r.tracker.kinds {
		switch {
		case !k.Namespaced && !clusterScoped:
		case !k.Namespaced, clusterScoped, len(namespaces) > maxNamespaces:
			r.watchScope(ctx, k, "", namespaces)
		default:
			for _, namespace := range namespaces {
				r.watchScope(ctx, k, namespace, nil)
			}
		}
	}
	r.watchDefinitions(ctx)
}

// watchScope watches a kind in a namespace, or in all. If that is forbidden for all, it watches
// each of the instead ones.
func (r *runner) watchScope(ctx context.Context, k *kind, namespace string, instead []string) {
	s := &scope{}
	k.scopes[namespace] = s
	r.syncing++
	waiting := true // for the first watch; only the loop uses it
	synced := func() {
		if waiting {
			waiting = false
			r.syncing--
		}
	}
	note := func(line string) { r.post(func(time.Time) { r.note("%s", line) }) }
	w := &watcher.Watcher{
		Kind: k.GroupVersionKind, Name: k.String(), Namespace: namespace, Resource: r.client.Resource(k.Kind, namespace), MaxPause: lastRetry,
		Report: func(e watcher.Event) { r.see(k, s, e) },
		Connected: func(now bool) {
			r.post(func(at time.Time) {
				r.tracker.connect(s, now, at)
				if now {
					s.object = nil
					synced()
				}
			})
		},
	}
	if instead == nil || !k.Namespaced {
		w.Note = note
	}
	r.running.Go(func() {
		err := w.Run(ctx)
		if err == nil {
			return
		}
		r.post(func(time.Time) {
			delete(k.scopes, namespace)
			synced()
			if k.Namespaced && instead != nil {
				for _, one := range instead {
					if one != "" {
						r.watchScope(ctx, k, one, nil)
					}
				}
				return
			}
			k.scopes[namespace] = s
			s.object = r.scopeObject(k, namespace, ReasonForbidden, "cannot tell: "+facts.Text(err.Error()))
		})
	})
}

// see sends an event of a watch to the tracker.
func (r *runner) see(k *kind, s *scope, e watcher.Event) {
	if e.Type == watch.Error {
		if e.Restored {
			r.post(func(at time.Time) { r.tracker.restore(s, at) })
		}
		return // the list after the gap has the versions that count
	}
	u := e.Object
	id := management.IDOf(k.GroupKind(), u.GetNamespace(), u.GetName())
	change := change{kind: k, facts: facts.Of(u), deleted: e.Type == watch.Deleted, at: time.Now()}
	r.post(func(time.Time) { r.tracker.see(id, change) })
}

// watchDefinitions watches the annotations of definitions. Without the permission, those from the
// start count.
func (r *runner) watchDefinitions(ctx context.Context) {
	byName := map[string]*kind{}
	for _, k := range r.tracker.kinds {
		byName[k.Definition] = k
	}
	w := &watcher.Watcher{
		Kind: management.Definitions.GroupVersion().WithKind("CustomResourceDefinition"), Name: "customresourcedefinitions",
		Resource: watcher.Metadata{ResourceInterface: r.client.Metadata.Resource(management.Definitions)}, MaxPause: lastRetry,
		Report: func(e watcher.Event) {
			if e.Type != watch.Added && e.Type != watch.Modified {
				return
			}
			annotations := e.Object.GetAnnotations()
			if k := byName[e.Object.GetName()]; k != nil {
				r.post(func(time.Time) {
					_, k.blocksMove = annotations[management.BlockMoveAnnotation]
					k.blockMoveTimeout = facts.Timeout(annotations)
				})
			}
		},
	}
	r.running.Go(func() { _ = w.Run(ctx) }) // see above
}

// Mappings returns the mappings of the kinds that Pause and Unpause watch.
func Mappings(ctx context.Context, config *rest.Config) ([]*meta.RESTMapping, error) {
	client, err := management.NewClient(config)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	kinds, err := (&runner{client: client, called: time.Now(), options: Options{}.withDefaults()}).kinds(ctx)
	if err != nil {
		return nil, err
	}
	return management.Mappings(kinds), nil
}

// A version is the version of an object in a list.
type version struct {
	uid, version string
}

// verify lists the versions of all objects, if targets seem to be done. It returns when to try
// again.
func (r *runner) verify(ctx context.Context, now time.Time) (next time.Time) {
	if r.unpause || r.verifying {
		return next
	}
	needed := false
	for _, p := range r.tracker.targets {
		if p.verified || p.doneSince.IsZero() || p.failed || p.ignored {
			continue
		}
		at := sleep.Latest(p.doneSince.Add(settleTime), r.verifyAt)
		if now.Before(at) {
			next = sleep.Earliest(next, at)
			continue
		}
		needed = true
	}
	if !needed {
		return next
	}
	r.verifying = true
	type list struct {
		kind      *kind
		scope     *scope
		namespace string
	}
	var lists []list
	for _, k := range r.tracker.kinds {
		for namespace, s := range k.scopes {
			if s.object == nil {
				lists = append(lists, list{k, s, namespace})
			}
		}
	}
	r.running.Go(func() {
		found := map[status.ID]version{}
		errs := make([]error, len(lists))
		all := make([]map[status.ID]version, len(lists))
		crash.Each(len(lists), concurrency, func(i int) {
			all[i] = map[status.ID]version{}
			errs[i] = r.client.EachMetadata(ctx, lists[i].kind.GroupVersionResource(), lists[i].namespace, func(m *metav1.PartialObjectMetadata) {
				all[i][management.IDOf(lists[i].kind.GroupKind(), m.Namespace, m.Name)] = version{string(m.UID), m.ResourceVersion}
			})
		})
		for _, one := range all {
			maps.Copy(found, one)
		}
		r.post(func(now time.Time) {
			r.verifying, r.verifyAt = false, now.Add(verifyPause)
			complete := true
			for i, err := range errs {
				switch {
				case err == nil:
				case connection.IsRefused(err):
					lists[i].scope.object = r.scopeObject(lists[i].kind, lists[i].namespace, ReasonForbidden, "cannot tell: "+facts.Text(err.Error()))
				case ctx.Err() == nil:
					complete = false
					r.note("%s: %v; trying again", lists[i].kind, err)
				}
			}
			if complete {
				r.tracker.compare(found)
			}
		})
	})
	return next
}

// compare marks the targets all of whose objects have been judged in their latest versions.
func (t *tracker) compare(found map[status.ID]version) {
	behind := map[status.ID]bool{} // targets
	for _, o := range t.objects {
		if o.scope != nil && o.scope.object != nil {
			continue // its kind may no longer be read
		}
		v, ok := found[o.ID]
		if !ok || v.uid != string(o.UID) || v.version != o.ResourceVersion { // also if it is older: the server may have been restored
			for _, id := range o.Targets {
				behind[id] = true
			}
		}
	}
	unseen := map[string]bool{} // namespaces with objects that no watch has reported yet
	for id := range found {
		if t.objects[id] == nil {
			unseen[id.Namespace] = true
		}
	}
	for _, p := range t.targets {
		p.verified = !p.doneSince.IsZero() && !behind[p.ID] && !unseen[p.Namespace]
	}
}
