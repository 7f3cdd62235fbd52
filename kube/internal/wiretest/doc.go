// Package wiretest is a Kubernetes API server in the memory of a test. It
// speaks the API's JSON conventions over HTTP: discovery, get, list with pages,
// watch with bookmarks, streamed lists, selectors, metadata-only answers and
// errors as a Status.
//
// A test changes its objects with [Server.Put] and [Server.Delete], changes what
// it answers with [Server.On], and reads what was requested from
// [Server.Requests]. Connections are in memory, so that the server runs inside
// a bubble of testing/synctest, where time costs nothing, as well as outside.
//
// server.go has the objects and their history, rule.go what a test may change
// about answers, request.go how requests are read, answer.go gets and lists,
// watch.go watches, and memory.go the connections.
package wiretest
