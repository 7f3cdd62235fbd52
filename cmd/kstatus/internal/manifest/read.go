// Package manifest reads files, directories, URLs and kustomizations, and splits them into
// objects with their file and line.
package manifest

import (
	"bytes"
	"compress/gzip"
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
)

// A Reader reads inputs. An input that cannot be read has an error, so that the others are still
// judged.
type Reader struct {
	ctx    context.Context // of the command that uses the reader
	in     io.Reader
	client *http.Client

	// NoRemote makes kustomizations with references to a server or a repository an error.
	NoRemote bool

	// Program is the program that builds kustomizations: this one, with BuildArgument. If it is
	// empty, kustomizations are built in this process.
	Program string
	Warn    func(string) // reports a warning of Program
}

// NewReader returns a reader whose requests end with ctx, and which reads "-" from in.
func NewReader(ctx context.Context, in io.Reader) Reader {
	return Reader{ctx: ctx, in: in, client: &http.Client{Timeout: time.Minute, CheckRedirect: sameServer}}
}

var (
	errOtherServer      = errors.New("a redirect to another server is not followed")
	errTooManyRedirects = errors.New("the server redirects more than 10 times")
)

// sameServer refuses redirects to another scheme, host or port. A server could otherwise choose
// what is read from the network of the caller.
func sameServer(next *http.Request, before []*http.Request) error {
	const most = 10
	from, to := before[0].URL, next.URL
	switch {
	case !strings.EqualFold(from.Hostname(), to.Hostname()) || from.Scheme != to.Scheme || port(from) != port(to):
		return fmt.Errorf("the server redirects to %s://%s: %w", to.Scheme, to.Host, errOtherServer)
	case len(before) >= most:
		return errTooManyRedirects
	}
	return nil
}

// port returns the port of a URL, also if it is the default of the scheme.
func port(u *url.URL) string {
	if u.Port() == "" {
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Port()
}

// An Input is a file, a URL or another source of objects. If it could not be read, it has an
// error.
type Input struct {
	Name  string
	Text  []byte
	Err   error
	named bool     // a file in the arguments, or standard input
	Items []Object // the objects of a kustomization, which has no text
}

// Documents splits inputs into documents.
func Documents(inputs []Input) (all []Document) {
	for _, in := range inputs {
		from := Source{File: in.Name}
		switch {
		case in.Err != nil:
			all = append(all, broken(from, in.Err))
		case in.Items != nil:
			all = append(all, Document{from: from, Items: in.Items})
		default:
			all = append(all, split(in.Name, utf8Text(in.Text))...)
		}
	}
	return all
}

// OpensWith reports whether the text of a named input begins with a pattern, within its first
// 256 bytes.
func (in Input) OpensWith(pattern *regexp.Regexp) bool {
	const enough = 256
	return in.named && in.Err == nil && pattern.Match(in.Text[:min(len(in.Text), enough)])
}

// Read reads the values of -f and -k.
func (r Reader) Read(names []string, recursive bool, kustomize string) (inputs []Input) {
	for _, name := range names {
		inputs = append(inputs, r.ReadOne(name, recursive)...)
	}
	if kustomize != "" {
		inputs = append(inputs, r.buildKustomization(kustomize))
	}
	return inputs
}

// ErrNoDefinitions is the error for an input without CustomResourceDefinitions.
var ErrNoDefinitions = errors.New("no CustomResourceDefinition in it")

// ReadOne reads one value of -f: "-", a URL, a file, a directory, or a pattern of file names.
func (r Reader) ReadOne(name string, recursive bool) (inputs []Input) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return []Input{r.url(name)}
	}
	TextReader{In: r.in, Recursive: recursive}.Each(name, func(found string, text []byte, err error) {
		if errors.Is(err, errNoManifests) {
			found = filepath.Clean(found)
		}
		if err == nil {
			text, err = decompressed(text)
		}
		inputs = append(inputs, Input{Name: found, Text: text, Err: err, named: found == name})
	})
	return inputs
}

// maxDecompressed is the maximum size of a compressed text, in bytes.
const maxDecompressed = 256 << 20

// decompressed returns a text that gzip has compressed, and other texts as they are.
func decompressed(text []byte) ([]byte, error) {
	if !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, nil
	}
	in, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(in, maxDecompressed+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("decompress: %w", err)
	case len(plain) > maxDecompressed:
		return nil, fmt.Errorf("decompress: it is larger than %d bytes", maxDecompressed)
	}
	return plain, nil
}

// url reads a URL. It retries after errors of the server.
func (r Reader) url(address string) Input {
	shown := address
	if u, err := url.Parse(address); err == nil {
		shown = u.Redacted()
	}
	const tries = 3
	for try := 1; ; try++ {
		text, again, err := r.fetch(address)
		if !again || try == tries {
			return Input{Name: shown, Text: text, Err: err}
		}
		select {
		case <-r.ctx.Done():
			return Input{Name: shown, Err: context.Cause(r.ctx)}
		case <-time.After(time.Duration(try) * 250 * time.Millisecond):
		}
	}
}

// fetch gets the body of a URL. again reports whether a retry may help.
func (r Reader) fetch(address string) (text []byte, again bool, err error) {
	const most = 1 << 30
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, !errors.Is(err, errOtherServer) && !errors.Is(err, errTooManyRedirects), err
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

// broken returns the document for a text that could not be read.
func broken(from Source, err error) Document {
	var path *fs.PathError
	if errors.As(err, &path) && filepath.Clean(path.Path) == filepath.Clean(from.File) {
		err = path.Err // the source has the name of the file
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	return Document{from: from, Items: []Object{{From: from, Err: err}}}
}

// utf8Text returns a text in UTF-8 without byte order marks. It converts a text that begins with
// the mark of UTF-16, since some shells write such files.
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
		return bytes.ReplaceAll(text, []byte("\n"+mark), []byte("\n")) // of concatenated files
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, order.Uint16(text[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}
