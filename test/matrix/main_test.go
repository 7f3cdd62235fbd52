// Package matrix holds the engine to its promises while the cluster around it breaks
// and changes: one test for each fault of a process, and for each way in which kinds,
// namespaces, objects and controllers come and go.
//
// Everything is the real thing: the engine is an observe.Watcher on kube/source, the
// cluster is the real one, processes are killed by SIGKILL. The one thing that is ours
// is the line between the two, which can be cut, so that something happens while the
// engine cannot see it. Each test ends by comparing what the engine says with what the
// cluster says now, and by proving that none of the engine's goroutines is left.
//
// The tests about processes run first, one after the other, since they share the cluster
// that they break; the others run in parallel, after them.
package matrix

import (
	"os"
	"testing"

	"kstatus.dev/test/cluster"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }
