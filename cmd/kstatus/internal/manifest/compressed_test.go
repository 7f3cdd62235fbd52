package manifest_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/manifest"
)

// A file that gzip has compressed is read as its text.
func TestCompressedFiles(t *testing.T) {
	const text = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}}\n"
	var whole bytes.Buffer
	w := gzip.NewWriter(&whole)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		it         string
		compressed []byte
		want       string // the text, or the error
	}{
		{"is read", whole.Bytes(), text},
		{"is an error if its end is missing", whole.Bytes()[:whole.Len()-9], "decompress: unexpected EOF"},
		{"is an error if it only begins so", []byte("\x1f\x8bx"), "decompress: unexpected EOF"},
		{"is read if it is not compressed", []byte(text), text},
	} {
		t.Run(row.it, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.ndjson.gz")
			if err := os.WriteFile(file, row.compressed, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, in := range manifest.NewReader(t.Context(), strings.NewReader("")).ReadOne(file, false) {
				have := string(in.Text)
				if in.Err != nil {
					have = in.Err.Error()
				}
				if have != row.want {
					t.Errorf("have %q, want %q", have, row.want)
				}
			}
		})
	}
}
