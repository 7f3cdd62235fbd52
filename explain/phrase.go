package explain

import "strings"

// mostRead is how much of one message is read: what tells the cause stands near
// the beginning, and nobody is to make this slow with a message of a megabyte.
const mostRead = 8 << 10

// read returns the part of a message that is read.
func read(message string) string { return message[:min(len(message), mostRead)] }

// between returns what stands between two marks; not ok if both are not there.
func between(text, start, end string) (found string, ok bool) {
	_, rest, ok := strings.Cut(text, start)
	if !ok {
		return "", false
	}
	found, _, ok = strings.Cut(rest, end)
	return found, ok
}

// after returns what follows a mark, empty if the mark is not there.
func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// hasAny reports whether one of the phrases is in a text of lower case.
func hasAny(text string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// A phrase is words by which a program tells what is wrong, in lower case, and
// what they mean.
type phrase struct {
	words []string // one of them
	say   string
}

// meaning returns what the first phrase of a table means that is in a text.
func meaning(table []phrase, text string) (string, bool) {
	text = strings.ToLower(text)
	for _, p := range table {
		if hasAny(text, p.words...) {
			return p.say, true
		}
	}
	return "", false
}

// What the errors of connections say, whoever makes them: a runtime to a
// registry, a kubelet to a container, an API server to a webhook.
var connectionErrors = []phrase{
	{[]string{"proxyconnect tcp"}, "the proxy on the way does not let it through"},
	{[]string{"certificate has expired or is not yet valid", "certificate has expired"}, "its certificate has expired or is not yet valid"},
	{[]string{"certificate signed by unknown authority", "unable to get local issuer certificate"}, "its certificate is signed by an unknown authority"},
	{[]string{"x509: certificate is valid for", "x509: certificate is not valid for any names", "cannot validate certificate for", "relies on legacy common name"}, "its certificate is for another name"},
	{[]string{"x509:"}, "its certificate is not accepted"},
	{[]string{"server gave http response to https client", "first record does not look like a tls handshake"}, "it speaks plain HTTP where TLS is expected"},
	{[]string{"tls handshake timeout"}, "no TLS handshake in time"},
	{[]string{"remote error: tls", "tls: "}, "TLS fails"},
	{[]string{"no such host", "server misbehaving", "temporary failure in name resolution", "could not resolve host"}, "its name cannot be resolved"},
	{[]string{"connection refused"}, "connection refused"},
	{[]string{"no route to host", "network is unreachable", "host is unreachable", "host is down"}, "no route to it"},
	{[]string{"connection reset by peer"}, "connection reset"},
	{[]string{"i/o timeout", "context deadline exceeded", "client.timeout", "timeout exceeded", "request canceled while waiting", "connection timed out", "operation timed out", "timed out"}, "no answer in time"},
	{[]string{": eof", "unexpected eof"}, "the connection ended early"},
}

// A word of one text that is set in quotation marks after another word:
// quotedAfter(`secret "a" not found`, `secret "`) is a.
func quotedAfter(text, mark string) string {
	name, ok := between(text, mark, `"`)
	if !ok || strings.ContainsAny(name, " \\") {
		return ""
	}
	return name
}
