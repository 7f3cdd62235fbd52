// Package wire waits through faults on the wire, as package matrix does through
// those of processes. Each row of its tables is a wait on real objects of a real
// cluster, in the middle of which something goes wrong while the cluster moves
// on. The wait must end with the right verdict, must lose none on the way, and
// must leave no goroutine behind.
//
// faults_test.go has what goes wrong on the wire, rights_test.go what is not
// permitted; scene_test.go is what is waited for, wait_test.go the wait and what
// is asked of it.
package wire

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"kstatus.dev/test/cluster"
)

var live cluster.Shared

// Rows do little but wait, so all of them wait at the same time.
const together = "64"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", together); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(live.Main(m))
}

// patience is how long anything may take on a machine that is busy.
const patience = 2 * time.Minute

// until waits for what comes about sooner or later.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in %s it does not come about that %s", patience, what)
		}
	}
}
