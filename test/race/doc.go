// Package race runs waits for custom resources against their controllers, on a
// real cluster: does a wait ever end before the controller has looked at what
// was applied?
//
// modes.go is the table of controllers, stage.go the cluster with their kinds and
// with users of several permissions, run.go one run and what it is held against:
// a verdict is early if it was made of a version that is older than the one by
// which the controller, as the API server answered it, first reported on the
// generation. pages.go has the ways to wait that docs/guides/from-cli-utils.md shows.
// peer.go is the watcher of fluxcd/cli-utils on the same objects.
package race
