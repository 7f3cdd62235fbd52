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
	"os"
	"path/filepath"
	"slices"
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

var (
	errNoDefinitions = errors.New("no CustomResourceDefinition in it")
	errNoManifests   = errors.New("no .yaml, .yml or .json file in the directory; with -R subdirectories are looked into too")
)

// named reads what one -f names: "-", a URL, a file, a directory, or a pattern
// of file names.
func (r reader) named(name string, recursive bool) []piece {
	switch {
	case name == "-":
		text, err := io.ReadAll(r.in)
		return cut(name, text, err)
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		return r.url(name)
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, "*?[") {
		return r.pattern(name, recursive)
	}
	switch {
	case err != nil:
		return broken(source{File: name}, err)
	case info.IsDir():
		return r.directory(name, recursive)
	}
	return r.file(name)
}

func (r reader) file(name string) []piece {
	text, err := os.ReadFile(name)
	return cut(name, text, err)
}

func (r reader) pattern(pattern string, recursive bool) []piece {
	names, err := filepath.Glob(pattern)
	if err == nil && len(names) == 0 {
		err = errors.New("no file matches the pattern")
	}
	if err != nil {
		return broken(source{File: pattern}, err)
	}
	var pieces []piece
	for _, name := range names {
		pieces = append(pieces, r.named(name, recursive)...)
	}
	return pieces
}

// directory reads the manifests of a directory in the order of their names.
func (r reader) directory(dir string, recursive bool) []piece {
	var pieces []piece
	found := manifestsIn(dir, recursive, func(path string, err error) {
		if err != nil {
			pieces = append(pieces, broken(source{File: path}, err)...)
			return
		}
		pieces = append(pieces, r.file(path)...)
	})
	if !found && len(pieces) == 0 {
		return broken(source{File: filepath.Clean(dir)}, errNoManifests)
	}
	return pieces
}

// manifestsIn names the manifests of a directory in the order of their names, and
// what cannot be looked at with its error. It reports whether there is a manifest.
// Links to files are followed, links to directories are not, so there are no
// loops; what a mounted volume keeps in directories that begin with ".." would
// be seen twice, and is left out.
func manifestsIn(dir string, recursive bool, name func(path string, err error)) (found bool) {
	dir = filepath.Clean(dir)
	visit := func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			name(path, err)
			return fs.SkipDir
		case entry.IsDir():
			if path != dir && (!recursive || strings.HasPrefix(entry.Name(), "..")) {
				return fs.SkipDir
			}
			return nil
		case !isManifest(path):
			return nil
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil
		}
		found = true
		name(path, nil)
		return nil
	}
	// The trailing separator has a link to a directory followed if it is named itself.
	if err := filepath.WalkDir(dir+string(filepath.Separator), visitClean(visit)); err != nil {
		name(dir, err)
	}
	return found
}

// visitClean has a walk give clean paths.
func visitClean(visit fs.WalkDirFunc) fs.WalkDirFunc {
	return func(path string, entry fs.DirEntry, err error) error { return visit(filepath.Clean(path), entry, err) }
}

func isManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
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
