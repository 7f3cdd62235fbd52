// Package race tests on a real cluster whether a wait for a custom resource ends before its
// controller has observed the applied spec.
//
// modes.go is the table of controllers, and environment.go the cluster with their kinds and with users of
// several permissions. run.go is one run with its check. The API server returns the version of the
// controller's first report on the generation. A verdict on an older version is early. pages.go
// contains the ways to wait that docs/guides/from-cli-utils.md shows. peer.go is the watcher of
// fluxcd/cli-utils on the same objects.
package race
