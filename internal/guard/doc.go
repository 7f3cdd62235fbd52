// Package guard protects the requests to an API server from names that lead elsewhere, and
// clients from answers that have no end.
//
// [CheckName] refuses a name that cannot be a segment of a path. All clients of this repository
// call it before they make a request of names. [Transport] is the second line of defence: it
// refuses paths that kstatus never needs, does not follow redirects, and limits answers.
package guard
