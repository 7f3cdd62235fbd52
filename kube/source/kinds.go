package source

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/status"
)

// How often the cluster is asked anew which kinds it serves.
const rediscovery = 500 * time.Millisecond

// A kinds finds out how a kind is served.
type kinds struct {
	mu     sync.Mutex // guards what follows, so that one look at a time is taken
	mapper meta.RESTMapper
	asked  time.Time
}

// find returns how a kind is served. A kind that is not known is looked up
// once more after the cluster has been asked anew.
func (k *kinds) find(kind status.Kind) (*meta.RESTMapping, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	gk := schema.GroupKind{Group: kind.Group, Kind: kind.Kind}
	mapping, err := k.mapper.RESTMapping(gk)
	if !meta.IsNoMatchError(err) || time.Since(k.asked) < rediscovery {
		return mapping, err
	}
	k.reset()
	return k.mapper.RESTMapping(gk)
}

// forget makes the next look ask the cluster anew.
func (k *kinds) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if time.Since(k.asked) >= rediscovery {
		k.reset()
	}
}

func (k *kinds) reset() {
	meta.MaybeResetRESTMapper(k.mapper)
	k.asked = time.Now()
}
