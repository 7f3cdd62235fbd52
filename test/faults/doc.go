// Package faults puts a proxy between clients and the real API server, and
// makes things go wrong on the wire: nothing in the client is replaced, and
// what goes through is what the server really says.
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
//	if cut.Hits() == 0 { … }                     // a test shows that its fault has happened
//	p.Count(pods).Requests                       // what was asked, and how many bytes went each way
//
// # The faults
//
// Each is a value, whose zero fields mean the plainest form. Several at a time
// work together, in the order in which they were injected.
//
//	Answer         an HTTP status instead of an answer: 401, 403, 410, 429 with Retry-After, 500, 503 …
//	Delay          latency, with jitter; of watches each event
//	Silence        a black hole: the request is taken and never answered; open watches fall silent and stay open
//	Reset          the connection is reset, with all that is under way on it
//	Truncate       the body ends too early
//	Garbage        the body is no JSON
//	Trickle        the body comes a few bytes at a time
//	Cut            the watch ends, as watches do, after so many events or so much time
//	Expire         the watch ends with the event ERROR 410: too old resource version
//	Drop           events are missing
//	Duplicate      events come twice
//	Reorder        events come after those that followed them
//	Bookmarks      of each event only the bookmark comes: that there was one
//
// # What is spoken
//
// Clients reach the proxy by TLS on loopback, with HTTP/2 unless they decline it
// (rest.TLSClientConfig.NextProtos), as they reach a real API server. The proxy
// reaches the server by HTTP/2 too. The credentials that a request carries are
// passed on; a client certificate of the configuration given to [Start] is the
// proxy's own towards the server, since it cannot be passed on. Upgrades of a
// connection, as for exec, are not forwarded.
//
// What need not be understood is passed on as it is, in the encoding that client
// and server have agreed on. Only for faults that look at events is a watch
// restricted to JSON, when it is asked for. One that is open in another encoding
// when such a fault is injected is ended, so that the client asks anew.
//
// A watch that begins with the list (sendInitialEvents) delivers these events and
// the bookmark that ends them untouched by Drop, Duplicate, Reorder, Bookmarks
// and the counting of Cut and Expire, unless their Initial is set.
//
// proxy.go is the whole in short, match.go which requests are meant, inject.go how
// faults come and go, stream.go a watch and event.go what it consists of;
// fault_request.go, fault_body.go and fault_watch.go are the faults, count.go the
// counters, and wire.go the connections.
package faults
