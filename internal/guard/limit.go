package guard

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// What an answer may have at most. A page of 500 objects that each fill what etcd accepts, and
// the OpenAPI document of a large cluster, stay far below.
const (
	maxBody  = 256 << 20 // bytes of an answer, decompressed
	maxItems = 8 << 20   // commas and opening brackets of an answer: each makes an element in memory
	maxEvent = 16 << 20  // bytes of one event of a watch; client-go accepts no more of other encodings
	maxLog   = 1 << 20   // bytes of a log
)

// limit returns the body of an answer, which fails after a limit.
func limit(r *http.Request, answer *http.Response) io.ReadCloser {
	switch watches := r.URL.Query().Get("watch"); {
	case answer.StatusCode == http.StatusOK && (watches == "true" || watches == "1"):
		if format, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); !isJSON(format) {
			return answer.Body // client-go limits each of its events
		}
		return &events{ReadCloser: answer.Body}
	case strings.HasSuffix(r.URL.Path, "/log"):
		return &document{ReadCloser: answer.Body, what: "log", bytes: maxLog, items: maxItems}
	}
	return &document{ReadCloser: answer.Body, what: "answer", bytes: maxBody, items: maxItems}
}

// isJSON reports whether a media type is JSON, or is not known.
func isJSON(format string) bool {
	return format == "" || strings.HasSuffix(format, "json") || strings.HasPrefix(format, "text/")
}

// A document is the body of an answer.
type document struct {
	io.ReadCloser
	what         string
	bytes, items int64 // how many more it may have
}

// Read reads until the document exceeds its limits.
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

// An events is the body of a watch in JSON: one value after the other.
type events struct {
	io.ReadCloser
	size    int  // bytes of the value that has begun
	depth   int  // of open brackets
	text    bool // within a string
	escaped bool // after a backslash in a string
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

// add takes the next byte.
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
