package writes

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/decoded"
)

// A Recorder sees the requests of clients that change objects, and the
// responses of the server. It also sees rejected writes, and writes that change
// nothing. Use it as
//
//	config.Wrap(recorder.Wrap)
//
// The zero value is ready for use. A Recorder must not be copied; many
// goroutines may send requests through it.
type Recorder struct {
	// Kinds to record, as lamps.example.com or *.example.com. None means all except
	// Events and Leases.
	Kinds []string
	// OnWrite receives each write, one call at a time. Nil is for a Recorder that only
	// a [Cluster] uses.
	OnWrite func(audit.Write)

	once  sync.Once
	kinds *kindNames

	mu       sync.Mutex // guards the fields below, and calls of OnWrite.
	stream   *stream
	followed map[schema.GroupResource]bool // by the stream.
}

// maxBody limits how much of a response is read before it is returned. If it is
// larger, only the object's identity is reported.
const maxBody = 4 << 20

// attach also reports writes of the stream's kinds to the stream, until end is
// called.
func (r *Recorder) attach(s *stream, kinds []watchedKind) (end func()) {
	if r == nil {
		return func() {}
	}
	wanted := map[schema.GroupResource]bool{}
	for _, kind := range kinds {
		wanted[kind.resource.GroupResource()] = !kind.related
		r.kindNames().add(kind.resource.GroupResource(), kind.kind)
	}
	set := func(s *stream, wanted map[schema.GroupResource]bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.stream, r.followed = s, wanted
	}
	set(s, wanted)
	return func() { set(nil, nil) }
}

func (r *Recorder) kindNames() *kindNames {
	r.once.Do(func() { r.kinds = newKindNames() })
	return r.kinds
}

// Wrap returns a transport that sends requests by next and records them. It requests
// the answers to writes as JSON, whatever the client accepts.
func (r *Recorder) Wrap(next http.RoundTripper) http.RoundTripper {
	return recordingTransport{r, next}
}

type recordingTransport struct {
	recorder *Recorder
	next     http.RoundTripper
}

// WrappedRoundTripper returns the transport that sends the requests.
func (t recordingTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// RoundTrip sends a request and records it.
func (t recordingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	at, ok := addressOf(req.URL.Path)
	verb := verbOf(req, at)
	if !ok || verb == "" || !t.recorder.isWanted(at) {
		return t.next.RoundTrip(req)
	}
	if accept := req.Header.Get("Accept"); !strings.Contains(accept, "as=") {
		req = req.Clone(req.Context())
		req.Header.Set("Accept", "application/json")
	}
	if at.name == "" {
		at.name = nameIn(req)
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	a := answer{address: at, request: audit.Request{
		ID: resp.Header.Get("Audit-Id"), Verb: verb, Subresource: at.subresource,
		User: req.Header.Get("Impersonate-User"), Agent: req.Header.Get("User-Agent"), Code: resp.StatusCode,
	}}
	a.body = bodyOf(resp)
	if w, ok := a.write(t.recorder.kindNames()); ok {
		t.recorder.report(at, w)
	}
	return resp, nil
}

// isWanted reports whether OnWrite or the stream needs writes of a resource.
func (r *Recorder) isWanted(a address) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.OnWrite != nil && filter(r.Kinds).matches(a) || r.isFollowed(a)
}

// isFollowed reports whether the stream watches a resource.
func (r *Recorder) isFollowed(a address) bool {
	return r.followed[a.resource.GroupResource()] && filter{"*"}.matches(a)
}

func (r *Recorder) report(a address, w audit.Write) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.Time = now()
	if r.OnWrite != nil && filter(r.Kinds).matches(a) {
		r.OnWrite(w)
	}
	if r.stream != nil && r.isFollowed(a) && w.Type != audit.WriteDeleted { // the watch reports deletions
		r.stream.report(w)
	}
}

// nameIn returns the name in the body of a create request. It is empty if the
// server generates it, or if the body is not JSON.
func nameIn(req *http.Request) string {
	if req.GetBody == nil || !isJSON(req.Header) || req.ContentLength > maxBody {
		return ""
	}
	body, err := req.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxBody))
	if err != nil {
		return ""
	}
	return decoded.Text(decodeObject(data), "metadata", "name")
}

// bodyOf decodes the body of a response, and makes it readable again.
func bodyOf(resp *http.Response) map[string]any {
	if resp.Body == nil || !isJSON(resp.Header) || resp.Header.Get("Content-Encoding") != "" {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	rest := io.Reader(resp.Body)
	if err != nil {
		rest = errorReader{err}
	}
	resp.Body = restoredBody{io.MultiReader(bytes.NewReader(data), rest), resp.Body}
	if err != nil || len(data) > maxBody {
		return nil
	}
	return decodeObject(data)
}

type restoredBody struct {
	io.Reader
	io.Closer
}

// errorReader is a body that returns an error.
type errorReader struct{ err error }

// Read returns the error.
func (b errorReader) Read([]byte) (int, error) { return 0, b.err }

func isJSON(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "application/json"
}
