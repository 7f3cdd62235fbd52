package failure

import (
	"regexp"
	"strings"

	"kstatus.dev/internal/text"
	"kstatus.dev/redact"
)

// maxMessage is the most bytes of a message.
const maxMessage = 512

// maxText is how much of a text is read. What changes is removed before the text is cut, so the
// limit is higher than that of a message.
const maxText = 8 << 10

// changing matches what differs between equal failures, and its replacement. The order matters:
// URLs first.
var changing = []struct {
	pattern *regexp.Regexp
	with    string
}{
	// The credentials and the query of a URL. A query may also have credentials.
	{regexp.MustCompile(`\b([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/?#@"'<>]*@`), "$1"},
	{regexp.MustCompile(`\b([a-zA-Z][a-zA-Z0-9+.-]*://[^\s?#"'<>]*)[?#](?:[^\s"'<>),]*[^\s"'<>),.:;])?`), "$1"},
	// The ID of a request: "req-UUID", "(Request-ID: req-UUID)", "request id abc", "RequestId: abc",
	// "Neutron server returns request_ids: ['req-UUID']".
	{regexp.MustCompile(`(?i)\s*[(\[]?\b(?:x-)?(?:openstack-|amzn?-|ms-|goog-)?(?:global[-_ ]?)?(?:request|trace|correlation|operation|activity)[-_ ]?ids?\b["']?\s*(?:[:=]|\bis\b)?\s*["']?(?:req-)?[0-9a-f][0-9a-f-]{5,}["']?[)\]]?`), ""},
	{regexp.MustCompile(`(?i)\s*(?:Neutron server returns )?\brequest_ids: \[[^\]]*\]`), ""},
	{regexp.MustCompile(`(?i)\s*[(\[]?\breq-[0-9a-f]{8}[0-9a-f-]*\b[)\]]?`), ""},
	// The local end of a connection: "read tcp 10.0.0.1:41234->10.0.0.2:5000: …".
	{regexp.MustCompile(`\s?(?:\[[0-9a-fA-F:.%]+\]|[0-9.]+):\d+->`), " "},
	{regexp.MustCompile(`(?i)\b((?:connection|conn|stream)(?: id)?)[ =#:]+\d+\b`), "$1"},
	// Documents in base64, which may be secret. The longest digest is shorter.
	{regexp.MustCompile(`[A-Za-z0-9+/]{129,}={0,2}`), text.Ellipsis},
	// Addresses of objects in memory, and times.
	{regexp.MustCompile(`(?i)(?:\s+at)?\s+0x[0-9a-f]{6,16}\b`), ""},
	{regexp.MustCompile(`\s*\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?Z|\s?UTC|[+-]\d\d:?\d\d)?`), ""},
}

// Clean returns a text as a message has it: safe to print, on one line, and at most 512 bytes long.
// It has no secrets, and no words that differ between equal failures.
func Clean(s string) string {
	s = oneLine(text.Safe(text.CutWith(strings.ToValidUTF8(s, ""), maxText, "")))
	// Removing a text can join two parts to a new one, such as to the ID of a request.
	for range 4 {
		before := s
		for _, c := range changing {
			s = c.pattern.ReplaceAllString(s, c.with)
		}
		if s = oneLine(s); s == before {
			break
		}
	}
	return redact.Cut(s, maxMessage)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
