package witness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"kstatus.dev/status"
)

// The memory is limited to the latest versions of each object. It keeps those of deleted objects
// for some time, so that late updates can still be checked. It keeps forever that an object was
// deleted.
const (
	versionsKept = 150
	goneKept     = 3 * time.Minute
)

// A History contains the writes to etcd about the objects of some kinds.
type History struct {
	url       string
	evaluator status.Evaluator
	prefixes  []string

	mu      sync.Mutex // guards the fields below
	lives   map[string]*objectHistory
	current map[string]string // key in etcd → UID of its object
	writes  int
}

// An objectHistory is the history of one object, from its creation on.
type objectHistory struct {
	versions []Version // the oldest first
	ended    time.Time // when its deletion was seen; zero while it exists
}

// NewHistory returns an empty History of the objects whose keys in etcd have one of the
// prefixes, such as /registry/configmaps/shop/.
func NewHistory(etcdURL string, evaluator status.Evaluator, prefixes ...string) *History {
	return &History{url: etcdURL, evaluator: evaluator, prefixes: prefixes, lives: map[string]*objectHistory{}, current: map[string]string{}}
}

// Write maintains the history from an etcd revision on, until ctx ends. etcd may be
// unavailable in between. Write fails if etcd has compacted unread revisions.
func (c *History) Write(ctx context.Context, from int64) error {
	for ctx.Err() == nil {
		err := c.follow(ctx, &from)
		if errors.Is(err, errWatchLost) || errors.Is(err, errUnreadable) {
			return fmt.Errorf("the history from revision %d on: %w", from, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond): // etcd is unavailable
		}
	}
	return nil
}

var (
	errWatchLost  = errors.New("etcd has forgotten what was not read yet")
	errUnreadable = errors.New("what etcd holds cannot be read")
)

// An answer is a message of etcd's watch.
type answer struct {
	Result struct {
		Events []struct {
			Type string `json:"type"` // empty for a write
			KV   struct {
				Key      []byte `json:"key"`
				Value    []byte `json:"value"`
				Revision string `json:"mod_revision"`
			} `json:"kv"`
		} `json:"events"`
		Compacted string `json:"compact_revision"`
		Canceled  bool   `json:"canceled"`
	} `json:"result"`
}

// follow reads until etcd becomes unavailable, and advances from to the next revision. It reads
// all writes, so it is never far behind.
func (c *History) follow(ctx context.Context, from *int64) error {
	question, err := json.Marshal(map[string]any{"create_request": map[string]any{
		"key": []byte("/registry/"), "range_end": []byte("/registry0"), "start_revision": *from,
	}})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/v3/watch", bytes.NewReader(question))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	stream := json.NewDecoder(resp.Body)
	for {
		var a answer
		if err := stream.Decode(&a); err != nil {
			return err
		}
		if a.Result.Compacted != "" && a.Result.Compacted != "0" {
			return errWatchLost
		}
		if a.Result.Canceled {
			return io.EOF
		}
		for _, e := range a.Result.Events {
			revision, err := strconv.ParseInt(e.KV.Revision, 10, 64)
			if err != nil {
				return fmt.Errorf("%w: revision %q", errUnreadable, e.KV.Revision)
			}
			if err := c.note(string(e.KV.Key), e.KV.Value, revision, e.Type == "DELETE"); err != nil {
				return fmt.Errorf("%w: %s: %w", errUnreadable, e.KV.Key, err)
			}
			*from = revision + 1
		}
	}
}

// note records one write.
func (c *History) note(key string, value []byte, revision int64, gone bool) error {
	if !slices.ContainsFunc(c.prefixes, func(p string) bool { return strings.HasPrefix(key, p) }) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	c.forget()
	if gone {
		if l := c.lives[c.current[key]]; l != nil {
			l.ended = time.Now()
		}
		delete(c.current, key)
		return nil
	}
	obj, err := decoded(value)
	if err != nil {
		return err
	}
	obj.SetResourceVersion(strconv.FormatInt(revision, 10))
	v, err := judged(obj, c.evaluator)
	if err != nil {
		return err
	}
	l := c.lives[v.UID]
	if l == nil {
		l = &objectHistory{}
		c.lives[v.UID] = l
	}
	if len(l.versions) == versionsKept {
		l.versions = append(l.versions[:0], l.versions[versionsKept/4:]...)
	}
	l.versions = append(l.versions, v)
	c.current[key] = v.UID
	return nil
}

// forget removes old versions of deleted objects, at intervals. The caller holds the lock.
func (c *History) forget() {
	if c.writes%500 != 0 {
		return
	}
	for _, l := range c.lives {
		if !l.ended.IsZero() && time.Since(l.ended) > goneKept {
			l.versions = nil
		}
	}
}

// decoded reads an object as the API server stores it.
func decoded(value []byte) (*unstructured.Unstructured, error) {
	if strings.HasPrefix(string(value), "{") {
		obj := &unstructured.Unstructured{}
		return obj, obj.UnmarshalJSON(value)
	}
	typed, kind, err := scheme.Codecs.UniversalDeserializer().Decode(value, nil, nil)
	if err != nil {
		return nil, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	obj := &unstructured.Unstructured{Object: content}
	obj.SetGroupVersionKind(*kind)
	return obj, nil
}

// Version returns a version of an object, if it exists.
func (c *History) Version(uid string, resource int64) (Version, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lives[uid]
	if l == nil {
		return Version{}, false
	}
	for _, v := range l.versions {
		if v.Resource == resource {
			return v, true
		}
	}
	return Version{}, false
}

// Gone reports whether an object is deleted, and whether it has ever existed.
func (c *History) Gone(uid string) (gone, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lives[uid]
	return l != nil && !l.ended.IsZero(), l != nil
}
