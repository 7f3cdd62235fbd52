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
	"strings"
	"time"
	"unicode/utf16"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// A reader fetches inputs and cuts them into documents. What it cannot fetch
// is a piece with an error, so that all else is judged.
type reader struct {
	ctx    context.Context // of the one command that it reads for
	in     io.Reader
	client *http.Client
}

func newReader(ctx context.Context, in io.Reader) reader {
	return reader{ctx: ctx, in: in, client: &http.Client{Timeout: time.Minute}}
}

var errNoDefinitions = errors.New("no CustomResourceDefinition in it")

// named reads what one -f names: "-", a URL, a file, a directory, or a pattern
// of file names.
func (r reader) named(name string, recursive bool) []piece {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return r.url(name)
	}
	var pieces []piece
	textReader{in: r.in, recursive: recursive}.each(name, func(name string, text []byte, err error) {
		if errors.Is(err, errNoManifests) {
			name = filepath.Clean(name)
		}
		pieces = append(pieces, cut(name, text, err)...)
	})
	return pieces
}

// url reads a URL, trying again where the server is at fault.
func (r reader) url(address string) []piece {
	shown := address
	if u, err := url.Parse(address); err == nil {
		shown = u.Redacted()
	}
	const tries = 3
	for try := 1; ; try++ {
		text, again, err := r.fetch(address)
		if !again || try == tries {
			return cut(shown, text, err)
		}
		select {
		case <-r.ctx.Done():
			return broken(source{File: shown}, context.Cause(r.ctx))
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
func kustomized(dir string) []piece {
	from := source{File: dir}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return broken(from, fmt.Errorf("build kustomization: %w", err))
	}
	p := piece{from: from, items: []item{}}
	for _, resource := range resources.Resources() {
		object, err := resource.Map()
		p.items = append(p.items, item{object: object, from: from, err: err})
	}
	for _, item := range p.items {
		dropSecrets(item.object)
	}
	return []piece{p}
}

// cut cuts a text into documents.
func cut(name string, text []byte, err error) []piece {
	if err != nil {
		return broken(source{File: name}, err)
	}
	return split(name, utf8Text(text))
}

// broken is a piece that could not be read.
func broken(from source, err error) []piece {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the source names the file already
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	return []piece{{from: from, items: []item{{from: from, err: err}}}}
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
