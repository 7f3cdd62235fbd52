package guard

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
)

// These limit a response. A page of 500 objects of the largest size in etcd,
// and the OpenAPI document of a large cluster, are far below.
const (
	maxBody  = 256 << 20 // bytes of a response, decompressed.
	maxRead  = 256 << 20 // bytes of all responses of a transport that are being read.
	maxItems = 8 << 20   // commas and opening brackets of a response; each creates an element in memory.
	maxEvent = 16 << 20  // bytes of a watch event; client-go has the same limit for other encodings.
	maxLog   = 1 << 20   // bytes of a log.
)

// A budget limits what all responses of a transport take together while they are read. Otherwise a
// server could send as many large ones at a time as it names groups.
type budget struct {
	mu       sync.Mutex // guards the fields below
	read     int64      // bytes of the responses that are not closed
	exceeded int        // how often the limit was exceeded
}

// add adds bytes of a response that began when the limit was exceeded a number of times. It reports
// whether the response may be read on. If not, no other response that began before may be either.
func (b *budget) add(bytes int64, began int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read += bytes
	if b.exceeded == began && b.read > maxRead {
		b.exceeded++
	}
	return b.exceeded == began
}

// began returns how often the limit was exceeded so far.
func (b *budget) began() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.exceeded
}

// limit returns the body of a response. Reading beyond the limit, or beyond the budget, returns an
// error.
func (b *budget) limit(r *http.Request, response *http.Response) io.ReadCloser {
	switch watches := r.URL.Query().Get("watch"); {
	case response.StatusCode == http.StatusOK && (watches == "true" || watches == "1"):
		if format, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); !isJSON(format) {
			return response.Body // client-go limits each of its events
		}
		return &events{ReadCloser: response.Body}
	case strings.HasSuffix(r.URL.Path, "/log"):
		return &document{ReadCloser: response.Body, what: "log", bytes: maxLog, items: maxItems, budget: b, began: b.began()}
	}
	return &document{ReadCloser: response.Body, what: "answer", bytes: maxBody, items: maxItems, budget: b, began: b.began()}
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
	budget       *budget
	began        int   // in the budget
	held         int64 // bytes of the budget
}

// Close closes the body, and returns its bytes to the budget.
func (d *document) Close() error {
	err := d.ReadCloser.Close()
	d.budget.add(-d.held, d.began)
	d.held = 0
	return err
}

// Read reads until the document exceeds a limit.
func (d *document) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p[:min(int64(len(p)), d.bytes+1)])
	d.bytes -= int64(n)
	d.held += int64(n)
	inBudget := d.budget.add(int64(n), d.began)
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
	case !inBudget:
		return 0, fmt.Errorf("the answers that are read at a time have more than %d MiB", maxRead>>20)
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
