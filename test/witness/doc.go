// Package witness tells what is so in a test cluster, by ways that the engine does not
// use, so that what the engine says can be held against it.
//
// live.go reads single objects from the API server, as they are now. etcd.go reads every
// version of the objects of some kinds from etcd itself, in the order in which they were
// written, past the API server and while that is away: nothing is missed and nothing is
// late. claims.go says when an update of the engine contradicts either.
package witness
