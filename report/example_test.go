package report_test

import (
	"fmt"
	"os"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// A run is filled while one waits, and written when that is over.
func Example() {
	began := time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)
	run := report.New(report.Start{Time: began, Goal: []string{"current"}, Timeout: "5m0s"})
	web := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	run.AddTarget(web, &report.Source{File: "web.yaml", Line: 1})

	var board observe.Board
	u := observe.Update{Target: web, Result: status.FailedTerminal("ProgressDeadlineExceeded", "1/2 available"), Progress: observe.ProgressFailed}
	board.Add(u)
	run.AddUpdate(u, began.Add(9*time.Second))

	run.End(&board, report.Result{Time: began.Add(10 * time.Second), Outcome: "failed", ExitCode: 3})
	if err := run.Markdown(os.Stdout, 0); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ## ❌ kstatus wait: failed
	//
	// **1 failed** · took 10s · exit 3 · goal current · timeout 5m0s
	//
	// ### Not there
	//
	// | Status | Object | Since | Why |
	// |---|---|---|---|
	// | Failed | `Deployment/shop/web` | 00:09 | 1/2 available |
}
