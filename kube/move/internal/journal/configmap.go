package journal

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/internal/clusterapi"
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
// Save fails if another process has saved since the last Save or Load of this Store.
func ConfigMap(c *clusterapi.Client, cluster, namespace, id string) Store {
	return &store{places: []place{&configMap{
		objects: c.Objects, cluster: cluster, namespace: namespace, id: id, name: "kstatus-move-" + id, limit: chunkSize,
	}}}
}

// A configMap is a ConfigMap with a document.
type configMap struct {
	objects                      dynamic.Interface
	cluster, namespace, id, name string
	limit                        int // of the compressed bytes in one ConfigMap

	isKnown bool  // whether the main ConfigMap was read or written
	last    state // what was read or written last
	// attempted is the generation of the last write, which may have succeeded without an answer.
	attempted string
	// isClean is true if no ConfigMap of an earlier generation exists.
	isClean bool
}

// A state is the state of a main ConfigMap.
type state struct {
	exists              bool
	version, generation string
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
	if !c.isKnown {
		now, _, err := c.readMain(ctx)
		if err != nil {
			return err
		}
		c.isKnown, c.last = true, now
	}
	compressed := compress(encoded)
	generation := strings.ToLower(rand.Text())
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

// writeMain creates or replaces the main ConfigMap.
func (c *configMap) writeMain(ctx context.Context, main *unstructured.Unstructured, generation string) error {
	ours := []string{c.last.generation, c.attempted, generation}
	c.attempted = generation
	base := c.last
	for range attempts {
		version, err := c.replace(ctx, main, base)
		switch {
		case err == nil:
			c.last = state{true, version, generation}
			return nil
		case !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) && !apierrors.IsNotFound(err):
			return err
		}
		// A write of this process whose answer was lost is a reason too, and so is a new label.
		if base, _, err = c.readMain(ctx); err != nil {
			return err
		}
		if base.exists && !slices.Contains(ours, base.generation) || !base.exists && c.last.exists {
			return errors.New("another process has replaced it: only one process at a time may continue a move")
		}
	}
	return errors.New("it changes all the time")
}

// replace creates the main ConfigMap, or replaces the one with a state. It returns the new
// version.
func (c *configMap) replace(ctx context.Context, main *unstructured.Unstructured, base state) (version string, err error) {
	var written *unstructured.Unstructured
	if base.exists {
		main.SetResourceVersion(base.version)
		written, err = c.client().Update(ctx, main, metav1.UpdateOptions{})
	} else {
		main.SetResourceVersion("")
		written, err = createIn(ctx, c.objects, configMaps, main)
	}
	if err != nil {
		return "", err
	}
	return written.GetResourceVersion(), nil
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
	return state{true, o.GetResourceVersion(), field(o, generationKey)}, o, nil
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

// chunk returns the name of a chunk.
func (c *configMap) chunk(generation string, i int) string {
	return fmt.Sprintf("%s-%s-%d", c.name, generation, i)
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

// join returns the data of a main ConfigMap and its chunks.
func (c *configMap) join(ctx context.Context, main *unstructured.Unstructured) ([]byte, error) {
	generation := field(main, generationKey)
	chunks, err := strconv.Atoi(field(main, chunksKey))
	switch {
	case err != nil || chunks < 0 || chunks > maxChunks:
		return nil, fmt.Errorf("data.%s is %q, want a number up to %d", chunksKey, text.Line(field(main, chunksKey)), maxChunks)
	case chunks == 0:
		return data(main)
	}
	if err := guard.CheckName("chunk", c.chunk(generation, 0)); err != nil {
		return nil, err
	}
	var all []byte
	for i := range chunks {
		name := c.chunk(generation, i)
		o, err := c.get(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("chunk %s: %w", name, err)
		}
		if have := field(o, generationKey); have != generation {
			return nil, fmt.Errorf("chunk %s is of generation %q, want %q", name, text.Line(have), generation)
		}
		chunk, err := data(o)
		if err != nil {
			return nil, fmt.Errorf("chunk %s: %w", name, err)
		}
		all = append(all, chunk...)
	}
	return all, nil
}

// removeChunks removes the chunks of all generations except one, also those of processes that have
// crashed.
func (c *configMap) removeChunks(ctx context.Context, except string) error {
	list, err := c.client().List(ctx, metav1.ListOptions{LabelSelector: Label + "=" + c.id})
	if err != nil {
		return fmt.Errorf("list its chunks: %w", err)
	}
	var errs []error
	for i := range list.Items {
		o := &list.Items[i]
		if o.GetName() == c.name || !strings.HasPrefix(o.GetName(), c.name+"-") || field(o, generationKey) == except {
			continue
		}
		if err := c.client().Delete(ctx, o.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			errs = append(errs, fmt.Errorf("remove chunk %s: %w", o.GetName(), err))
		}
	}
	return errors.Join(errs...)
}

// remove removes the main ConfigMap first, so that readers never miss only a chunk.
func (c *configMap) remove(ctx context.Context) error {
	err := c.client().Delete(ctx, c.name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	c.isKnown, c.last, c.attempted = true, state{}, ""
	return c.removeChunks(ctx, "")
}

// field returns a value of a ConfigMap, and an empty text if it has none.
func field(o *unstructured.Unstructured, key string) string {
	s, _, _ := unstructured.NestedString(o.Object, "data", key)
	return s
}

// data returns the compressed data of a ConfigMap.
func data(o *unstructured.Unstructured) ([]byte, error) {
	encoded, found, err := unstructured.NestedString(o.Object, "binaryData", dataKey)
	if err != nil || !found {
		return nil, fmt.Errorf("binaryData.%s is missing", dataKey)
	}
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("binaryData.%s: %w", dataKey, err)
	}
	return decoded, nil
}

// compress compresses a document.
func compress(encoded []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	// A bytes.Buffer accepts every write.
	_, _ = w.Write(encoded)
	_ = w.Close()
	return b.Bytes()
}

// decompress returns what compress has compressed.
func decompress(compressed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("it is not compressed as expected: %w", err)
	}
	encoded, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("it is incomplete or was changed: %w", cmp.Or(err, r.Close()))
	case len(encoded) > maxSize:
		return nil, errTooLarge
	}
	return encoded, nil
}
