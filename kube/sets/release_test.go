package sets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// storedRelease returns a document as Helm keeps it, in a Secret or else in a ConfigMap.
func storedRelease(t *testing.T, document string, inSecret bool) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(document)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	text := base64.StdEncoding.EncodeToString(b.Bytes())
	if inSecret {
		text = base64.StdEncoding.EncodeToString([]byte(text))
	}
	return text
}

// encodeTwice encodes bytes in base64 twice, as in a Secret.
func encodeTwice(b []byte) string {
	return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(b)))
}

const document = `{"name":"web","info":{"first_deployed":"2026-01-01T00:00:00Z","status":"failed","resources":{"v1/Pod":[{"kind":"Pod"}]}},
"chart":{"values":{"password":"hunter2","manifest":"wrong"},"templates":[{"name":"t","data":"aGk="}]},
"config":{"manifest":"wrong","list":[[[1,null,true]]]},"manifest":"---\nkind: A\n","hooks":[{"manifest":"wrong"}],"version":7,"namespace":"shop"}`

func TestDecode(t *testing.T) {
	want := release{name: "web", manifest: "---\nkind: A\n", status: "failed", namespace: "shop", version: 7}
	for name, c := range map[string]struct {
		text     string
		inSecret bool
	}{
		"it reads a release from a Secret":           {storedRelease(t, document, true), true},
		"it reads a release from a ConfigMap":        {storedRelease(t, document, false), false},
		"it reads an uncompressed release of Helm 2": {encodeTwice([]byte(document)), true},
	} {
		t.Run(name, func(t *testing.T) {
			if have, err := decodeRelease(c.text, c.inSecret); err != nil || have != want {
				t.Errorf("have %+v, %v, want %+v", have, err, want)
			}
		})
	}
}

// Why a revision has failed is kept; what Helm says of others is not.
func TestDecodeFailures(t *testing.T) {
	for status, want := range map[string]string{"failed": "hooks failed", "deployed": ""} {
		text := storedRelease(t, `{"info":{"status":"`+status+`","description":"hooks failed"},"version":1}`, true)
		if have, err := decodeRelease(text, true); err != nil || have.failure != want {
			t.Errorf("of a revision that is %s: have %q, %v, want %q", status, have.failure, err, want)
		}
	}
}

// Revisions have the order of their numbers, and the time of the latest change.
func TestRevisionsOf(t *testing.T) {
	object := func(name, status, modified string) (m metav1.PartialObjectMetadata) {
		m.Name, m.Labels = name, map[string]string{"status": status, "modifiedAt": modified}
		m.CreationTimestamp = metav1.Unix(1000, 0)
		return m
	}
	mislabelled := object("sh.helm.release.v1.web.v11", "deployed", "")
	mislabelled.Labels["version"] = "12"
	have := revisionsOf([]metav1.PartialObjectMetadata{
		object("sh.helm.release.v1.web.v10", "pending-upgrade", ""), object("sh.helm.release.v1.web.v9", "deployed", "2000"),
		object("sh.helm.release.v1.web.v8", "superseded", "500"), object("sh.helm.release.v1.web.v1.v2", "deployed", ""),
		object("sh.helm.release.v1.web.v07", "deployed", ""), object("web", "deployed", ""),
		mislabelled,
	}, "web")
	want := []Revision{
		{Number: 8, Status: "superseded", Began: time.Unix(1000, 0)}, {Number: 9, Status: "deployed", Began: time.Unix(1000, 0), Since: time.Unix(2000, 0)},
		{Number: 10, Status: "pending-upgrade", Began: time.Unix(1000, 0), Since: time.Unix(1000, 0)},
	}
	if !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
}

// A storage object counts only if it has the type of Helm. The release in it must have the name, the
// namespace and the number of its metadata.
func TestCheckRevision(t *testing.T) {
	owner := Owner{Type: TypeHelm, Namespace: "shop", Name: "web"}
	for _, row := range []struct {
		it, kind, objectType string
		r                    release
		want                 string
	}{
		{"accepts a Secret", "Secret", releaseType, release{name: "web", namespace: "shop", version: 7}, ""},
		{"accepts a ConfigMap", "ConfigMap", "", release{name: "web", namespace: "shop", version: 7}, ""},
		{"refuses another type", "Secret", "Opaque", release{name: "web", namespace: "shop", version: 7}, `want the type helm.sh/release.v1, have "Opaque"`},
		{"refuses a Secret without a type", "Secret", "", release{name: "web", namespace: "shop", version: 7}, `want the type helm.sh/release.v1, have ""`},
		{"refuses an empty release", "Secret", releaseType, release{}, `want revision 7 of release web, have revision 0 of release ""`},
		{"refuses another release", "Secret", releaseType, release{name: "api", namespace: "shop", version: 7}, `want revision 7 of release web, have revision 7 of release "api"`},
		{"refuses another number", "ConfigMap", "", release{name: "web", namespace: "shop", version: 6}, `want revision 7 of release web, have revision 6 of release "web"`},
		{"accepts the target namespace of Flux", "Secret", releaseType, release{name: "web", namespace: "vault", version: 7}, ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			u := &unstructured.Unstructured{Object: map[string]any{"kind": row.kind, "type": row.objectType}}
			have := ""
			if err := checkRevision(u, row.r, owner, 7); err != nil {
				have = err.Error()
			}
			if have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}

func TestDecodeInvalidRelease(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write([]byte(document)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := z.Bytes()
	badSum := bytes.Clone(whole)
	badSum[len(badSum)-6] ^= 1
	for name, c := range map[string]struct{ text, want string }{
		"it is empty":                      {"", "want JSON, have something else"},
		"it is not base64":                 {"!!!!", "illegal base64 data at input byte 0"},
		"it is base64 only once":           {base64.StdEncoding.EncodeToString([]byte("!!!!")), "illegal base64 data at input byte 0"},
		"it is truncated":                  {encodeTwice(whole[:len(whole)/2]), "unexpected EOF"},
		"it has no checksum":               {encodeTwice(whole[:len(whole)-8]), "unexpected EOF"},
		"it has a wrong checksum":          {encodeTwice(badSum), "gzip: invalid checksum"},
		"its header is truncated":          {encodeTwice(whole[:6]), "gzip: unexpected EOF"},
		"it is not JSON":                   {storedRelease(t, `{"manifest":hunter2}`, true), "want JSON, have something else"},
		"it is a list":                     {storedRelease(t, `["hunter2"]`, true), "the whole: want object, have array"},
		"it is null":                       {storedRelease(t, `null`, true), "want an object, have null"},
		"its manifest is an object":        {storedRelease(t, `{"manifest":{"hunter2":1}}`, true), "manifest: want string, have object"},
		"its version is a string":          {storedRelease(t, `{"version":"hunter2"}`, true), "version: want whole number, have string"},
		"its version is a fraction":        {storedRelease(t, `{"version":1.5}`, true), "version: want whole number, have number"},
		"its info is a list":               {storedRelease(t, `{"info":["hunter2"]}`, true), "info: want object, have array"},
		"its status is a number":           {storedRelease(t, `{"info":{"status":3}}`, true), "info.status: want string, have number"},
		"it has trailing data":             {storedRelease(t, `{}{"manifest":"hunter2"}`, true), "want JSON, have something else"},
		"it is nested too deeply":          {storedRelease(t, `{"config":`+strings.Repeat("[", 1<<20), true), "want JSON, have something else"},
		"it has a value that is too large": {storedRelease(t, `{"config":"`+strings.Repeat("a", 65<<20)+`"}`, true), "it has more than 64 MiB after decompression"},
		"it has too many values":           {storedRelease(t, `{"config":[`+strings.Repeat("1,", 33<<20)+`1]}`, true), "it has more than 64 MiB after decompression"},
		"it has too much space":            {storedRelease(t, `{`+strings.Repeat(" ", 65<<20)+`}`, true), "it has more than 64 MiB after decompression"},
	} {
		t.Run(name, func(t *testing.T) {
			have, err := decodeRelease(c.text, true)
			if err == nil || err.Error() != c.want || have != (release{}) {
				t.Errorf("have %+v, error %v, want %s", have, err, c.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(document))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeRelease(encodeTwice(b), true)
		if err != nil && r != (release{}) {
			t.Errorf("have %+v with the error %v", r, err)
		}
		_, _ = refsOf(string(b))
		_, _ = parseInventoryID(string(b))
	})
}
