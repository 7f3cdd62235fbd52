package source

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

var (
	claimKind            = status.Kind{Kind: "PersistentVolumeClaim"}
	storageClassResource = schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}
)

// A storageClassLoader loads the StorageClasses before the first claim is reported: they decide
// whether an unbound claim waits for a Pod by design.
type storageClassLoader struct {
	maxAge time.Duration // after which they are loaded again, unless that was refused; 0: never

	turn  turn.Turn // owns the fields below
	done  bool
	until time.Time // when they are loaded again; zero: never
	tried time.Time // time of the first load
}

// load loads the StorageClasses. If that is forbidden, it is no error.
func (c *storageClassLoader) load(ctx context.Context, objects dynamic.Interface, add func(status.Object)) error {
	end, err := c.turn.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	if c.done && (c.until.IsZero() || time.Now().Before(c.until)) {
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
		if c.maxAge > 0 {
			c.until = time.Now().Add(c.maxAge)
		}
	case apierrors.IsNotFound(err), connection.IsRefused(err):
		c.until = time.Time{}
	case apierrors.IsUnauthorized(err), time.Since(c.tried) < schemaTimeout:
		return fmt.Errorf("read the StorageClasses: %w", err)
	}
	c.done = true
	return nil
}
