package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/openstackshop"
)

// The process ends after each write to the cloud, before the response, and starts again. In each
// case it reaches the same state, has created everything once, and leaves nothing behind.
func TestKilledAtEachWrite(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	steps := countSteps(t)
	for at := 1; at <= steps; at++ {
		t.Run(fmt.Sprint("after write ", at), func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.Options.Observe = time.Minute // the interval of a healthy object makes no difference
			k := openstackshop.NewKiller(at)
			audited := w.Audited()
			stop := w.RunProvider(k.Through(audited), k.Cloud(http.DefaultTransport))
			go func() {
				select {
				case <-k.Killed():
					stop()
					w.RunProvider(audited, nil)
				case <-t.Context().Done():
				}
			}()
			w.applyShop()
			w.WaitForReady()
			w.checkSingle()
			settle()
			w.end()
		})
	}
}

// countSteps runs a life without an end of the process, and returns the number of its writes.
func countSteps(t *testing.T) int {
	w := newFixture(t)
	k := openstackshop.NewKiller(0)
	w.RunProvider(w.Cluster.Config(), k.Cloud(http.DefaultTransport))
	w.applyShop()
	w.WaitForReady()
	w.end()
	t.Logf("the writes of a life:\n%s", strings.Join(k.Writes(), "\n"))
	return len(k.Writes())
}
