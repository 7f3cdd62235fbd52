package messages

import "strings"

// Errors maps texts in the errors of programs to their meanings. A row matches a text
// that contains one of its Words, which are in lower case.
type Errors []struct {
	Words   []string
	Meaning string
}

// Find returns the meaning of the first row that matches a text.
func (all Errors) Find(text string) (meaning string, ok bool) {
	text = strings.ToLower(text)
	for _, e := range all {
		if HasAny(text, e.Words...) {
			return e.Meaning, true
		}
	}
	return "", false
}

// ConnectionError returns the meaning of a connection error. Runtimes report such errors
// about registries, kubelets about containers, and API servers about webhooks.
func ConnectionError(text string) (meaning string, ok bool) { return connectionErrors.Find(text) }

var connectionErrors = Errors{
	{[]string{"proxyconnect tcp"}, "the proxy rejects the connection"},
	{[]string{"certificate has expired or is not yet valid", "certificate has expired"}, "its certificate has expired or is not yet valid"},
	{[]string{"certificate signed by unknown authority", "unable to get local issuer certificate"}, "its certificate is signed by an unknown authority"},
	{[]string{"x509: certificate is valid for", "x509: certificate is not valid for any names", "cannot validate certificate for", "relies on legacy common name"}, "its certificate is for another name"},
	{[]string{"x509:"}, "its certificate is not accepted"},
	{[]string{"server gave http response to https client", "first record does not look like a tls handshake"}, "it serves HTTP, not HTTPS"},
	{[]string{"tls handshake timeout"}, "the TLS handshake timed out"},
	{[]string{"remote error: tls", "tls: "}, "TLS fails"},
	{[]string{"no such host", "server misbehaving", "temporary failure in name resolution", "could not resolve host"}, "its name cannot be resolved"},
	{[]string{"connection refused"}, "connection refused"},
	{[]string{"no route to host", "network is unreachable", "host is unreachable", "host is down"}, "no route to host"},
	{[]string{"connection reset by peer"}, "connection reset"},
	{[]string{"i/o timeout", "context deadline exceeded", "client.timeout", "timeout exceeded", "request canceled while waiting", "connection timed out", "operation timed out", "timed out"}, "the request timed out"},
	{[]string{": eof", "unexpected eof"}, "the connection was closed early"},
}
