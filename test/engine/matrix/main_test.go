// Package matrix tests the engine while its cluster breaks and changes. It has one test for each
// fault of a process. It also has one for each way in which kinds, namespaces, objects and
// controllers appear or disappear.
//
// Everything is real: the engine is an observe.Watcher on kube/source, the cluster is a real
// one, and SIGKILL ends the processes. Only the line between the two is ours. It can be cut, so
// that changes happen unseen by the engine. Each test ends by comparing the engine's verdicts
// with the cluster's present state. It also proves that all the engine's goroutines have ended.
//
// The tests about processes run first, one after the other, because they break the shared
// cluster; the others run in parallel, after them.
package matrix

import (
	"os"
	"testing"

	"kstatus.dev/test/lib/cluster"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }
