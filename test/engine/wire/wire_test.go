// Package wire waits through faults on the wire, as package matrix does through those of
// processes. Each row of its tables is a wait for real objects of a real cluster, with faults
// while the objects change. The wait must end with the right verdict, must lose none on the
// way, and must leave no goroutine behind.
//
// faults_test.go has the faults of the connection, rights_test.go has missing permissions,
// fixture_test.go the targets, and wait_test.go the wait and its checks.
package wire

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"kstatus.dev/test/lib/cluster"
)

var live cluster.Shared

// The rows mostly wait, so all run in parallel.
const together = "64"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", together); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(live.Main(m))
}
