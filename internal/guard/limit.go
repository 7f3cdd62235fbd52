package guard

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// These limit a response. A page of 500 objects of the largest size in etcd,
// and the OpenAPI document of a large cluster, are far below.
const (
	maxBody  = 256 << 20 // bytes of a response, decompressed.
	maxItems = 8 << 20   // commas and opening brackets of a response; each creates an element in memory.
	maxEvent = 16 << 20  // bytes of a watch event; client-go has the same limit for other encodings.
	maxLog   = 1 << 20   // bytes of a log.
)

// limit returns the body of a response. Reading beyond the limit returns an
// error.
func limit(r *http.Request, response *http.Response) io.ReadCloser {
	switch watches := r.URL.Query().Get("watch"); {
	case response.StatusCode == http.StatusOK && (watches == "true" || watches == "1"):
		if format, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); !isJSON(format) {
			return response.Body // client-go limits each of its events
		}
		return &events{ReadCloser: response.Body}
	case strings.HasSuffix(r.URL.Path, "/log"):
		return &document{ReadCloser: response.Body, what: "log", bytes: maxLog, items: maxItems}
	}
	return &document{ReadCloser: response.Body, what: "answer", bytes: maxBody, items: maxItems}
}

// isJSON reports whether a media type is JSON or unknown.
func isJSON(format string) bool {
	return format == "" || strings.HasSuffix(format, "json") || strings.HasPrefix(format, "text/")
}

// A document is the body of a response.
type document struct {
	io.ReadCloser
	what         string
	bytes, items int64 // the remaining limits
}

// Read reads until the document exceeds a limit.
func (d *document) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p[:min(int64(len(p)), d.bytes+1)])
	d.bytes -= int64(n)
	for _, mark := range []byte(",[{") {
		d.items -= int64(bytes.Count(p[:n], []byte{mark}))
	}
	switch {
	case d.bytes < 0 && d.what == "log":
		return 0, fmt.Errorf("the %s has more than %d MiB", d.what, maxLog>>20)
	case d.bytes < 0:
		return 0, fmt.Errorf("the %s has more than %d MiB", d.what, maxBody>>20)
	case d.items < 0:
		return 0, fmt.Errorf("the %s has more than %d million values", d.what, maxItems>>20)
	}
	return n, err
}

// An events is the body of a JSON watch: consecutive values.
type events struct {
	io.ReadCloser
	size    int  // bytes of the current value.
	depth   int  // number of open brackets.
	text    bool // inside of a string.
	escaped bool // after a backslash in a string.
}

// Read reads until one value exceeds the limit.
func (e *events) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	for _, c := range p[:n] {
		e.add(c)
		if e.size > maxEvent {
			return 0, fmt.Errorf("an event of the watch has more than %d MiB", maxEvent>>20)
		}
	}
	return n, err
}

// add processes the next byte.
func (e *events) add(c byte) {
	e.size++
	switch {
	case e.escaped:
		e.escaped = false
	case e.text:
		e.escaped = c == '\\'
		e.text = c != '"'
	case c == '"':
		e.text = true
	case c == '{' || c == '[':
		e.depth++
	case c == '}' || c == ']':
		e.depth--
		if e.depth <= 0 {
			e.size, e.depth = 0, 0
		}
	case e.depth == 0 && (c == '\n' || c == ' ' || c == '\t' || c == '\r'):
		e.size = 0
	}
}
