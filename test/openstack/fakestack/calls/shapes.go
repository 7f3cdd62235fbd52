package calls

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Shapes are the fields of all answers, by request and status, with their types. It is a transport
// that records them.
type Shapes struct {
	Next http.RoundTripper // makes the requests; nil: the default transport

	mu   sync.Mutex
	seen map[string]map[string]string
}

// RoundTrip makes a request and records the shape of its answer.
func (s *Shapes) RoundTrip(r *http.Request) (*http.Response, error) {
	next := s.Next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	path := "/" // without a version; the URLs of services differ
	for _, version := range []string{"/v2.0/", "/v2.1/", "/v2/", "/v3/"} {
		if _, after, ok := strings.Cut(r.URL.Path, version); ok {
			path = version + after
			break
		}
	}
	key := fmt.Sprintf("%s %s %d", r.Method, anonymous(path), answer.StatusCode)
	var decoded any
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]map[string]string{}
	}
	if s.seen[key] == nil {
		s.seen[key] = map[string]string{}
	}
	if json.Unmarshal(body, &decoded) == nil {
		shape(s.seen[key], "", decoded)
	}
	return answer, nil
}

// shape records the type of a value and of all that is in it. A type is better than null.
func shape(into map[string]string, path string, value any) {
	kind := fmt.Sprintf("%T", value)
	if value == nil {
		kind = ""
	}
	if into[path] == "" {
		into[path] = kind
	}
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			shape(into, path+"/"+name, v)
		}
	case []any:
		for _, v := range value {
			shape(into, path+"/*", v)
		}
	}
}

// free are objects whose members are data.
var free = []string{"/addresses/", "/metadata/", "/port_details/", "/catalog/"}

// Differences lists the answers and fields that a fake has and the real services do not have, or
// have with another type.
func Differences(fake, real *Shapes) []string {
	var found []string
	for _, key := range slices.Sorted(maps.Keys(fake.seen)) {
		if real.seen[key] == nil {
			found = append(found, key+": only the fake answers so")
			continue
		}
		for path, kind := range fake.seen[key] {
			isData := slices.ContainsFunc(free, func(f string) bool { return strings.Contains(path, f) })
			have, known := real.seen[key][path]
			switch {
			case isData, known && (have == kind || have == "" || kind == ""):
			case !known && elsewhere(path, real.seen[key]):
			case !known:
				found = append(found, fmt.Sprintf("%s: only the fake has the field %s", key, path))
			default:
				found = append(found, fmt.Sprintf("%s: the field %s is of type %s, want %s", key, path, kind, have))
			}
		}
	}
	return found
}

// elsewhere reports whether the real answer has no item, and so no field, in a list of the path.
func elsewhere(path string, real map[string]string) bool {
	for prefix := path; ; {
		i := strings.LastIndex(prefix, "/*")
		if i < 0 {
			return false
		}
		prefix = prefix[:i]
		if _, hasItem := real[prefix+"/*"]; real[prefix] == "[]interface {}" && !hasItem {
			return true
		}
	}
}
