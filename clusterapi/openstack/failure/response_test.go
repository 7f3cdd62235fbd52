package failure

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestFromResponse(t *testing.T) {
	date := http.Header{"Date": {"Mon, 02 Nov 2026 10:00:00 GMT"}}
	with := func(pairs ...string) http.Header {
		h := date.Clone()
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	for _, row := range []struct {
		name    string
		code    int
		header  http.Header
		class   Class
		reason  string
		known   bool
		after   time.Duration
		until   Until
		scope   Scope
		endless bool // only Until ends it
	}{
		{name: "too many requests", code: 429, class: RateLimited, reason: "RateLimited", scope: ScopeTenant},
		{name: "too many requests, with seconds", code: 429, header: with("Retry-After", "17"), class: RateLimited, reason: "RateLimited", after: 17 * time.Second, scope: ScopeTenant},
		{name: "too many requests, with a date", code: 498, header: with("Retry-After", "Mon, 02 Nov 2026 10:02:00 GMT"), class: RateLimited, reason: "RateLimited", after: 2 * time.Minute, scope: ScopeTenant},
		{name: "a date in the past", code: 429, header: with("Retry-After", "Mon, 02 Nov 2026 09:00:00 GMT"), class: RateLimited, reason: "RateLimited", scope: ScopeTenant},
		{name: "a date, and no clock to compare it with", code: 429, header: http.Header{"Retry-After": {"Mon, 02 Nov 2026 10:02:00 GMT"}}, class: RateLimited, reason: "RateLimited", scope: ScopeTenant},
		{name: "the seconds of a rate limit", code: 429, header: with("X-RateLimit-Reset", "30.5"), class: RateLimited, reason: "RateLimited", after: 30500 * time.Millisecond, scope: ScopeTenant},
		{name: "the time of a rate limit", code: 429, header: with("X-RateLimit-Reset", "1793613660"), class: RateLimited, reason: "RateLimited", after: time.Minute, scope: ScopeTenant},
		{name: "the rate limit of the draft standard", code: 429, header: with("RateLimit-Reset", "5"), class: RateLimited, reason: "RateLimited", after: 5 * time.Second, scope: ScopeTenant},
		{name: "a rate limit that is not exceeded", code: 503, header: with("X-RateLimit-Reset", "1800"), class: ServiceUnavailable, reason: "ServiceUnavailable", scope: ScopeEndpoint},
		{name: "too large, below a rate limit", code: 413, header: with("X-RateLimit-Reset", "1800"), class: TooLarge, reason: "InvalidConfiguration", known: true, until: UntilGeneration, endless: true},
		{name: "a pause of years", code: 429, header: with("Retry-After", "99999999"), class: RateLimited, reason: "RateLimited", after: time.Hour, scope: ScopeTenant},
		{name: "a pause that is no number", code: 429, header: with("Retry-After", "NaN"), class: RateLimited, reason: "RateLimited", scope: ScopeTenant},
		{name: "a negative pause", code: 429, header: with("Retry-After", "-5"), class: RateLimited, reason: "RateLimited", scope: ScopeTenant},
		{name: "internal error", code: 500, class: ServiceUnavailable, reason: "ServiceUnavailable", scope: ScopeEndpoint},
		{name: "unavailable, with seconds", code: 503, header: with("Retry-After", "8"), class: ServiceUnavailable, reason: "ServiceUnavailable", after: 8 * time.Second, scope: ScopeEndpoint},
		{name: "unavailable", code: 599, class: ServiceUnavailable, reason: "ServiceUnavailable", scope: ScopeEndpoint},
		{name: "the server waited too long", code: 408, class: ServiceUnavailable, reason: "ServiceUnavailable", scope: ScopeEndpoint},
		{name: "not authenticated", code: 401, class: Credentials, reason: "CredentialsInvalid", known: true, until: UntilCredentials, scope: ScopeTenant},
		{name: "forbidden", code: 403, class: Credentials, reason: "Forbidden", known: true, until: UntilCredentials, scope: ScopeTenant},
		{name: "not found", code: 404, class: DependencyNotFound, reason: "DependencyNotFound", known: true, until: UntilDependency},
		{name: "gone", code: 410, class: DependencyNotFound, reason: "DependencyNotFound", known: true, until: UntilDependency},
		{name: "conflict", code: 409, class: Conflict, reason: "Conflict", known: true, until: UntilGeneration, endless: true},
		{name: "bad request", code: 400, class: InvalidRequest, reason: "InvalidConfiguration", known: true, until: UntilGeneration, endless: true},
		{name: "unprocessable", code: 422, class: InvalidRequest, reason: "InvalidConfiguration", known: true, until: UntilGeneration, endless: true},
		{name: "too large", code: 413, class: TooLarge, reason: "InvalidConfiguration", known: true, until: UntilGeneration, endless: true},
		{name: "too large for now", code: 413, header: with("Retry-After", "4"), class: RateLimited, reason: "RateLimited", after: 4 * time.Second, scope: ScopeTenant},
		{name: "not acceptable", code: 406, class: Unsupported, reason: "UnsupportedCloud", known: true, until: UntilGeneration | UntilCredentials, scope: ScopeEndpoint, endless: true},
		{name: "not implemented", code: 501, class: Unsupported, reason: "UnsupportedCloud", known: true, until: UntilGeneration | UntilCredentials, scope: ScopeEndpoint, endless: true},
		{name: "a redirect", code: 302, class: InternalError, reason: "InternalError"},
		{name: "no status", code: 0, class: InternalError, reason: "InternalError"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := FromResponse(Response{Service: "compute", Method: "POST", Code: row.code, Header: row.header})
			if f.Class != row.class || f.Reason != row.reason || f.Known != row.known || f.Until != row.until || f.Scope != row.scope || f.Terminal() != row.endless {
				t.Errorf("have %+v (terminal: %v), want %+v", *f, f.Terminal(), row)
			}
			if f.Retry.After != row.after {
				t.Errorf("Retry-After is %v, want %v", f.Retry.After, row.after)
			}
			if (f.Class == RateLimited) != (f.Grace == 5*time.Minute) {
				t.Errorf("Grace is %v", f.Grace)
			}
		})
	}
}

// TestMessages covers the shapes of bodies: which of their words are in a message.
func TestMessages(t *testing.T) {
	const head = "the service rejects the request (400)"
	secret := strings.Repeat("c2VjcmV0", 40)
	for _, row := range []struct{ name, body, want string }{
		{"nothing", "", head},
		{"blanks", " \n\t", head},
		{"plain text", "no such zone\n", head + ": no such zone"},
		{"message", `{"message":"no such zone"}`, head + ": no such zone"},
		{"error with a message", `{"error":{"code":403,"message":"no such zone","errors":[{"message":"other"}]}}`, head + ": no such zone"},
		{"error as text", `{"error":"no such zone"}`, head + ": no such zone"},
		{"OAuth", `{"error":"invalid_grant","error_description":"no such zone"}`, head + ": no such zone"},
		{"list of errors", `{"errors":[{"detail":"no such zone"}]}`, head + ": no such zone"},
		{"RFC 9457", `{"type":"about:blank","title":"Bad Request","detail":"no such zone"}`, head + ": no such zone"},
		{"only a title", `{"title":"Bad Request"}`, head + ": Bad Request"},
		{"another name", `{"badRequest":{"code":400,"message":"no such zone"}}`, head + ": no such zone"},
		{"WSME", `{"faultcode":"Client","faultstring":"no such zone","debuginfo":null}`, head + ": no such zone"},
		{"error before other names", `{"aaa":{"message":"other"},"error":{"message":"no such zone"}}`, head + ": no such zone"},
		{"text with another name", `{"badRequest":"no such zone"}`, head + ": no such zone"},
		{"a list", `[{"message":"no such zone"}]`, head + ": no such zone"},
		{"a string", `"no such zone"`, head + ": no such zone"},
		{"without text", `{"code":7}`, head},
		{"message of another type", `{"message":7}`, head},
		{"too deep", `{"a":{"a":{"a":{"a":{"a":{"message":"deep"}}}}}}`, head},
		{"not quite JSON", `{"message":`, head + `: {"message":`},
		{"page", "<html><head><title>400 Bad Request</title></head><body><h1>400 Bad Request</h1>\nno such zone &amp; more<br /><br /></body></html>", head + ": no such zone & more"},
		{"page of a proxy", "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>", head + ": 502 Bad Gateway"},
		{"page without a heading", "<!DOCTYPE html><title>Sorry</title><script>evil()</script><p>text", head + ": Sorry"},
		{"page that does not end", "<html><script>evil(", head},
		{"line breaks of a page", `{"message":"no such zone<br /><br />\n\n\n"}`, head + ": no such zone"},
		{"request ID", `{"message":"Unexpected API Error. (HTTP 500) (Request-ID: req-0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e)"}`, head + ": Unexpected API Error. (HTTP 500)"},
		{"request ID without a name", `{"message":"failed [req-0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e] again"}`, head + ": failed again"},
		{"request ID of another cloud", `{"message":"slow down, request id: 8c1f6a8e-8f5b-4ef0-9c0c-6f1c0a6d3e51"}`, head + ": slow down,"},
		{"list of request IDs", `{"message":"address in use\nNeutron server returns request_ids: ['req-0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e']"}`, head + ": address in use"},
		{"URL", `{"message":"GET https://user:pw@compute.example.com:8774/servers?name=a&x=1#y: timeout"}`, head + ": GET https://compute.example.com:8774/servers: timeout"},
		{"local port", `{"message":"read tcp 10.0.0.7:41234->10.0.0.2:5000: reset"}`, head + ": read tcp 10.0.0.2:5000: reset"},
		{"local port of IPv6", `{"message":"read tcp [fd00::7]:41234->[fd00::2]:5000: reset"}`, head + ": read tcp [fd00::2]:5000: reset"},
		{"stream", `{"message":"stream error: stream ID 17; CANCEL"}`, head + ": stream error: stream ID; CANCEL"},
		{"address of an object", `{"message":"bad value <Port object at 0x7f3a9c1d2e50>"}`, head + ": bad value <Port object>"},
		{"time", `{"message":"locked since 2026-11-02T10:00:00.123Z by admin"}`, head + ": locked since by admin"},
		{"ID of an object", `{"message":"port 0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e is in use"}`, head + ": port 0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e is in use"},
		{"user data", `{"message":"user_data: ` + secret + ` is too long"}`, head + ": user_data: … is too long"},
		{"password", `{"message":"login with password=hunter2 refused"}`, head + ": login with password=<redacted> refused"},
		{"control characters", "no\x1b[31m such\u202e zone", head + ": no\ufffd[31m such\ufffd zone"},
		{"not UTF-8", "no such\xff\xfe zone", head + ": no such zone"},
		{"not text", "\x00\x01PNG", head},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := FromResponse(Response{Code: 400, Body: []byte(row.body)}).Message; have != row.want {
				t.Errorf("have %q\nwant %q", have, row.want)
			}
		})
	}
}

func TestMessagesAreBounded(t *testing.T) {
	for name, body := range map[string][]byte{
		"text":            bytes.Repeat([]byte("ä"), 4<<20),
		"page":            append([]byte("<html>"), bytes.Repeat([]byte("<b>x</b> "), 1<<20)...),
		"page of one tag": append([]byte("<"), bytes.Repeat([]byte("x"), 4<<20)...),
		"JSON":            []byte(`{"message":"` + strings.Repeat("x ", 1<<20) + `"}`),
		"nested JSON":     []byte(strings.Repeat("[", 1<<20)),
		"large JSON":      []byte(`{"message":"` + strings.Repeat("ü ", 200_000) + `"}`),
		"digits":          bytes.Repeat([]byte("1:1->"), 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			m := FromResponse(Response{Service: strings.Repeat("s", 4096), Method: strings.Repeat("M", 4096), Code: 500, Body: body}).Message
			if len(m) > maxMessage || !utf8.ValidString(m) || strings.ContainsAny(m, "\r\n") {
				t.Errorf("message of %d bytes: %q", len(m), m)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzFromResponse(f *testing.F) {
	f.Add("compute", "POST", 429, "17", "Mon, 02 Nov 2026 10:00:00 GMT", []byte(`{"error":{"message":"x"}}`))
	f.Add("", "", 503, "Mon, 02 Nov 2026 10:02:00 GMT", "", []byte("<html><h1>503</h1>x<br>(Request-ID: req-0f0e7c5e-5d3e)"))
	f.Add("network", "GET", 400, "1e308", "x", []byte("read tcp 1.2.3.4:55->6.7.8.9:80: 2026-11-02T10:00:00Z at 0x7f3a9c1d2e50 https://u:p@h/?q"))
	f.Fuzz(func(t *testing.T, service, method string, code int, after, date string, body []byte) {
		r := Response{Service: service, Method: method, Code: code, Header: http.Header{"Retry-After": {after}, "Date": {date}}, Body: body}
		have := FromResponse(r)
		if again := FromResponse(r); *again != *have {
			t.Fatalf("first %+v, then %+v", *have, *again)
		}
		m := have.Message
		if m == "" || len(m) > maxMessage || !utf8.ValidString(m) || strings.ContainsAny(m, "\r\n\x00\x1b") {
			t.Errorf("message %q", m)
		}
		if again := Clean(m); again != m {
			t.Errorf("message %q\ncleaned again %q", m, again)
		}
		if have.Retry.After < 0 || have.Retry.After > time.Hour {
			t.Errorf("Retry-After %v", have.Retry.After)
		}
		if d := have.Retry.Delay(3, 0.5); d < 0 || d < have.Retry.After {
			t.Errorf("delay %v", d)
		}
		// A request ID, a local port and a time that differ give the same message.
		variable := func(id, port, at string) string {
			text := string(body[:min(len(body), 100)]) + " req-" + id + " 10.0.0.7:" + port + "->10.0.0.2:80 2026-11-02T10:00:" + at + "Z"
			return FromResponse(Response{Code: code, Body: []byte(strings.ReplaceAll(text, "\x00", ""))}).Message
		}
		if len(body) > 0 && (body[0] == '<' || body[0] == '{' || body[0] == '[' || body[0] == '"') {
			return // a document, of which this is no part
		}
		one, two := variable("0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e", "41234", "01"), variable("1a1b7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e", "55555", "59")
		if one != two {
			t.Errorf("equal failures have the messages\n%q\n%q", one, two)
		}
	})
}
