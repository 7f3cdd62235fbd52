// Package client sends requests to the API server for package source: discovery, lists, watches and
// gets.
//
// client.go connects. connections.go, stall.go and credentials.go detect a server that no
// longer responds. discovery.go and builtin.go find out how a kind is served. request.go
// reads objects, errors.go explains failures, and notes.go forwards notes.
package client
