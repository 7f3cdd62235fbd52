// Package client reaches the API server for package source: discovery, lists,
// watches and gets, with errors in the terms of a verdict.
//
// client.go connects, connections.go, stall.go and credentials.go notice when the
// server does not answer any more. discovery.go finds out how a kind is served,
// request.go reads objects, errors.go explains failures, and trim.go says what is
// never kept of an object.
package client
