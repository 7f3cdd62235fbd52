package report_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// Fill a run during the wait, and write it at the end.
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
	// **1 failed** · took 10s · exit 3 · goal current · timeout 5m
	//
	// ### Goals not met
	//
	// | Status | Object | Since (min:sec of the wait) | Why |
	// |---|---|---|---|
	// | Failed | `Deployment/shop/web` | 00:09 | 1/2 available |
}

// failedRun returns the run of a wait with a failed Deployment.
func failedRun() *report.Run {
	began := time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)
	run := report.New(report.Start{Time: began, Goal: []string{"current"}, Timeout: "5m0s"})
	web := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	run.AddTarget(web, &report.Source{File: "web.yaml", Line: 1})
	var board observe.Board
	u := observe.Update{Target: web, Result: status.FailedTerminal("ProgressDeadlineExceeded", "1/2 available"), Progress: observe.ProgressFailed}
	board.Add(u)
	run.AddUpdate(u, began.Add(9*time.Second))
	run.End(&board, report.Result{Time: began.Add(10 * time.Second), Outcome: "failed", ExitCode: 3})
	return run
}

func ExampleRun_GitHub() {
	if err := failedRun().GitHub(os.Stdout, "/repo", "/repo"); err != nil {
		fmt.Println(err)
	}
	// Output: ::error title=Deployment shop/web failed,file=web.yaml,line=1::Failed: 1/2 available
}

func ExampleRun_JUnit() {
	if err := failedRun().JUnit(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites name="kstatus wait" tests="1" failures="1" errors="0" time="10.000">
	//   <testsuite name="kstatus wait" tests="1" failures="1" errors="0" skipped="0" time="10.000" timestamp="2026-11-20T16:00:00">
	//     <properties>
	//       <property name="outcome" value="failed"></property>
	//       <property name="exitCode" value="3"></property>
	//       <property name="goal" value="current"></property>
	//       <property name="timeout" value="5m0s"></property>
	//     </properties>
	//     <testcase classname="apps/Deployment" name="shop/web" time="9.000">
	//       <failure type="ProgressDeadlineExceeded" message="Failed: 1/2 available">Deployment/shop/web: Failed: 1/2 available
	// </failure>
	//       <system-out>read from web.yaml:1
	// 00:09 Failed      1/2 available
	// </system-out>
	//     </testcase>
	//   </testsuite>
	// </testsuites>
}

func ExampleRun_JSON() {
	var out bytes.Buffer
	if err := failedRun().JSON(&out); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(out.String(), `"outcome":"failed"`) || strings.Contains(out.String(), `"outcome": "failed"`))
	// Output: true
}

func ExampleRun_HTML() {
	var out bytes.Buffer
	if err := failedRun().HTML(&out); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(out.String(), "<!doctype html>"), strings.Contains(out.String(), "Deployment"))
	// Output: true true
}

func ExampleRun_AddExplanation() {
	run := failedRun()
	web := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	run.AddExplanation(&explain.Explanation{Causes: []explain.Cause{{Kind: "CrashLoop", Text: "container web exits with code 1", Objects: []status.ID{web}, Blocks: []status.ID{web}}}})
	fmt.Println(run.Causes[0].Text)
	// Output: container web exits with code 1
}

func ExampleSummarize() {
	fmt.Println(report.Summarize(map[status.Status]int{status.CurrentStatus: 9, status.FailedStatus: 1}))
	// Output: [9 current 1 failed]
}
