package source

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/status"
)

var (
	claimKind            = status.Kind{Kind: "PersistentVolumeClaim"}
	storageClassResource = schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}
)

// A storageClassLoader loads the StorageClasses once, before the first claim is reported: they
// decide whether an unbound claim waits for a Pod by design.
type storageClassLoader struct {
	mu    sync.Mutex // guards the fields below, and is held during the load, so that other callers wait
	done  bool
	tried time.Time // time of the first load
}

// load loads the StorageClasses. If that is forbidden, it is no error.
func (c *storageClassLoader) load(ctx context.Context, objects dynamic.Interface, add func(status.Object)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return nil
	}
	if c.tried.IsZero() {
		c.tried = time.Now()
	}
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	all, err := objects.Resource(storageClassResource).List(limited, metav1.ListOptions{})
	switch {
	case err == nil:
		for i := range all.Items {
			add(&all.Items[i])
		}
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err):
	case apierrors.IsUnauthorized(err), time.Since(c.tried) < schemaTimeout:
		return fmt.Errorf("read the StorageClasses: %w", err)
	}
	c.done = true
	return nil
}
