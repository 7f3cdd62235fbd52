// Package client reaches the API server for package source: discovery, lists, watches and gets,
// with errors in the terms of a verdict.
//
// client.go connects; connections.go, stall.go and credentials.go detect a server that no longer
// responds. discovery.go finds out how a kind is served, request.go reads objects, errors.go
// explains failures, and trim.go drops the parts of an object that are never kept.
package client
