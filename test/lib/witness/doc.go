// Package witness reads the state of a test cluster without the engine, so that tests can
// compare the engine's reports with it.
//
// The file live.go reads single objects from the API server, in their present state. The file
// etcd.go reads every version of the objects of some kinds from etcd, in the order of their
// writes. It bypasses the API server, so it works during an outage, and misses and delays no
// version. The file differs.go finds contradictions between an update of the engine and either.
package witness
