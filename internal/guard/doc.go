// Package guard protects an API server from requests with manipulated names,
// and clients from endless responses.
//
// [CheckName] rejects a name that is not a valid path segment. All clients of
// this repository call it before they build a request from names. [Transport]
// is the second line of defense: it rejects paths that kstatus never needs,
// does not follow redirects, and limits responses.
package guard
