package guard

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"":                             "",
		"web":                          "",
		"system:controller:job":        "",
		"image@sha256:00":              "",
		"a?b#c":                        "", // clients escape these
		"..web":                        "",
		strings.Repeat("a", maxName):   "",
		".":                            "it is a path",
		"..":                           "it is a path",
		"..;x":                         "it is a path",
		"../a":                         `it contains "/"`,
		"a/b":                          `it contains "/"`,
		"a%2fb":                        `it contains "%"`,
		`..\a`:                         `it contains "\\"`,
		"a\nb":                         "it contains a control character",
		"a\x00":                        "it contains a control character",
		"a\xff":                        "it is not UTF-8",
		strings.Repeat("a", 1+maxName): "it has more than 1024 bytes",
	} {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			err := CheckName("object", name)
			refused, is := errors.AsType[*NameError](err)
			switch {
			case want == "" && err != nil, want != "" && (!is || refused.Problem != want):
				t.Errorf("have %v, want %q", err, want)
			}
		})
	}
}

func TestErrorsOfNamesAreShort(t *testing.T) {
	err := CheckName("namespace", strings.Repeat("../\u202e", 100_000))
	if text := err.Error(); len(text) > 1000 || strings.ContainsAny(text, "\u202e\n") || !strings.HasPrefix(text, `no namespace can have the name "../`) {
		t.Errorf("have %.2000s", text)
	}
}

func TestPaths(t *testing.T) {
	const server = "https://example.com:6443/clusters/c"
	for address, want := range map[string]string{
		server + "/version":                                        "",
		server + "/api":                                            "",
		server + "/apis/apps/v1":                                   "",
		server + "/openapi/v3/apis/apps/v1?hash=1":                 "",
		server + "/api/v1/pods?watch=true":                         "",
		server + "/api/v1/namespaces/shop":                         "",
		server + "/api/v1/namespaces/shop/status":                  "",
		server + "/api/v1/namespaces/shop/pods/web/log":            "",
		server + "/apis/apps/v1/namespaces/shop/deployments/a%3Fb": "",
		"HTTPS://EXAMPLE.COM:6443/clusters/c/api":                  "",

		"https://example.com/clusters/c/api":       "it is not at https://example.com:6443",
		"http://example.com:6443/clusters/c/api":   "it is not at",
		"https://example.com:6443/api":             `it is not below "/clusters/c"`,
		"https://example.com:6443/clusters/cc/api": "it is not below",
		server:                                "it is not below",
		server + "/":                          "its segment 1 is not a valid name: it is empty",
		server + "/healthz":                   "kstatus does not need /healthz",
		server + "/version/x":                 "kstatus does not need /version",
		server + "/api/":                      "its segment 2 is not a valid name",
		server + "/api//v1":                   "its segment 2 is not a valid name",
		server + "/api/v1/../../../other":     "its segment 3 is not a valid name: it is a path",
		server + "/api/v1/pods/%2e%2e":        "its segment 4 is not a valid name: it is a path",
		server + "/api/v1/pods/a%2fb":         `its segment 4 is not a valid name: it contains "/"`,
		server + "/api/v1/pods/a%252fb":       `its segment 4 is not a valid name: it contains "%"`,
		server + "/api/v1/nodes/n1/proxy":     "kstatus does not need the subresource proxy",
		server + "/api/v1/nodes/n1/proxy/run": "kstatus does not need the subresource proxy/run",
		server + "/api/v1/namespaces/shop/services/a:80/proxy":     "kstatus does not need the subresource proxy",
		server + "/api/v1/namespaces/shop/pods/web/exec":           "kstatus does not need the subresource exec",
		server + "/api/v1/namespaces/shop/pods/web/attach":         "kstatus does not need the subresource attach",
		server + "/api/v1/namespaces/shop/pods/web/portforward":    "kstatus does not need the subresource portforward",
		server + "/api/v1/namespaces/shop/pods/web/eviction":       "kstatus does not need the subresource eviction",
		server + "/api/v1/namespaces/shop/serviceaccounts/a/token": "kstatus does not need the subresource token",
		server + "/api/v1/namespaces/shop/pods/web/log/x":          "kstatus does not need the subresource log/x",
		server + "/api/v1/proxy/nodes/n1":                          "kstatus does not need /proxy",
		server + "/api/v1/watch/pods":                              "kstatus does not need /watch",
		server + "/apis/apps/v1/proxy/x":                           "kstatus does not need /proxy",
	} {
		t.Run(address, func(t *testing.T) {
			sent := 0
			client := clientFor(t, server, func(*http.Request) *http.Response {
				sent++
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}
			})
			answer, err := client.Get(address)
			if err == nil {
				answer.Body.Close()
			}
			switch {
			case want == "" && (err != nil || sent != 1):
				t.Errorf("have %v and %d requests, want one", err, sent)
			case want != "" && (err == nil || sent != 0 || !strings.Contains(err.Error(), want)):
				t.Errorf("have %v and %d requests, want none and %q", err, sent, want)
			}
		})
	}
}

// clientFor returns a client with guarded requests. A function answers them.
func clientFor(t *testing.T, server string, answer func(*http.Request) *http.Response) *http.Client {
	base, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Transport: Transport(base, roundTrip(answer))}
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			sent := 0
			client := clientFor(t, "https://example.com", func(*http.Request) *http.Response {
				sent++
				return &http.Response{StatusCode: code, Header: http.Header{"Location": {"/api/v1/pods"}}, Body: http.NoBody}
			})
			answer, err := client.Get("https://example.com/version")
			if err == nil {
				answer.Body.Close()
			}
			if sent != 1 || err == nil || !strings.Contains(err.Error(), `the server redirects to "/api/v1/pods", but kstatus does not follow redirects`) {
				t.Errorf("have %v after %d requests", err, sent)
			}
		})
	}
}

// repeatingReader is a text that repeats.
type repeatingReader struct {
	begin, then string
	at          int
}

func (e *repeatingReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		from := e.then
		at := e.at - len(e.begin)
		if at < 0 {
			from, at = e.begin, e.at
		}
		c := copy(p[n:], from[at%len(from):])
		n, e.at = n+c, e.at+c
	}
	return n, nil
}

func TestResponsesAreLimited(t *testing.T) {
	big := strings.Repeat(" ", 1<<16)
	for _, row := range []struct {
		it, path string
		format   string
		body     io.Reader
		want     string
		max      int64 // the number of bytes to read
	}{
		{"limits a document", "/api/v1/pods", "application/json", &repeatingReader{begin: `{"a": "`, then: big}, "the answer has more than 256 MiB", maxBody + 1},
		{"limits a list of empty items", "/api/v1/pods", "application/json", &repeatingReader{begin: `{"items": [`, then: strings.Repeat("{},", 1000)}, "the answer has more than 8 million values", 16 << 20},
		{"limits a log", "/api/v1/namespaces/a/pods/b/log", "text/plain", &repeatingReader{then: big}, "the log has more than 1 MiB", maxLog + 1},
		{"limits an event of a watch", "/api/v1/pods?watch=true", "application/json", &repeatingReader{begin: `{"type":"ADDED"}` + "\n" + `{"a": "\"}`, then: big}, "an event of the watch has more than 16 MiB", maxEvent + 1<<16},
		{"limits an event of many lines", "/api/v1/pods?watch=1", "application/json", &repeatingReader{begin: `{"a": [`, then: strings.Repeat("\n{},", 1000)}, "an event of the watch has more than 16 MiB", maxEvent + 1<<16},
	} {
		t.Run(row.it, func(t *testing.T) {
			counted := &counter{Reader: row.body}
			client := clientFor(t, "https://example.com", func(*http.Request) *http.Response {
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {row.format}}, Body: io.NopCloser(counted)}
			})
			answer, err := client.Get("https://example.com" + row.path)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if _, err := io.Copy(io.Discard, answer.Body); err == nil || err.Error() != row.want {
				t.Errorf("have %v, want %s", err, row.want)
			}
			if counted.n > row.max {
				t.Errorf("%d bytes are read, want at most %d", counted.n, row.max)
			}
		})
	}
}

type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// Events within the limit are read, in any number, and so are responses that are not JSON.
func TestWatchesAreNotLimited(t *testing.T) {
	event := `{"type": "MODIFIED", "object": {"a": ["}", "\\", "` + strings.Repeat("x", 1<<20) + `"]}}` + "\n"
	for format, body := range map[string]string{
		"application/json":                    strings.Repeat(event, 40),
		"application/vnd.kubernetes.protobuf": strings.Repeat("{", maxEvent+1),
	} {
		t.Run(format, func(t *testing.T) {
			client := clientFor(t, "https://example.com", func(*http.Request) *http.Response {
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {format}}, Body: io.NopCloser(strings.NewReader(body))}
			})
			answer, err := client.Get("https://example.com/api/v1/pods?watch=true")
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != int64(len(body)) {
				t.Errorf("have %d bytes and %v, want %d", n, err, len(body))
			}
		})
	}
}

// The size of a compressed response is its size after decompression.
func TestCompressedResponsesAreLimited(t *testing.T) {
	var bomb bytes.Buffer
	w, err := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, &repeatingReader{then: strings.Repeat("a", 1<<16)}, maxBody+1<<20); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb.Bytes()) // the client closes the connection
	}))
	defer s.Close()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: Transport(base, http.DefaultTransport)}
	answer, err := client.Get(s.URL + "/api/v1/pods")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, answer.Body)
	if err == nil || err.Error() != "the answer has more than 256 MiB" || n > maxBody {
		t.Errorf("have %d bytes and %v from %d", n, err, bomb.Len())
	}
}

// A path with any name as a segment is requested if and only if the name is valid. The server
// reads it as one segment.
func FuzzNamesInPaths(f *testing.F) {
	for _, name := range []string{"web", "..", "../x", "a%2fb", "a;b", "?a=b", "#", "a b", "\u202e", "proxy", "\x00", "%", `\`, "...", "%2e%2e"} {
		f.Add(name)
	}
	base := &url.URL{Scheme: "https", Host: "example.com", Path: "/base"}
	f.Fuzz(func(t *testing.T, name string) {
		var seen *http.Request
		transport := Transport(base, roundTrip(func(r *http.Request) *http.Response {
			seen = r
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}
		}))
		u := *base
		u.Path = "/base/api/v1/namespaces/" + name + "/pods/" + name
		legal := name != "" && CheckName("object", name) == nil
		_, err := transport.RoundTrip(&http.Request{Method: http.MethodGet, URL: &u})
		if legal != (err == nil) {
			t.Fatalf("%q: legal is %t, and the request ends with %v", name, legal, err)
		}
		if seen == nil {
			return
		}
		parsed, err := url.ParseRequestURI(seen.URL.RequestURI())
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		parts := strings.Split(parsed.EscapedPath(), "/")
		if len(parts) != 8 || parsed.RawQuery != "" {
			t.Fatalf("%q: the server sees %s", name, seen.URL.RequestURI())
		}
		if have, err := url.PathUnescape(parts[7]); err != nil || have != name {
			t.Fatalf("%q: the server sees the name %q, %v", name, have, err)
		}
	})
}
