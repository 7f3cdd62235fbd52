package sets

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

// How large a release may be when it is decompressed. An object of a cluster has
// at most 1.5 MB, of which gzip could make a thousand times as much.
const maxReleaseBytes = 64 << 20

// A release is what is kept of a revision of a release. Its values, its chart and
// its hooks are not.
type release struct {
	manifest, status, namespace string
	failure                     string // why it has failed; empty if it has not
	version                     int64
}

// decodeRelease reads a release as Helm 3 and Helm 4 write it: JSON, compressed by
// gzip, in base64, and in a Secret in base64 once more. Errors say nothing of
// what is in it.
func decodeRelease(text string, inSecret bool) (release, error) {
	var in io.Reader = strings.NewReader(text)
	if inSecret {
		in = base64.NewDecoder(base64.StdEncoding, in)
	}
	packed := bufio.NewReader(base64.NewDecoder(base64.StdEncoding, in))
	in = packed
	// What is older than Helm's compression is not compressed.
	if magic, _ := packed.Peek(3); string(magic) == "\x1f\x8b\x08" {
		unpacked, err := gzip.NewReader(packed)
		if err != nil {
			return release{}, fmt.Errorf("gzip: %w", err)
		}
		in = unpacked
	}
	document, err := io.ReadAll(io.LimitReader(in, maxReleaseBytes+1))
	defer clear(document)
	switch {
	case err != nil:
		return release{}, err
	case len(document) > maxReleaseBytes:
		return release{}, fmt.Errorf("it has more than %d MiB when it is decompressed", maxReleaseBytes>>20)
	}
	return readRelease(document)
}

// What the values of a release are called in JSON.
var jsonNames = map[reflect.Kind]string{
	reflect.String: "string", reflect.Int64: "whole number", reflect.Struct: "object", reflect.Pointer: "object",
}

func readRelease(document []byte) (release, error) {
	var r *struct {
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
		return release{}, errors.New("want an object, have null")
	case err == nil:
		read := release{manifest: r.Manifest, status: r.Info.Status, namespace: r.Namespace, version: r.Version}
		if read.status == "failed" {
			read.failure = r.Info.Description
		}
		return read, nil
	default:
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			have, _, _ := strings.Cut(wrong.Value, " ") // which number it is comes after that
			return release{}, fmt.Errorf("%s: want %s, have %s", cmp.Or(wrong.Field, "the whole"), jsonNames[wrong.Type.Kind()], have)
		}
		return release{}, errors.New("want JSON, have something else")
	}
}
