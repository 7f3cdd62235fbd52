package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf16"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// A reader fetches inputs. What it cannot fetch is an input with an error, so
// that all else is judged.
type reader struct {
	ctx    context.Context // of the one command that it reads for
	in     io.Reader
	client *http.Client
}

func newReader(ctx context.Context, in io.Reader) reader {
	return reader{ctx: ctx, in: in, client: &http.Client{Timeout: time.Minute}}
}

// An input is a file, URL or other source of objects as it was read, or why it
// could not be.
type input struct {
	name  string
	text  []byte
	err   error
	named bool   // a file that was named itself, or standard input
	items []item // the objects of a kustomization, which is built and not read
}

// pieces cuts inputs into documents.
func pieces(inputs []input) (all []piece) {
	for _, in := range inputs {
		from := source{File: in.name}
		switch {
		case in.err != nil:
			all = append(all, broken(from, in.err))
		case in.items != nil:
			all = append(all, piece{from: from, items: in.items})
		default:
			all = append(all, split(in.name, utf8Text(in.text))...)
		}
	}
	return all
}

// opensWith reports whether the text of a named input begins with a pattern,
// within its first 256 bytes.
func (in input) opensWith(pattern *regexp.Regexp) bool {
	const enough = 256
	return in.named && in.err == nil && pattern.Match(in.text[:min(len(in.text), enough)])
}

// all reads what -f and -k name.
func (r reader) all(names []string, recursive bool, kustomize string) (inputs []input) {
	for _, name := range names {
		inputs = append(inputs, r.named(name, recursive)...)
	}
	if kustomize != "" {
		inputs = append(inputs, kustomized(kustomize))
	}
	return inputs
}

var errNoDefinitions = errors.New("no CustomResourceDefinition in it")

// named reads what one -f names: "-", a URL, a file, a directory, or a pattern
// of file names.
func (r reader) named(name string, recursive bool) (inputs []input) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return []input{r.url(name)}
	}
	textReader{in: r.in, recursive: recursive}.each(name, func(found string, text []byte, err error) {
		if errors.Is(err, errNoManifests) {
			found = filepath.Clean(found)
		}
		inputs = append(inputs, input{name: found, text: text, err: err, named: found == name})
	})
	return inputs
}

// url reads a URL, trying again where the server is at fault.
func (r reader) url(address string) input {
	shown := address
	if u, err := url.Parse(address); err == nil {
		shown = u.Redacted()
	}
	const tries = 3
	for try := 1; ; try++ {
		text, again, err := r.fetch(address)
		if !again || try == tries {
			return input{name: shown, text: text, err: err}
		}
		select {
		case <-r.ctx.Done():
			return input{name: shown, err: context.Cause(r.ctx)}
		case <-time.After(time.Duration(try) * 250 * time.Millisecond):
		}
	}
}

// fetch gets the body of a URL, and says whether it is worth trying again.
func (r reader) fetch(address string) (text []byte, again bool, err error) {
	const most = 1 << 30
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, true, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, response.StatusCode >= 500, fmt.Errorf("the server answers %s", response.Status)
	}
	text, err = io.ReadAll(io.LimitReader(response.Body, most+1))
	if err == nil && len(text) > most {
		err = fmt.Errorf("it is larger than %d bytes", most)
	}
	return text, err != nil && len(text) <= most, err
}

// kustomized builds a directory with a kustomization.
func kustomized(dir string) input {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return input{name: dir, err: fmt.Errorf("build kustomization: %w", err)}
	}
	in := input{name: dir, items: []item{}}
	for _, resource := range resources.Resources() {
		object, err := resource.Map()
		in.items = append(in.items, item{object: object, from: source{File: dir}, err: err})
	}
	for _, item := range in.items {
		dropSecrets(item.object)
	}
	return in
}

// broken is a piece that could not be read.
func broken(from source, err error) piece {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the source names the file already
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	return piece{from: from, items: []item{{from: from, err: err}}}
}

// utf8Text returns a text without byte order marks, and in UTF-8 if it begins
// with the mark of UTF-16, in which some shells write their output to files.
func utf8Text(text []byte) []byte {
	const mark = "\ufeff"
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		text = bytes.TrimPrefix(text, []byte(mark))
		return bytes.ReplaceAll(text, []byte("\n"+mark), []byte("\n")) // of files that were joined
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, order.Uint16(text[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}
