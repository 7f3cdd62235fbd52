// Soak runs the engine for a long time on a real cluster that changes and breaks. It compares all
// verdicts of the engine with the real state of the objects.
//
//	go run -race ./test/cmd/soak -time 30m -seed 1
//
// It starts its own cluster and runs rounds of a minute. For most of a round, it rolls out,
// scales, crashes, deletes and recreates objects of many kinds, kills processes and breaks
// connections. Then it repairs everything, waits for the engine, and compares its verdicts with
// a fresh read of every object. All the time, it checks every single verdict against the writes
// to etcd. It prints a line for each round and a verdict at the end. The exit code is 1 if
// anything was wrong.
//
// run.go is the cluster, objects.go its objects, and controller.go the controller of some.
// changes.go has the changes of objects, faults.go the faults, and waits.go the waits. updates.go
// and compare.go are the checks, and measure.go measures memory, goroutines and requests.
package main
