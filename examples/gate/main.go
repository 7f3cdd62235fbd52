// Gate is a step of a pipeline that waits until objects are Current, and writes reports.
//
//	gate [-n NAMESPACE] [-timeout 5m] [-junit FILE] [-json FILE] KIND[.GROUP]/NAME...
//	gate [-n NAMESPACE] [-timeout 5m] [-junit FILE] [-json FILE] -l SELECTOR KIND[.GROUP]...
//
// For example: gate -n shop Deployment.apps/web Service/web; gate -n shop -l app=web Deployment.apps
//
// It exits with 0 if all objects are Current, and with 1 if one has failed, is missing or has
// timed out. It exits with 2 if it cannot find out: wrong arguments, missing permissions, no
// connection, or a signal.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

const (
	exitReady    = 0
	exitNotReady = 1
	exitUnknown  = 2
)

var (
	namespace = flag.String("n", "", "namespace of the objects; empty means that of the kubeconfig")
	selector  = flag.String("l", "", "label selector; then the arguments are kinds")
	timeout   = flag.Duration("timeout", 5*time.Minute, "timeout of the wait")
	junit     = flag.String("junit", "", "file for a report as JUnit XML")
	json      = flag.String("json", "", "file for a report as JSON")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
	}
	os.Exit(code)
}

func run(ctx context.Context) (code int, err error) {
	config, err := connect()
	if err != nil {
		return exitUnknown, err
	}
	targets, err := parseTargets(flag.Args())
	if err != nil {
		return exitUnknown, err
	}
	record := report.New(report.Start{Time: time.Now(), Goal: []string{"current"}, Timeout: timeout.String()})
	for _, t := range targets {
		record.AddTarget(t, nil)
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	board := new(observe.Board)
	outcome := observe.OutcomeSuccess
	resolver := wait.Resolver{Config: config, Namespace: *namespace}
	var failure error
	for e, err := range resolver.WaitForStatus(ctx, targets...) {
		if err != nil {
			failure, outcome = err, observe.OutcomeUnknown
			if unfinished, ok := errors.AsType[*wait.Unfinished](err); ok {
				outcome = unfinished.Outcome
			}
			break
		}
		board.Add(e.Update)
		record.AddUpdate(e.Update, time.Now())
		fmt.Printf("%s %s: %s\n", e.Target, e.Result.Status, e.Message())
	}
	code = exitCode(outcome)
	record.End(board, report.Result{Time: time.Now(), Outcome: string(outcome), ExitCode: code, TimedOut: errors.Is(ctx.Err(), context.DeadlineExceeded)})
	if err := errors.Join(write(*junit, record.JUnit), write(*json, record.JSON)); err != nil {
		return exitUnknown, errors.Join(failure, err)
	}
	return code, failure
}

func exitCode(outcome observe.Outcome) int {
	switch outcome {
	case observe.OutcomeSuccess:
		return exitReady
	case observe.OutcomeFailure, observe.OutcomeMissing, observe.OutcomeTimeout:
		return exitNotReady
	}
	return exitUnknown
}

// connect reads the kubeconfig as kubectl does.
func connect() (*rest.Config, error) {
	kubeconfig := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	config, err := kubeconfig.ClientConfig()
	if err == nil && *namespace == "" {
		*namespace, _, err = kubeconfig.Namespace()
	}
	return config, err
}

// parseTargets reads the arguments. With a selector, each is a selection of objects of a kind.
func parseTargets(args []string) (targets []observe.Target, err error) {
	if len(args) == 0 {
		return nil, errors.New("want at least one object or kind; see gate -h")
	}
	for _, arg := range args {
		kind, name, named := strings.Cut(arg, "/")
		if named == (*selector != "") || named && name == "" {
			return nil, fmt.Errorf("argument %q: want KIND[.GROUP]/NAME, or with -l KIND[.GROUP]", arg)
		}
		gk := schema.ParseGroupKind(kind)
		target := observe.Target{Kind: status.Kind(gk), Name: name, LabelSelector: *selector}
		if target.IsSelection() {
			target.Namespace = *namespace // without it, a selection is of all namespaces
		}
		targets = append(targets, target)
	}
	return targets, nil
}

// write writes a report to a file, if a file is set.
func write(name string, to func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(to(file), file.Close())
}
