// Package wiretest is a Kubernetes API server in the memory of a test. It follows
// the API's JSON conventions over HTTP: discovery, get, list with pages, watch with
// bookmarks, and streamed lists. It also supports selectors, metadata-only answers,
// and errors as a Status.
//
// A test changes its objects with [Server.Put] and [Server.Delete], changes what
// it answers with [Server.On], and reads what was requested from
// [Server.Requests]. Connections are in memory, so that the server runs inside
// a bubble of testing/synctest, where time costs nothing, as well as outside.
//
// server.go has the objects and their history, and memory.go the connections.
// request.go parses requests, answer.go answers gets and lists, patch.go merges
// patches, and watch.go serves watches. rule.go has the changes that a test may make
// to answers.
package wiretest
