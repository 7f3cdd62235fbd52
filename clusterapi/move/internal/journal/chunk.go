package journal

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/text"
)

// chunk returns the name of a chunk.
func (c *configMap) chunk(generation string, i int) string {
	return fmt.Sprintf("%s-%s-%d", c.name, generation, i)
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

// listChunks lists the ConfigMaps of the journal except the main one.
func (c *configMap) listChunks(ctx context.Context) ([]unstructured.Unstructured, error) {
	list, err := c.client().List(ctx, metav1.ListOptions{LabelSelector: Label + "=" + c.id})
	if err != nil {
		return nil, fmt.Errorf("list its chunks: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(o unstructured.Unstructured) bool {
		return !strings.HasPrefix(o.GetName(), c.name+"-")
	}), nil
}

// removeChunks removes the chunks of all own generations except one, also those of processes that
// have crashed. Those of a process that has taken over stay.
func (c *configMap) removeChunks(ctx context.Context, except string) error {
	chunks, err := c.listChunks(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for i := range chunks {
		o := &chunks[i]
		if generation := field(o, generationKey); generation == except || !c.own[generation] {
			continue
		}
		if err := c.delete(ctx, o.GetName(), stateOf(o)); err != nil && !apierrors.IsNotFound(err) {
			errs = append(errs, fmt.Errorf("remove chunk %s: %w", o.GetName(), err))
		}
	}
	return errors.Join(errs...)
}

// field returns a value of a ConfigMap, and an empty text if it has none.
func field(o *unstructured.Unstructured, key string) string {
	s := decoded.Text(o.Object, "data", key)
	return s
}

// data returns the compressed data of a ConfigMap.
func data(o *unstructured.Unstructured) ([]byte, error) {
	encoded, found, err := unstructured.NestedString(o.Object, "binaryData", dataKey)
	if err != nil || !found {
		return nil, fmt.Errorf("binaryData.%s is missing", dataKey)
	}
	compressed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("binaryData.%s: %w", dataKey, err)
	}
	return compressed, nil
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
