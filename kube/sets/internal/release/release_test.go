package release

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"
)

// stored returns a document as Helm keeps it, in a Secret or else in a ConfigMap.
func stored(t *testing.T, document string, inSecret bool) string {
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
	want := Release{Name: "web", Manifest: "---\nkind: A\n", Status: "failed", Namespace: "shop", Version: 7}
	for name, c := range map[string]struct {
		text     string
		inSecret bool
	}{
		"it reads a release from a Secret":           {stored(t, document, true), true},
		"it reads a release from a ConfigMap":        {stored(t, document, false), false},
		"it reads an uncompressed release of Helm 2": {encodeTwice([]byte(document)), true},
	} {
		t.Run(name, func(t *testing.T) {
			if have, err := Decode(c.text, c.inSecret); err != nil || have != want {
				t.Errorf("have %+v, %v, want %+v", have, err, want)
			}
		})
	}
}

// Why a revision has failed is kept; what Helm says of others is not.
func TestDecodeFailures(t *testing.T) {
	for status, want := range map[string]string{"failed": "hooks failed", "deployed": ""} {
		text := stored(t, `{"info":{"status":"`+status+`","description":"hooks failed"},"version":1}`, true)
		if have, err := Decode(text, true); err != nil || have.Failure != want {
			t.Errorf("of a revision that is %s: have %q, %v, want %q", status, have.Failure, err, want)
		}
	}
}

func TestDecodeInvalid(t *testing.T) {
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
		"it is not JSON":                   {stored(t, `{"manifest":hunter2}`, true), "want JSON, have something else"},
		"it is a list":                     {stored(t, `["hunter2"]`, true), "the whole: want object, have array"},
		"it is null":                       {stored(t, `null`, true), "want an object, have null"},
		"its manifest is an object":        {stored(t, `{"manifest":{"hunter2":1}}`, true), "manifest: want string, have object"},
		"its version is a string":          {stored(t, `{"version":"hunter2"}`, true), "version: want whole number, have string"},
		"its version is a fraction":        {stored(t, `{"version":1.5}`, true), "version: want whole number, have number"},
		"its info is a list":               {stored(t, `{"info":["hunter2"]}`, true), "info: want object, have array"},
		"its status is a number":           {stored(t, `{"info":{"status":3}}`, true), "info.status: want string, have number"},
		"it has trailing data":             {stored(t, `{}{"manifest":"hunter2"}`, true), "want JSON, have something else"},
		"it is nested too deeply":          {stored(t, `{"config":`+strings.Repeat("[", 1<<20), true), "want JSON, have something else"},
		"it has a value that is too large": {stored(t, `{"config":"`+strings.Repeat("a", 65<<20)+`"}`, true), "it has more than 64 MiB after decompression"},
		"it has too many values":           {stored(t, `{"config":[`+strings.Repeat("1,", 33<<20)+`1]}`, true), "it has more than 64 MiB after decompression"},
		"it has too much space":            {stored(t, `{`+strings.Repeat(" ", 65<<20)+`}`, true), "it has more than 64 MiB after decompression"},
	} {
		t.Run(name, func(t *testing.T) {
			have, err := Decode(c.text, true)
			if err == nil || err.Error() != c.want || have != (Release{}) {
				t.Errorf("have %+v, error %v, want %s", have, err, c.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(document))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode(encodeTwice(b), true)
		if err != nil && r != (Release{}) {
			t.Errorf("have %+v with the error %v", r, err)
		}
	})
}
