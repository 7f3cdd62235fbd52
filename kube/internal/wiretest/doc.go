// Package wiretest is a Kubernetes API server in the memory of a test. It follows
// the API's JSON conventions over HTTP: discovery, get, list with pages, watch with
// bookmarks, and streamed lists. It creates, updates, patches and deletes objects, with
// preconditions, dry runs, finalizers and the subresource status. It also supports
// selectors, metadata-only answers, access reviews, and errors as a Status.
//
// A test changes its objects with [Server.Put], [Server.Edit] and [Server.Delete],
// changes what it answers with [Server.On] and [Server.Admit], and reads what was
// requested from [Server.Requests]. [Server.Follow] runs a controller. Connections are in memory, so that the server runs inside
// a bubble of testing/synctest, where time costs nothing, as well as outside.
//
// server.go has the objects and their history, and memory.go the connections.
// request.go parses requests, discovery.go answers those about kinds, and answer.go gets
// and lists. write.go and patch.go change objects, and watch.go serves watches. rule.go
// has the changes that a test may make to answers, and controller.go what plays a part of
// the cluster.
package wiretest
