// Package race runs waits for custom resources against their controllers, on a real cluster:
// does a wait ever end before the controller has looked at what was applied?
//
// modes.go is the table of controllers, stage.go the cluster with their kinds and with users of
// several permissions, and run.go is one run with its check. The API server returns the version
// of the controller's first report on the generation. A verdict on an older version is early.
// pages.go contains the ways to wait that docs/guides/from-cli-utils.md shows. peer.go is the
// watcher of fluxcd/cli-utils on the same objects.
package race
