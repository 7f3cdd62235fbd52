// Package faults injects network faults with a proxy between clients and the real API server. It
// replaces no part of the client, and forwards the real responses of the server.
//
//	p := faults.Start(t, c.Config())             // ends with the test; outside of tests: New and Close
//	config := p.Config()                         // for client-go: as before, but through the proxy
//	file, err := p.Kubeconfig(t.TempDir())       // the same, for commands
//
//	pods := faults.Match{Verbs: []string{"watch"}, Resources: []string{"pods"}}
//	cut := p.Inject(pods, faults.Cut{Events: 3}) // from now on, for watches that are open already too
//	slow := p.Inject(faults.Match{}, faults.Delay{Min: 50 * time.Millisecond, Jitter: 100 * time.Millisecond})
//	…
//	cut.Off()
//	if cut.Hits() == 0 { … }                     // a test proves that its fault has happened
//	p.Count(pods).Requests                       // the requests, and the bytes in each direction
//
// # The faults
//
// Each fault is a value; zero fields mean its simplest form. Several faults apply in the order
// of their injection.
//
//	Answer         an HTTP error status: 401, 403, 410, 429 with Retry-After, 500, 503 …
//	Delay          latency, with jitter; in watches, of each event
//	Silence        a black hole: no response to the request; open watches send nothing and stay open
//	Reset          the connection is reset, with all its requests
//	Truncate       the body ends too early
//	Garbage        the body is not JSON
//	Trickle        the body arrives a few bytes at a time
//	Cut            the watch ends normally after a number of events or a time
//	Expire         the watch ends with the event ERROR 410: too old resource version
//	Drop           events are missing
//	Duplicate      events are sent twice
//	Reorder        events are sent after their successors
//	Bookmarks      each event is replaced by a bookmark
//
// # Protocols
//
// Clients reach the proxy by TLS on loopback, with HTTP/2 unless they disable it
// (rest.TLSClientConfig.NextProtos), like a real API server. The proxy uses HTTP/2 to the
// server too. It forwards the credentials of a request. A client certificate in the
// configuration for [Start] cannot be forwarded; the proxy itself uses it for the server. The
// proxy does not forward upgrades of a connection, such as for exec.
//
// The proxy forwards bodies unchanged, in the encoding that client and server have negotiated.
// Only for faults that read events, it restricts the requests of watches to JSON. If such a
// fault is injected, it ends the open watches in other encodings, so that the client reopens
// them.
//
// A watch may begin with the list (sendInitialEvents). Unless Initial is set, Drop, Duplicate,
// Reorder and Bookmarks do not change these initial events and their final bookmark. Cut and Expire
// do not count them then.
//
// proxy.go is the proxy, match.go selects requests, inject.go adds and removes faults,
// stream.go is a watch, and event.go its events. fault_request.go, fault_body.go and
// fault_watch.go are the faults, count.go the counters, and wire.go the connections.
package faults
