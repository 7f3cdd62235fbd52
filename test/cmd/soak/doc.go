// Soak runs the engine for a long time on a real cluster that changes and breaks all the
// while, and holds everything that the engine says against what is so.
//
//	go run -race ./test/cmd/soak -time 30m -seed 1
//
// It starts a cluster of its own. Rounds of a minute follow each other: for most of it
// objects of many kinds are rolled out, scaled, crashed, deleted and made anew, and
// processes are killed and connections broken; then everything is mended, and when the
// engine has caught up its verdicts are compared with a fresh read of every object.
// Meanwhile every single verdict is checked, as it is told, against what was written to
// etcd. A line for each round and a verdict at the end tell what was done and seen. The
// exit code is 1 if anything was wrong.
//
// stage.go is the cluster, things.go its objects, control.go the controller of some, work.go
// what befalls them, breaks.go what breaks,
// waits.go those who wait, claims.go and compare.go the checks, measure.go memory,
// goroutines and requests.
package main
