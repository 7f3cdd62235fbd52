package sets

import (
	"bufio"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// How large a release may be when it is decompressed, and how deep. An object
// of a cluster has at most 1.5 MB, of which gzip could make a thousand times as much.
const (
	mostBytes = 64 << 20
	deepest   = 500
)

var errTooLarge = fmt.Errorf("it has more than %d MiB when it is decompressed", mostBytes>>20)

// A release is what is read of a revision of a release. Its values, its chart and
// its hooks are skipped.
type release struct {
	manifest, status, namespace string
	version                     int64
}

// decode reads a release as Helm 3 and Helm 4 write it: JSON, compressed by
// gzip, in base64, and in a Secret in base64 once more. Errors say nothing of
// what is in it.
func decode(text string, inSecret bool) (release, error) {
	var in io.Reader = strings.NewReader(text)
	if inSecret {
		in = base64.NewDecoder(base64.StdEncoding, in)
	}
	plain := bufio.NewReader(base64.NewDecoder(base64.StdEncoding, in))
	in = plain
	// What is older than Helm's compression is not compressed.
	if magic, _ := plain.Peek(3); string(magic) == "\x1f\x8b\x08" {
		unzipped, err := gzip.NewReader(plain)
		if err != nil {
			return release{}, fmt.Errorf("gzip: %w", err)
		}
		in = unzipped
	}
	d := releaseDecoder{json: json.NewDecoder(&bounded{in, mostBytes})}
	r, err := d.release()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return r, err
}

// A bounded reader ends with an error, and not as if all had been read.
type bounded struct {
	from io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// A releaseDecoder reads a release token by token, so that nothing is held that
// is not wanted.
type releaseDecoder struct{ json *json.Decoder }

func (d releaseDecoder) release() (r release, err error) {
	err = d.object("", func(key string) error {
		switch key {
		case "manifest":
			return d.text(key, &r.manifest)
		case "namespace":
			return d.text(key, &r.namespace)
		case "version":
			return d.whole(key, &r.version)
		case "info":
			return d.object(key, func(key string) error {
				if key == "status" {
					return d.text("info.status", &r.status)
				}
				return d.skip()
			})
		}
		return d.skip()
	})
	if err != nil {
		return release{}, err
	}
	if _, err := d.json.Token(); !errors.Is(err, io.EOF) { // read to the end, where gzip holds a checksum
		if err == nil {
			err = errors.New("there is more after the end of the JSON object")
		}
		return release{}, err
	}
	return r, nil
}

// object reads an object, or null, and calls each with every key; each reads its value.
func (d releaseDecoder) object(field string, each func(key string) error) error {
	token, err := d.token()
	switch {
	case err != nil:
		return err
	case token == nil && field != "":
		return nil
	case token != json.Delim('{'):
		return unexpected(field, "an object", token)
	}
	for d.json.More() {
		key, err := d.token()
		if err != nil {
			return err
		}
		name, _ := key.(string) // it is one, or there was an error
		if err := each(name); err != nil {
			return err
		}
	}
	_, err = d.token()
	return err
}

func (d releaseDecoder) text(field string, to *string) error {
	token, err := d.token()
	if err != nil || token == nil {
		return err
	}
	text, ok := token.(string)
	if !ok {
		return unexpected(field, "a string", token)
	}
	*to = text
	return nil
}

func (d releaseDecoder) whole(field string, to *int64) error {
	token, err := d.token()
	if err != nil || token == nil {
		return err
	}
	number, ok := token.(float64)
	if !ok || number != float64(int64(number)) {
		return unexpected(field, "a whole number", token)
	}
	*to = int64(number)
	return nil
}

// skip reads a value and forgets it.
func (d releaseDecoder) skip() error {
	for depth := 0; ; {
		token, err := d.token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		switch {
		case depth == 0:
			return nil
		case depth > deepest:
			return fmt.Errorf("it is nested more than %d deep", deepest)
		}
	}
}

// token reads the next token. Of what is no JSON the place is told, and not what stands there.
func (d releaseDecoder) token() (json.Token, error) {
	token, err := d.json.Token()
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		err = fmt.Errorf("no JSON at byte %d", d.json.InputOffset())
	}
	return token, err
}

func unexpected(field, want string, token json.Token) error {
	if field == "" {
		field = "the whole"
	}
	have := shape(token)
	if token == json.Delim('[') {
		have = "a list"
	}
	return fmt.Errorf("%s: want %s, have %s", field, want, have)
}
