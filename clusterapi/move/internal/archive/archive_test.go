package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var header = Header{ID: "m1", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Source: "https://source"}

func object(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	metadata := map[string]any{"name": name, "uid": "uid-" + kind + name, "annotations": map[string]any{"a": "<&>"}}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": apiVersion, "kind": kind, "metadata": metadata,
		"spec": map[string]any{"large": int64(1<<62 + 1), "real": 0.5, "list": []any{nil, "x"}},
	}}
}

func entries() []Entry {
	yes, no := true, false
	owned := object("v1", "Secret", "shop", "web-ca")
	_ = unstructured.SetNestedSlice(owned.Object, []any{map[string]any{"uid": "uid-Clusterweb"}}, "metadata", "ownerReferences")
	return []Entry{
		{Step: 0, Object: object("infrastructure.cluster.x-k8s.io/v1", "Identity", "", "a:b_c"), Decision: "Copy", PausedBefore: &yes},
		{Step: 1, Object: object("cluster.x-k8s.io/v1beta2", "Cluster", "shop", "web"), Decision: "Move", PausedBefore: &no},
		{Step: 1, Object: object("cluster.example/v1", "Cluster", "shop", "web"), Decision: "Move"},
		{Step: 12, Object: owned, Decision: "Move"},
	}
}

// write writes an archive into a new folder.
func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "backup")
	all := entries()
	all[2].Object.SetUID("uid-other")
	if err := Write(t.Context(), dir, header, all); err != nil {
		t.Fatal(err)
	}
	return dir
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

func TestReadReturnsWhatWasWritten(t *testing.T) {
	dir := write(t)
	want := entries()
	want[2].Object.SetUID("uid-other")
	h, have, err := Read(t.Context(), dir)
	if err != nil || h != header || !reflect.DeepEqual(have, want) {
		t.Errorf("have %v and %v and error %v, want %v and %v", h, have, err, header, want)
	}
	var names []string
	err = filepath.WalkDir(filepath.Dir(dir), func(path string, d os.DirEntry, err error) error {
		info, _ := d.Info()
		name, _ := filepath.Rel(filepath.Dir(dir), path)
		names = append(names, fmt.Sprintf("%v %s", info.Mode(), name))
		return err
	})
	wantNames := []string{
		"drwx------ backup",
		"-rw------- backup/0000_infrastructure.cluster.x-k8s.io_Identity__a%3Ab%5Fc.json",
		"-rw------- backup/0001_cluster.example_Cluster_shop_web.json",
		"-rw------- backup/0001_cluster.x-k8s.io_Cluster_shop_web.json",
		"-rw------- backup/0012__Secret_shop_web-ca.json",
		"-rw------- backup/manifest.json",
	}
	if err != nil || !reflect.DeepEqual(names[1:], wantNames) {
		t.Errorf("have %q and error %v, want %q", names[1:], err, wantNames)
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	for _, part := range []string{`"format": "kstatus.dev/move-archive/v1"`, `"source": "https://source"`, `"step": 12`, `"uid-Clusterweb"`, `"pausedBefore": false`, `"decision": "Copy"`} {
		if err != nil || !bytes.Contains(manifest, []byte(part)) {
			t.Errorf("have manifest %s and error %v, want %s", manifest, err, part)
		}
	}
}

func TestWriteCreatesAllOrNothing(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	twice := append(entries(), entries()[3])
	disordered := entries()
	disordered[0].Step = 5
	for it, row := range map[string]struct {
		dir     string
		entries []Entry
		want    string
	}{
		"into a folder with files": {full, entries(), "is not empty: it has x"},
		"into a file":              {filepath.Join(full, "x"), entries(), "x"},
		"an object twice":          {filepath.Join(full, "y"), twice, "it lists Cluster shop/web"},
		"a UID twice":              {filepath.Join(full, "y"), entries(), "it lists Cluster shop/web of cluster.example/v1 with UID uid-Clusterweb twice"},
		"in a wrong order":         {filepath.Join(full, "y"), disordered[:2], "of step 1 comes after one of step 5"},
	} {
		t.Run(it, func(t *testing.T) {
			checkFailure(t, Write(t.Context(), row.dir, header, row.entries), row.want)
			if left, err := os.ReadDir(full); err != nil || len(left) != 1 {
				t.Errorf("have %v and error %v, want nothing new", left, err)
			}
		})
	}
	empty := t.TempDir()
	if err := Write(t.Context(), empty, header, entries()[:2]); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	deep := filepath.Join(empty, "a", "b") + "/"
	if err := Write(t.Context(), deep, header, nil); err != nil {
		t.Errorf("a folder without a parent: %v", err)
	}
	if _, none, err := Read(t.Context(), deep); err != nil || len(none) != 0 {
		t.Errorf("have %v and error %v, want no entries", none, err)
	}
}

func TestReadRefusesChangedFolders(t *testing.T) {
	const cluster = "0001_cluster.x-k8s.io_Cluster_shop_web.json"
	replace := func(name, old, new string) func(string) error {
		return func(dir string) error {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, name), bytes.Replace(content, []byte(old), []byte(new), 1), 0o600)
		}
	}
	// relist changes the manifest and its hash, as an attacker does.
	relist := func(change func(m *manifest)) func(string) error {
		return func(dir string) error {
			path := filepath.Join(dir, manifestName)
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			m, err := decode(content)
			if err != nil {
				return err
			}
			change(m)
			if m.SHA256, err = m.hashOfFiles(); err != nil {
				return err
			}
			encoded, err := json.Marshal(m)
			if err != nil {
				return err
			}
			return os.WriteFile(path, encoded, 0o600)
		}
	}
	for it, row := range map[string]struct {
		change func(dir string) error
		want   []string
	}{
		"two files are missing": {func(dir string) error {
			if err := os.Remove(filepath.Join(dir, "0012__Secret_shop_web-ca.json")); err != nil {
				return err
			}
			return os.Remove(filepath.Join(dir, cluster))
		}, []string{cluster + " is missing", "0012__Secret_shop_web-ca.json is missing"}},
		"no manifest":    {func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) }, []string{"has no file manifest.json"}},
		"a changed file": {replace(cluster, "web", "wex"), []string{cluster + " was changed"}},
		"a new file":     {func(dir string) error { return os.WriteFile(filepath.Join(dir, "x\n.json"), nil, 0o600) }, []string{"is not listed in manifest.json"}},
		"a link": {func(dir string) error {
			if err := os.Rename(filepath.Join(dir, cluster), filepath.Join(dir, "..", "elsewhere")); err != nil {
				return err
			}
			return os.Symlink("../elsewhere", filepath.Join(dir, cluster))
		}, []string{cluster + " is not a regular file"}},
		"a listed folder": {func(dir string) error {
			if err := os.Remove(filepath.Join(dir, cluster)); err != nil {
				return err
			}
			return os.Mkdir(filepath.Join(dir, cluster), 0o700)
		}, []string{cluster + " is not a regular file"}},
		"a large file":         {func(dir string) error { return os.Truncate(filepath.Join(dir, cluster), maxFile+1) }, []string{cluster + " has 33554433 bytes"}},
		"a changed manifest":   {replace(manifestName, `"decision": "Copy"`, `"decision": "Move"`), []string{"manifest.json: its list of files was changed"}},
		"another format":       {replace(manifestName, "archive/v1", "archive/v2"), []string{`its format is "kstatus.dev/move-archive/v2"`}},
		"a truncated manifest": {func(dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 300) }, []string{"it is not a manifest of a move"}},
		"two manifests":        {replace(manifestName, "]\n}\n", "]\n}\n{}"), []string{"something after its end"}},
		"a path":               {relist(func(m *manifest) { m.Files[0].Name = "../elsewhere.json" }), []string{`"../elsewhere.json" is not a name`}},
		"an absolute path":     {relist(func(m *manifest) { m.Files[0].Name = "/etc/passwd.json" }), []string{"is not a name"}},
		"the manifest as file": {relist(func(m *manifest) { m.Files[0].Name = manifestName }), []string{`"manifest.json" is not a name`}},
		"a file twice":         {relist(func(m *manifest) { m.Files = append(m.Files, m.Files[3]) }), []string{"it lists file 0012__Secret_shop_web-ca.json twice"}},
		"an object twice": {relist(func(m *manifest) {
			m.Files = append(m.Files, m.Files[3])
			m.Files[4].Name, m.Files[4].APIVersion, m.Files[4].UID = "9.json", "v2", ""
		}), []string{"it lists Secret shop/web-ca of v2"}},
		"another object":   {relist(func(m *manifest) { m.Files[3].ObjectName = "web-sa" }), []string{"has Secret shop/web-ca of v1 with UID uid-Secretweb-ca, want Secret shop/web-sa"}},
		"another UID":      {relist(func(m *manifest) { m.Files[3].UID = "x" }), []string{"want Secret shop/web-ca of v1 with UID x"}},
		"no kind":          {relist(func(m *manifest) { m.Files[3].Kind = "" }), []string{"has no apiVersion, kind or objectName"}},
		"a wrong order":    {relist(func(m *manifest) { m.Files[0].Step = 2 }), []string{"comes after one of step 2"}},
		"a file left away": {relist(func(m *manifest) { m.Files = m.Files[1:] }), []string{"Identity__a%3Ab%5Fc.json is not listed"}},
		"no object": {func(dir string) error {
			if err := os.WriteFile(filepath.Join(dir, cluster), []byte("{}"), 0o600); err != nil {
				return err
			}
			return relist(func(m *manifest) { m.Files[1].SHA256 = hash([]byte("{}")) })(dir)
		}, []string{cluster + " is not an object"}},
	} {
		t.Run(it, func(t *testing.T) {
			dir := write(t)
			if err := row.change(dir); err != nil {
				t.Fatal(err)
			}
			_, _, err := Read(t.Context(), dir)
			checkFailure(t, err, append(row.want, "read "+dir)...)
		})
	}
}

func TestFoldersInAnArchiveAreIgnored(t *testing.T) {
	dir := write(t)
	if err := os.Mkdir(filepath.Join(dir, "lost+found"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(t.Context(), dir); err != nil {
		t.Error(err)
	}
}

func TestErrorsOfManyFilesAreShort(t *testing.T) {
	dir := write(t)
	for i := range 100 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := Read(t.Context(), dir)
	checkFailure(t, err, "and 80 more")
}

func TestNames(t *testing.T) {
	long := strings.Repeat("n", 253)
	for _, o := range []*unstructured.Unstructured{
		object("v1", "ConfigMap", "../..", "/"), object(long+"/v1", long, long, long), object("v1", "K", "ns", "\x00ü\n%"),
	} {
		name := nameOf(3, o)
		if !isName(name) || len(name) > 255 || !strings.HasPrefix(name, "0003_") {
			t.Errorf("have %q", name)
		}
	}
	if a, b := nameOf(0, object("v1", "K", long, long+"a")), nameOf(0, object("v1", "K", long, long+"b")); a == b {
		t.Errorf("have %s for two objects", a)
	}
	if a, b := nameOf(0, object("v1", "K", "a_b", "c")), nameOf(0, object("v1", "K", "a", "b_c")); a == b {
		t.Errorf("have %s for two objects", a)
	}
}

func FuzzDecode(f *testing.F) {
	m := newManifest(header)
	for _, e := range entries()[:2] {
		if _, err := m.add(e); err != nil {
			f.Fatal(err)
		}
	}
	encoded, err := m.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encoded)
	f.Add([]byte(`{"format":"kstatus.dev/move-archive/v1","sha256":"74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b","files":null}`))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		// The right hash lets the other checks see the document.
		var hashed manifest
		if json.Unmarshal(encoded, &hashed) == nil {
			var err error
			if hashed.SHA256, err = hashed.hashOfFiles(); err != nil {
				t.Fatal(err)
			}
			if encoded, err = json.Marshal(hashed); err != nil {
				return // JSON has no time of that year
			}
		}
		m, err := decode(encoded)
		if err != nil {
			return
		}
		again, err := m.encode()
		if err != nil {
			t.Fatalf("the decoded manifest cannot be encoded: %v", err)
		}
		second, err := decode(again)
		if err != nil || len(m.Files) != len(second.Files) || second.SHA256 != m.SHA256 || second.ID != m.ID {
			t.Errorf("have %v and error %v, want %v", second, err, m)
		}
		for _, file := range m.Files {
			if !filepath.IsLocal(file.Name) || strings.ContainsAny(file.Name, `/\`) {
				t.Errorf("%q is a path", file.Name)
			}
		}
	})
}
