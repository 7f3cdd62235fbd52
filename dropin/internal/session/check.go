package session

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/kube/watcher"
)

const (
	checkTimeout = 10 * time.Second
	maxGets      = 5   // objects that a check reads by their names
	maxReads     = 3   // attempts to read an object that a list did not have
	pageSize     = 500 // of the list of a check
)

// isStale reports whether the server has versions that are not known.
func (k *kindWatch) isStale(ctx context.Context) bool {
	known, res := k.versions()
	if k.ids != nil && len(k.ids) <= maxGets && !k.s.selects() {
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()
		for _, id := range k.ids {
			u, err := k.resourceOf(res, id).Get(ctx, id.Name, metav1.GetOptions{})
			switch {
			case apierrors.IsNotFound(err):
				if _, exists := known[id]; exists {
					return true
				}
			case err == nil && differs(known, u), ctx.Err() != nil:
				return true
			}
		}
		return false
	}
	return k.listDiffers(ctx, known, res)
}

// versions returns the versions of the targets that exist.
func (k *kindWatch) versions() (map[object.ObjMetadata]string, dynamic.ResourceInterface) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := map[object.ObjMetadata]string{}
	for id, t := range k.targets {
		if t.exists {
			known[id] = t.version
		}
	}
	return known, k.res
}

func differs(known map[object.ObjMetadata]string, u *unstructured.Unstructured) bool {
	version, exists := known[object.UnstructuredToObjMetadata(u)]
	return !exists || !older(u.GetResourceVersion(), version, true)
}

// selects reports whether objects are targets only while they match selectors.
func (s *Session) selects() bool {
	return s.Options.LabelSelector != "" || s.Options.FieldSelector != ""
}

func (k *kindWatch) listDiffers(ctx context.Context, known map[object.ObjMetadata]string, res dynamic.ResourceInterface) bool {
	options := *k.s.Options.DeepCopy()
	options.Limit = pageSize
	found := 0
	for {
		limited, cancel := context.WithTimeout(ctx, checkTimeout)
		page, err := res.List(limited, options)
		late := limited.Err() != nil
		cancel()
		if err != nil {
			return late && options.Continue == "" // without a response, the watch may be dead too
		}
		for i := range page.Items {
			u := &page.Items[i]
			if !k.wants(u) {
				continue
			}
			if differs(known, u) {
				return true
			}
			found++
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return found < len(known)
		}
	}
}

// resourceOf returns the interface that reads one object of the scope.
func (k *kindWatch) resourceOf(res dynamic.ResourceInterface, id object.ObjMetadata) dynamic.ResourceInterface {
	if r, ok := res.(dynamic.NamespaceableResourceInterface); ok && id.Namespace != "" && k.place.Namespace == "" {
		return r.Namespace(id.Namespace)
	}
	return res
}

// confirm reads an object that a list did not have. If it cannot be read, the list decides, and so it
// does for an object that selectors may exclude.
func (k *kindWatch) confirm(ctx context.Context, id object.ObjMetadata) {
	if k.s.selects() {
		k.lose(id, nil)
		return
	}
	k.mu.Lock()
	res := k.res
	k.mu.Unlock()
	res = k.resourceOf(res, id)
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	var pause watcher.Pause
	for range maxReads {
		u, err := res.Get(ctx, id.Name, metav1.GetOptions{})
		if err == nil {
			if known, _ := k.versions(); differs(known, u) {
				k.update(id, u)
			}
			return
		}
		if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
			break
		}
		pause.Wait(ctx, time.Second)
	}
	if k.s.ctx.Err() == nil {
		k.lose(id, nil)
	}
}
