package journal

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"kstatus.dev/clusterapi/internal/management"
)

const (
	// chunkSize is the number of compressed bytes in one ConfigMap. A ConfigMap has at most 1 MiB,
	// also in base64.
	chunkSize = 640 << 10
	// maxChunks limits the ConfigMaps of one document.
	maxChunks = maxSize / chunkSize
	// attempts limits how often a document is read again because it was saved meanwhile.
	attempts = 5

	// Label is on all ConfigMaps of a journal. Its value is the ID of the move.
	Label = "kstatus.dev/move-journal"
)

// The keys of the values of ConfigMaps. All ConfigMaps of a document have the same generation,
// which is a random text. Only the main ConfigMap has the number of chunks.
const (
	generationKey = "generation"
	chunksKey     = "chunks"
	dataKey       = "journal.gz"
)

var (
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// ConfigMap returns a Store that keeps the document in ConfigMap kstatus-move-ID of a cluster. The
// name of the cluster is for messages, such as "the source". The document is compressed, and divided
// into further ConfigMaps if it is large. Save creates the namespace if it does not exist.
//
// Save and Remove fail if another process has saved since the last Save or Load of this Store.
func ConfigMap(c *management.Client, cluster, namespace, id string) Store {
	return &store{places: []place{&configMap{
		objects: c.Objects, metadata: c.Metadata, cluster: cluster, namespace: namespace, id: id, name: "kstatus-move-" + id, limit: chunkSize,
	}}}
}

// A configMap is a ConfigMap with a document.
type configMap struct {
	objects                      dynamic.Interface
	metadata                     metadata.Interface
	cluster, namespace, id, name string
	limit                        int // of the compressed bytes in one ConfigMap

	isKnown bool  // whether the main ConfigMap was read or written
	last    state // what was read or written last
	// attempted is the generation of the last write, which may have succeeded without an answer.
	attempted string
	// own are the generations that this process has written, or has found before its first write.
	// It removes no others. It is nil before the first write.
	own map[string]bool
	// isClean is true if no ConfigMap of an earlier generation exists.
	isClean bool
}

// A state is the state of a main ConfigMap.
type state struct {
	exists                   bool
	uid, version, generation string
}

func (c *configMap) String() string {
	return fmt.Sprintf("ConfigMap %s/%s in %s", c.namespace, c.name, c.cluster)
}

func (c *configMap) client() dynamic.ResourceInterface {
	return c.objects.Resource(configMaps).Namespace(c.namespace)
}

// write writes the chunks of a new generation first, and then the main ConfigMap that names them.
// So readers see the old document or the new one.
func (c *configMap) write(ctx context.Context, encoded []byte) error {
	if err := c.know(ctx); err != nil {
		return err
	}
	compressed := compress(encoded)
	generation := strings.ToLower(rand.Text())
	c.own[generation] = true
	chunks := 0
	if len(compressed) > c.limit {
		c.isClean = false
		for ; len(compressed) > 0; chunks++ {
			n := min(c.limit, len(compressed))
			o := c.object(c.chunk(generation, chunks), generation, compressed[:n])
			if _, err := createIn(ctx, c.objects, configMaps, o); err != nil {
				return err
			}
			compressed = compressed[n:]
		}
	}
	main := c.object(c.name, generation, compressed)
	_ = unstructured.SetNestedField(main.Object, strconv.Itoa(chunks), "data", chunksKey)
	if err := c.writeMain(ctx, main, generation); err != nil {
		return err
	}
	if !c.isClean && c.removeChunks(ctx, generation) == nil {
		c.isClean = chunks == 0
	}
	return nil // the document is saved, and the next save removes the chunks that are left
}

// know reads the main ConfigMap if nothing has read it yet. It also finds the chunks that exist, such
// as those of a process that has crashed. What appears later is of another process.
func (c *configMap) know(ctx context.Context) error {
	if !c.isKnown {
		now, _, err := c.readMain(ctx)
		if err != nil {
			return err
		}
		c.isKnown, c.last = true, now
	}
	if c.own != nil {
		return nil
	}
	chunks, err := c.listChunks(ctx)
	if err != nil {
		return err
	}
	c.own, c.isClean = map[string]bool{}, len(chunks) == 0
	if c.last.exists {
		c.own[c.last.generation] = true
	}
	for i := range chunks {
		c.own[field(&chunks[i], generationKey)] = true
	}
	return nil
}

// writeMain creates or replaces the main ConfigMap.
func (c *configMap) writeMain(ctx context.Context, main *unstructured.Unstructured, generation string) error {
	ours := []string{c.last.generation, c.attempted, generation}
	c.attempted = generation
	base := c.last
	for range attempts {
		written, err := c.replace(ctx, main, base)
		switch {
		case err == nil:
			c.last = stateOf(written)
			return nil
		case !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) && !apierrors.IsNotFound(err):
			return err
		}
		// A write of this process whose answer was lost is a reason too, and so is a new label.
		if base, _, err = c.readMain(ctx); err != nil {
			return err
		}
		if base.exists && !slices.Contains(ours, base.generation) || !base.exists && c.last.exists {
			return ErrReplaced
		}
	}
	return errors.New("it changes all the time")
}

// replace creates the main ConfigMap, or replaces the one with a state.
func (c *configMap) replace(ctx context.Context, main *unstructured.Unstructured, base state) (*unstructured.Unstructured, error) {
	if base.exists {
		main.SetUID(types.UID(base.uid))
		main.SetResourceVersion(base.version)
		return c.client().Update(ctx, main, metav1.UpdateOptions{})
	}
	main.SetUID("")
	main.SetResourceVersion("")
	return createIn(ctx, c.objects, configMaps, main)
}

// readMain reads the main ConfigMap, which is nil if it does not exist.
func (c *configMap) readMain(ctx context.Context) (state, *unstructured.Unstructured, error) {
	o, err := c.get(ctx, c.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return state{}, nil, nil
	case err != nil:
		return state{}, nil, err
	}
	return stateOf(o), o, nil
}

// check compares the version of the main ConfigMap first, because the whole of it is large.
func (c *configMap) check(ctx context.Context) error {
	if !c.isKnown || !c.last.exists {
		return nil
	}
	o, err := c.metadata.Resource(configMaps).Namespace(c.namespace).Get(ctx, c.name, metav1.GetOptions{})
	switch {
	case err != nil && !apierrors.IsNotFound(err):
		return err
	case err == nil && o.ResourceVersion == c.last.version:
		return nil
	}
	now, _, err := c.readMain(ctx)
	if err == nil && now.generation != c.last.generation && now.generation != c.attempted {
		return ErrReplaced
	}
	return err
}

// stateOf returns the state of a main ConfigMap that exists.
func stateOf(o *unstructured.Unstructured) state {
	return state{true, string(o.GetUID()), o.GetResourceVersion(), field(o, generationKey)}
}

// object returns a ConfigMap.
func (c *configMap) object(name, generation string, data []byte) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"namespace": c.namespace, "name": name, "labels": map[string]any{Label: c.id}},
		"data":     map[string]any{generationKey: generation},
		"binaryData": map[string]any{
			dataKey: base64.StdEncoding.EncodeToString(data),
		},
	}}
}

// createIn creates an object, and its namespace if that does not exist. It returns the created
// object.
func createIn(ctx context.Context, objects dynamic.Interface, r schema.GroupVersionResource, o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	client := objects.Resource(r).Namespace(o.GetNamespace())
	created, err := client.Create(ctx, o, metav1.CreateOptions{})
	if !apierrors.IsNotFound(err) {
		return created, err
	}
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": o.GetNamespace()},
	}}
	if _, err := objects.Resource(namespaces).Create(ctx, namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, fmt.Errorf("create namespace %s: %w", o.GetNamespace(), err)
	}
	return client.Create(ctx, o, metav1.CreateOptions{})
}

// get reads a ConfigMap.
func (c *configMap) get(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	o, err := c.client().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, fs.ErrNotExist
	}
	return o, err
}

// read reads the main ConfigMap and the chunks that it names. If another process saves meanwhile,
// it begins again.
func (c *configMap) read(ctx context.Context) ([]byte, error) {
	before := ""
	for range attempts {
		now, main, err := c.readMain(ctx)
		if err != nil {
			return nil, err
		}
		c.isKnown, c.last = true, now
		if main == nil {
			return nil, fs.ErrNotExist
		}
		if c.own != nil {
			c.own[now.generation] = true
		}
		compressed, err := c.join(ctx, main)
		switch {
		case err == nil:
			return decompress(compressed)
		case !errors.Is(err, fs.ErrNotExist), before == now.generation:
			return nil, err
		}
		before = now.generation // a newer one may have replaced it
	}
	return nil, errors.New("it changes all the time")
}

// delete deletes a ConfigMap in the state that was read.
func (c *configMap) delete(ctx context.Context, name string, s state) error {
	uid := types.UID(s.uid)
	return c.client().Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &s.version}})
}

// remove removes the main ConfigMap first, so that readers never miss only a chunk. It removes only
// what this process has written, or has read before.
func (c *configMap) remove(ctx context.Context) error {
	if err := c.know(ctx); err != nil {
		return err
	}
	if err := c.removeMain(ctx); err != nil {
		return err
	}
	c.last, c.attempted = state{}, ""
	if c.isClean {
		return nil
	}
	return c.removeChunks(ctx, "")
}

// removeMain removes the main ConfigMap if its generation is an own one.
func (c *configMap) removeMain(ctx context.Context) error {
	now := c.last
	if c.attempted != now.generation {
		// The answer to the last write was lost, or another process has written what was read.
		var err error
		if now, _, err = c.readMain(ctx); err != nil {
			return err
		}
	}
	for range attempts {
		switch {
		case !now.exists:
			return nil
		case !c.own[now.generation]:
			return ErrReplaced
		}
		err := c.delete(ctx, c.name, now)
		if err == nil || apierrors.IsNotFound(err) {
			return nil
		}
		if !apierrors.IsConflict(err) {
			return err
		}
		if now, _, err = c.readMain(ctx); err != nil {
			return err
		}
	}
	return errors.New("it changes all the time")
}
