// Package release decodes the Helm releases that Helm has stored in a cluster.
package release

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// maxBytes limits a decompressed release. An object has at most 1.5 MB,
// which gzip could expand a thousand times.
const maxBytes = 64 << 20

// A Release holds the used fields of a stored revision. Its values, chart and
// hooks are dropped.
type Release struct {
	Name, Namespace  string
	Manifest, Status string
	Failure          string // why it has failed; empty if it has not
	Version          int64
}

// Decode decodes a release of Helm 3 or Helm 4: base64 of gzip of JSON.
// In a Secret, it is encoded in base64 once more. Errors do not quote the
// release.
func Decode(text string, inSecret bool) (Release, error) {
	var in io.Reader = strings.NewReader(text)
	if inSecret {
		in = base64.NewDecoder(base64.StdEncoding, in)
	}
	packed := bufio.NewReader(base64.NewDecoder(base64.StdEncoding, in))
	in = packed
	// Very old versions of Helm do not compress.
	if magic, _ := packed.Peek(3); string(magic) == "\x1f\x8b\x08" {
		unpacked, err := gzip.NewReader(packed)
		if err != nil {
			return Release{}, fmt.Errorf("gzip: %w", err)
		}
		in = unpacked
	}
	document, err := io.ReadAll(io.LimitReader(in, maxBytes+1))
	defer clear(document)
	switch {
	case err != nil:
		return Release{}, err
	case len(document) > maxBytes:
		return Release{}, fmt.Errorf("it has more than %d MiB after decompression", maxBytes>>20)
	}
	return read(document)
}

// jsonNames maps kinds of Go types to JSON types.
var jsonNames = map[reflect.Kind]string{
	reflect.String: "string", reflect.Int64: "whole number", reflect.Struct: "object", reflect.Pointer: "object",
}

func read(document []byte) (Release, error) {
	var r *struct {
		Name      string `json:"name"`
		Manifest  string `json:"manifest"`
		Namespace string `json:"namespace"`
		Version   int64  `json:"version"`
		Info      struct {
			Status      string `json:"status"`
			Description string `json:"description"`
		} `json:"info"`
	}
	switch err := json.Unmarshal(document, &r); {
	case err == nil && r == nil:
		return Release{}, errors.New("want an object, have null")
	case err == nil:
		decoded := Release{Name: r.Name, Namespace: r.Namespace, Manifest: r.Manifest, Status: r.Info.Status, Version: r.Version}
		if decoded.Status == "failed" {
			decoded.Failure = r.Info.Description
		}
		return decoded, nil
	default:
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			have, _, _ := strings.Cut(wrong.Value, " ") // the text after the first word is the number itself
			return Release{}, fmt.Errorf("%s: want %s, have %s", cmp.Or(wrong.Field, "the whole"), jsonNames[wrong.Type.Kind()], have)
		}
		return Release{}, errors.New("want JSON, have something else")
	}
}
