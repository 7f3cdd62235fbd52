package journal

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/management"
)

// limit is the number of bytes in one ConfigMap of tests.
const limit = 1000

// inConfigMap returns a Store in a ConfigMap.
func inConfigMap(c *management.Client, cluster, namespace, id string) Store {
	s := ConfigMap(c, cluster, namespace, id)
	s.(*store).places[0].(*configMap).limit = limit
	return s
}

// large returns a document that does not fit into n ConfigMaps.
func large(t *testing.T, n int) []byte {
	random := make([]byte, n*limit)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"random":"%x"}`, random)
}

const mainPath = "/api/v1/namespaces/kstatus/configmaps/kstatus-move-m1"

func save(t *testing.T, s Store, data string) {
	t.Helper()
	if err := s.Save(t.Context(), []byte(data)); err != nil {
		t.Fatal(err)
	}
}

func checkLoad(t *testing.T, s Store, want string) {
	t.Helper()
	data, err := s.Load(t.Context())
	if err != nil || string(data) != want {
		t.Errorf("have %.100q and error %v, want %.100q", data, err, want)
	}
}

func checkFailure(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("have error %q, want one with %q", err, part)
		}
	}
}

func TestStores(t *testing.T) {
	_, source := newServer(t)
	_, target := newServer(t)
	path := filepath.Join(t.TempDir(), "journal.json")
	for it, open := range map[string]func() Store{
		"a file":          func() Store { return File(path) },
		"a ConfigMap":     func() Store { return inConfigMap(source, "the source", "kstatus", "m1") },
		"a new namespace": func() Store { return inConfigMap(target, "the target", "moves", "m1") },
		"all": func() Store {
			return All(File(path+"2"), inConfigMap(source, "the source", "kstatus", "m2"), inConfigMap(target, "the target", "kstatus", "m2"))
		},
	} {
		t.Run(it, func(t *testing.T) {
			s := open()
			if _, err := s.Load(t.Context()); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("have error %v before the first save, want that it does not exist", err)
			}
			for i, data := range []string{`{"a":1}`, string(large(t, 2)), `{"a": 2}`} {
				save(t, s, data)
				checkLoad(t, s, data)
				checkLoad(t, open(), data)
				if i == 1 {
					s = open() // another process continues
				}
			}
			checkFailure(t, s.Save(t.Context(), []byte("{")), "not JSON")
			checkLoad(t, s, `{"a": 2}`)
			for range 2 {
				if err := s.Remove(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if _, err := open().Load(t.Context()); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("have error %v after the removal, want that it does not exist", err)
			}
		})
	}
}

// A slowStore saves when it may.
type slowStore struct {
	Store
	begun, may chan struct{}
}

func (s slowStore) Save(context.Context, []byte) error {
	close(s.begun)
	<-s.may
	return nil
}

// Nothing waits for a request of another goroutine longer than its own context.
func TestRequestsHoldNoLock(t *testing.T) {
	slow := slowStore{File(filepath.Join(t.TempDir(), "a")), make(chan struct{}), make(chan struct{})}
	s := All(slow)
	saved := make(chan error)
	go func() { saved <- s.Save(t.Context(), []byte(`1`)) }()
	<-slow.begun
	if s.Origin() != slow.String() {
		t.Errorf("the origin is %s", s.Origin())
	}
	cause := errors.New("it takes too long")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, err := s.Load(ctx)
	for it, err := range map[string]error{"save": s.Save(ctx, []byte(`2`)), "check": s.Check(ctx), "load": err, "remove": s.Remove(ctx)} {
		if !errors.Is(err, cause) {
			t.Errorf("%s: have error %v, want %v", it, err, cause)
		}
	}
	close(slow.may)
	if err := <-saved; err != nil {
		t.Error(err)
	}
}

func TestFilesArePrivateAndAlone(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "journal.json")
	if err := os.WriteFile(path, []byte("of somebody else"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := File(path).Load(t.Context())
	checkFailure(t, err, path, "not a journal of a move")
	save(t, File(path), `{}`)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("have mode %v and error %v, want 0600", info.Mode(), err)
	}
	if entries, err := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("have %v and error %v, want the file alone", entries, err)
	}
}

func TestAllLoadsTheNewest(t *testing.T) {
	folder := t.TempDir()
	a, b := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	save(t, All(File(a), File(b)), `1`)
	save(t, File(b), `2`)
	checkLoad(t, All(File(a), File(b)), `2`)
	save(t, All(File(a), File(b)), `3`) // without a load before
	checkLoad(t, File(a), `3`)
	checkLoad(t, File(b), `3`)

	if err := os.WriteFile(b, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	checkLoad(t, All(File(a), File(b)), `3`)
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	_, err := All(File(a), File(b)).Load(t.Context())
	checkFailure(t, err, "read "+b)

	err = All(File(filepath.Join(folder, "absent", "x")), File(a)).Save(t.Context(), []byte(`4`))
	checkFailure(t, err, "save "+filepath.Join(folder, "absent", "x"))
	checkLoad(t, File(a), `4`)
}

// memory is a Store of another package.
type memory struct{ data []byte }

func (m *memory) Save(_ context.Context, data []byte) error { m.data = bytes.Clone(data); return nil }
func (m *memory) Check(context.Context) error               { return nil }
func (m *memory) Remove(context.Context) error              { m.data = nil; return nil }
func (m *memory) Origin() string                            { return "memory" }
func (m *memory) String() string                            { return "memory" }
func (m *memory) Load(context.Context) ([]byte, error) {
	if m.data == nil {
		return nil, fs.ErrNotExist
	}
	return m.data, nil
}

func TestAllTakesOtherStores(t *testing.T) {
	m, path := &memory{}, filepath.Join(t.TempDir(), "a")
	save(t, All(File(path), m), `1`)
	save(t, All(m), `2`)
	both := All(File(path), m)
	if have := both.Origin(); have != path+", memory" {
		t.Errorf("before it is loaded, the document is in %s", have)
	}
	checkLoad(t, both, `2`)
	if have := both.Origin(); have != "memory" {
		t.Errorf("the newest document is in %s, want memory", have)
	}
}

// Kubernetes refuses ConfigMaps with more than 1 MiB.
func TestChunksFitIntoConfigMaps(t *testing.T) {
	if s := ConfigMap(&management.Client{}, "the source", "kstatus", "m1"); s.(*store).places[0].(*configMap).limit*4/3 >= 900<<10 {
		t.Error("a chunk in base64 is larger than 900 KiB")
	}
}

func TestConfigMapsAreRemovedWhenTheyAreOld(t *testing.T) {
	s, c := newServer(t)
	store := inConfigMap(c, "the source", "kstatus", "m1")
	save(t, store, string(large(t, 2)))
	if n := s.configMaps(); n != 4 {
		t.Errorf("have %d ConfigMaps, want 1 and 3 chunks", n)
	}
	save(t, store, `{}`)
	if n := s.configMaps(); n != 1 {
		t.Errorf("have %d ConfigMaps after a small document, want 1", n)
	}

	// A process crashes when it has written a chunk.
	chunks := 0
	s.fail(func(method, _ string) int {
		if method == "POST" {
			if chunks++; chunks > 1 {
				return 500
			}
		}
		return 0
	}, nil)
	checkFailure(t, inConfigMap(c, "the source", "kstatus", "m1").Save(t.Context(), large(t, 2)), "ConfigMap kstatus/kstatus-move-m1 in the source")
	s.fail(nil, nil)
	checkLoad(t, inConfigMap(c, "the source", "kstatus", "m1"), `{}`)
	if n := s.configMaps(); n != 2 {
		t.Errorf("have %d ConfigMaps after a crash, want 2", n)
	}
	save(t, inConfigMap(c, "the source", "kstatus", "m1"), `{"a":1}`)
	if n := s.configMaps(); n != 1 {
		t.Errorf("have %d ConfigMaps after the next save, want 1", n)
	}
}

// The save of a small document lists and removes no chunks.
func TestRequestsOfASave(t *testing.T) {
	s, c := newServer(t)
	store := inConfigMap(c, "the source", "kstatus", "m1")
	save(t, store, `1`)
	s.requests = nil
	save(t, store, `2`)
	if len(s.requests) != 1 {
		t.Errorf("have %q, want one request", s.requests)
	}
}

func TestReadersBeginAgain(t *testing.T) {
	s, c := newServer(t)
	writer, reader := inConfigMap(c, "the source", "kstatus", "m1"), inConfigMap(c, "the source", "kstatus", "m1")
	save(t, writer, string(large(t, 2)))
	next := large(t, 1)
	isSaving := false
	s.fail(func(method, path string) int {
		if strings.Contains(path, "m1-") && method == "GET" && !isSaving {
			isSaving = true
			s.mu.Unlock()
			save(t, writer, string(next))
			s.mu.Lock()
		}
		return 0
	}, nil)
	checkLoad(t, reader, string(next))
	if !isSaving {
		t.Error("the writer did not save")
	}
}

func TestASaveWithoutAnAnswer(t *testing.T) {
	for _, first := range []string{"", `0`} {
		s, c := newServer(t)
		store := inConfigMap(c, "the source", "kstatus", "m1")
		if first != "" {
			save(t, store, first)
		}
		s.fail(nil, func(method, path string) int {
			if method != "GET" {
				return 500
			}
			return 0
		})
		checkFailure(t, store.Save(t.Context(), []byte(`1`)), "save ConfigMap")
		s.fail(nil, nil)
		save(t, store, `2`)
		checkLoad(t, store, `2`)
	}
}

func TestOnlyOneProcessSaves(t *testing.T) {
	s, c := newServer(t)
	one, two := inConfigMap(c, "the source", "kstatus", "m1"), inConfigMap(c, "the source", "kstatus", "m1")
	save(t, one, `1`)
	s.change(mainPath, func(o *unstructured.Unstructured) { o.SetAnnotations(map[string]string{"a": "b"}) })
	check(t, one)
	save(t, one, `2`)
	checkLoad(t, two, `2`)
	check(t, one)
	save(t, two, `3`)
	for range 2 {
		checkFailure(t, one.Check(t.Context()), "another process has replaced it")
		checkFailure(t, one.Save(t.Context(), []byte(`4`)), "another process has replaced it")
	}
	checkLoad(t, one, `3`)
	save(t, one, `5`)
	if err := one.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	checkFailure(t, two.Check(t.Context()), "another process has replaced it")
	checkFailure(t, two.Save(t.Context(), []byte(`6`)), "another process has replaced it")
}

// A Check reads no data, unless somebody has written the ConfigMap.
func TestRequestsOfACheck(t *testing.T) {
	s, c := newServer(t)
	one := inConfigMap(c, "the source", "kstatus", "m1")
	save(t, one, `1`)
	for _, row := range []struct {
		change func(*unstructured.Unstructured)
		want   int
	}{{nil, 1}, {func(o *unstructured.Unstructured) { o.SetAnnotations(map[string]string{"a": "b"}) }, 2}} {
		if row.change != nil {
			s.change(mainPath, row.change)
		}
		s.requests = nil
		check(t, one)
		if len(s.requests) != row.want {
			t.Errorf("have the requests %q, want %d", s.requests, row.want)
		}
	}
	s.fail(func(string, string) int { return 500 }, nil)
	checkFailure(t, one.Check(t.Context()), "look at ConfigMap kstatus/kstatus-move-m1 in the source")
}

// check fails the test unless no other process has saved.
func check(t *testing.T, s Store) {
	t.Helper()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestHostileConfigMaps(t *testing.T) {
	const chunk = "chunk"
	bomb := compress(make([]byte, maxSize+1))
	for it, row := range map[string]struct {
		path   string
		change func(*unstructured.Unstructured)
		want   string
	}{
		"no data":           {"", func(o *unstructured.Unstructured) { delete(o.Object, "data") }, `data.chunks is ""`},
		"data of a list":    {"", func(o *unstructured.Unstructured) { o.Object["data"] = []any{} }, `data.chunks is ""`},
		"too many chunks":   {"", func(o *unstructured.Unstructured) { set(o, "99999", "data", "chunks") }, `data.chunks is "99999"`},
		"negative chunks":   {"", func(o *unstructured.Unstructured) { set(o, "-1", "data", "chunks") }, `data.chunks is "-1"`},
		"one chunk more":    {"", func(o *unstructured.Unstructured) { set(o, "4", "data", "chunks") }, "does not exist"},
		"a path":            {"", func(o *unstructured.Unstructured) { set(o, "/../x", "data", "generation") }, `it contains "/"`},
		"no chunks":         {"", func(o *unstructured.Unstructured) { set(o, "0", "data", "chunks") }, "not compressed"},
		"no chunk data":     {chunk, func(o *unstructured.Unstructured) { delete(o.Object, "binaryData") }, "binaryData.journal.gz is missing"},
		"no base64":         {chunk, func(o *unstructured.Unstructured) { set(o, "!", "binaryData", "journal.gz") }, "base64"},
		"a wrong chunk":     {chunk, func(o *unstructured.Unstructured) { set(o, "x", "data", "generation") }, `of generation "x"`},
		"a truncated chunk": {chunk, func(o *unstructured.Unstructured) { setData(o, []byte{0x1f, 0x8b}) }, "not compressed"},
		"a truncated document": {"", func(o *unstructured.Unstructured) {
			set(o, "0", "data", "chunks")
			setData(o, compress(large(t, 1))[:500])
		}, "incomplete"},
		"a bomb": {"", func(o *unstructured.Unstructured) {
			set(o, "0", "data", "chunks")
			setData(o, bomb)
		}, "more than 256 MiB"},
		"no journal": {"", func(o *unstructured.Unstructured) {
			set(o, "0", "data", "chunks")
			setData(o, compress([]byte("{}")))
		}, "not a journal of a move"},
	} {
		t.Run(it, func(t *testing.T) {
			s, c := newServer(t)
			store := inConfigMap(c, "the source", "kstatus", "m1")
			save(t, store, string(large(t, 2)))
			path := mainPath
			if row.path == chunk {
				path += "-" + field(s.objects[mainPath], "generation") + "-0"
			}
			s.change(path, row.change)
			_, err := inConfigMap(c, "the source", "kstatus", "m1").Load(t.Context())
			checkFailure(t, err, "ConfigMap kstatus/kstatus-move-m1 in the source", row.want)
		})
	}
}

func set(o *unstructured.Unstructured, value string, path ...string) {
	if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
		panic(err)
	}
}

func setData(o *unstructured.Unstructured, data []byte) {
	o.Object["binaryData"] = map[string]any{"journal.gz": data}
	encoded, err := json.Marshal(o.Object)
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(encoded, &o.Object); err != nil {
		panic(err)
	}
}

func TestForbidden(t *testing.T) {
	s, c := newServer(t)
	s.fail(func(string, string) int { return 403 }, nil)
	store := inConfigMap(c, "the target", "kstatus", "m1")
	_, err := store.Load(t.Context())
	checkFailure(t, err, "read ConfigMap kstatus/kstatus-move-m1 in the target", "Forbidden")
	checkFailure(t, store.Save(t.Context(), []byte(`1`)), "save ConfigMap", "Forbidden")
	checkFailure(t, store.Remove(t.Context()), "remove ConfigMap", "Forbidden")
}

func FuzzDecode(f *testing.F) {
	good, err := encode(document{Sequence: 7, Data: []byte(`{"a":[1]}`)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"format":"kstatus.dev/move-journal/v1","sequence":-1,"sha256":"","document":null}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		d, err := decode(encoded)
		if err != nil {
			return
		}
		again, err := encode(d)
		if err != nil {
			t.Fatalf("the decoded document cannot be encoded: %v", err)
		}
		if second, err := decode(again); err != nil || second.Sequence != d.Sequence || !bytes.Equal(second.Data, d.Data) {
			t.Errorf("have %v and error %v, want %v", second, err, d)
		}
	})
}

func FuzzDecompress(f *testing.F) {
	f.Add(compress([]byte(`{"a":1}`)))
	f.Add(compress(nil)[:5])
	f.Fuzz(func(t *testing.T, compressed []byte) {
		encoded, err := decompress(compressed)
		if err == nil && len(encoded) > maxSize {
			t.Error("too large")
		}
	})
}
