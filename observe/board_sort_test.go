package observe_test

import (
	"fmt"
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A view may look at a large board several times. Only a change sorts it again.
func TestBoardSortsOnce(t *testing.T) {
	var b observe.Board
	for i := range 1000 {
		b.Add(observe.Update{Target: target(fmt.Sprint(i)), Result: status.Result{Status: status.CurrentStatus}})
	}
	b.Updates()
	if n := testing.AllocsPerRun(10, func() { b.Updates() }); n > 1 {
		t.Errorf("%v allocations, want one", n)
	}
	b.Add(observe.Update{Target: target("last"), Result: status.Result{Status: status.FailedStatus}})
	if have := b.Updates()[0].Target.Name; have != "last" {
		t.Errorf("the first is %s after a change, want the failed one", have)
	}
}
