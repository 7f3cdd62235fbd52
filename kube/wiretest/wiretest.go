// Package wiretest lets tests in other modules use the API server in memory that tests of this
// module use. The server runs inside a bubble of testing/synctest, where time costs nothing.
//
//	server := wiretest.New(t, wiretest.Resource{Version: "v1", Kind: "ConfigMap", Name: "configmaps"})
//	server.Put(object)                                             // watches send it
//	server.On(wiretest.Rule{Times: 1, Reply: wiretest.Expired})    // the next request fails
//	client, err := dynamic.NewForConfig(server.Config())
package wiretest

import (
	"testing"

	"kstatus.dev/kube/internal/wiretest"
)

type (
	// A Server is an API server. Its methods may be called from any goroutine.
	Server = wiretest.Server
	// A Resource is a kind as the server serves it.
	Resource = wiretest.Resource
	// A Rule changes the answers to some requests.
	Rule = wiretest.Rule
	// A Match says which requests a rule answers: those that have every field that is set.
	Match = wiretest.Match
	// A Reply is what a rule answers. The server decides about fields that are not set.
	Reply = wiretest.Reply
	// An Event is one event of a watch.
	Event = wiretest.Event
	// An End is how an answer ends.
	End = wiretest.End
	// A Request is what a client has requested.
	Request = wiretest.Request
)

// The ends of an answer.
const (
	Complete = wiretest.Complete // as the server ends it; a watch continues
	Close    = wiretest.Close    // in good order
	Cut      = wiretest.Cut      // the connection ends within the answer
	Hang     = wiretest.Hang     // nothing follows, and the connection stays open
)

var (
	// Forbidden is the answer to a request that RBAC does not permit.
	Forbidden = wiretest.Forbidden
	// Expired is the answer to a request that needs history that the server has lost.
	Expired = wiretest.Expired
)

// New starts a server that ends with the test.
func New(t testing.TB, resources ...Resource) *Server { return wiretest.New(t, resources...) }

// EndOfList is the bookmark that ends a streamed list at a version.
func EndOfList(version string) Event { return wiretest.EndOfList(version) }
