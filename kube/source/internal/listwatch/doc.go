// Package listwatch reads the objects of a scope by a list and a watch, and goes
// on whatever happens: watches that end, history that has expired, servers that
// do not answer.
//
// Unlike an informer it keeps no objects, reports a deletion only once a read
// has confirmed it, and checks now and then that a watch has missed nothing.
//
// stream.go is the loop of lists and watches. position.go says where it has got
// to, consume.go what it takes from a watch, verify.go how it checks a watch,
// and pause.go how long it waits in between.
package listwatch
