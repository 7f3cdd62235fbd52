package wait

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/waitoutput"
	"kstatus.dev/internal/directive"
	"kstatus.dev/observe"
)

// A goalFlags holds the flags for goals.
type goalFlags struct {
	texts         []string
	any           bool
	latch         bool
	latchSet      bool
	minObjects    int
	minObjectsSet bool
	ignored       []string
	missing       string
	keepGoing     bool
	revision      int64
}

// A timeFlags holds the flags for durations.
type timeFlags struct {
	timeouts    []string
	graces      []string
	settle      time.Duration
	firstStatus time.Duration
	directives  bool // annotations of objects set durations
}

// A verdictFlags holds the flags that change how objects are judged.
type verdictFlags struct {
	rules     connection.RuleFlags
	profile   string
	noHints   bool
	endpoints bool
}

// An explainFlags holds the flags for the explanation at the end.
type explainFlags struct {
	mode  string // one of explainModes
	facts explainer.Flags
}

// An outputFlags holds the flags for the output.
type outputFlags struct {
	waitoutput.Flags
	showSecrets bool
}

const (
	defaultTimeout    = 5 * time.Minute
	kubectlMaxTimeout = 7 * 24 * time.Hour // a negative --timeout of kubectl wait
)

const endpointsUsage = "A Service with a selector is Current only when an endpoint behind it is ready."

// The values of --missing, -o and --explain.
var (
	missingPolicies = map[string]observe.MissingPolicy{
		"wait": observe.MissingWait, "fail": observe.MissingFail, "ignore": observe.MissingIgnore,
	}
	missingNames = []string{"wait", "fail", "ignore"}
	explainModes = []string{"auto", "none"}
)

const waitExample = `  # Wait until all objects of the namespace are Current, or one has failed
  %[1]s wait

  # Wait for the applied objects, and ignore a status from before the change
  kubectl apply -f shop/ -o yaml | %[1]s wait -f -

  # Wait for one Deployment, at most ten minutes
  %[1]s wait deployment/web --timeout 10m

  # Wait for all Jobs with a label, also after one has failed
  %[1]s wait job -l app=migrations --keep-going

  # Wait for a Helm release and a Deployment
  %[1]s wait helm/web deployment/api -n shop

  # Wait for an Application of Argo CD and all its objects
  %[1]s wait application/shop -n argocd --expand

  # Wait for at least three Pods that are ready for ten seconds at the same time
  %[1]s wait pod -l app=web --min 3 --settle 10s

  # Wait until a Job has completed or failed
  %[1]s wait job/migrate --any --for=condition=Complete --for=condition=Failed

  # Give a Job more time, and ignore optional objects
  %[1]s wait -f shop/ --timeout 5m --timeout Job/migrate=30m --ignore ExternalSecret

  # Give Pods more time to recover from crashes
  %[1]s wait -f shop/ --grace CrashLoop=2m

  # Wait for a Deployment in two clusters
  %[1]s wait deployment/web --contexts east,west

  # Use the goals of kubectl wait
  %[1]s wait pod/web-0 --for=condition=Ready --for=jsonpath='{.status.phase}'=Running
  %[1]s wait -f shop/ --for=delete

  # Record the wait, and show it again without a cluster
  %[1]s wait -f shop/ --record run.ndjson
  %[1]s wait --local -f run.ndjson

  # Look once: exit with 0 if it is Current, 3 if it has failed, 5 if it does not exist, else 4
  %[1]s wait deployment/web --timeout 0`

const waitLong = `Wait until objects are ready, and explain what is not.

The wait succeeds when all objects have met their goals. It fails when an object is
Failed, or has been Failing for longer than its grace period. At the end it prints
each object that has not met its goals, the worst first, with the cause.

Without arguments, it waits for the objects of --all: all objects of the namespace that
have a status. Objects that another of them has created are left out, such as Pods.
A TYPE selects all its objects, also new ones.
` + selection.SetsHelp + `

A SEL is [KIND[.GROUP]][/NAME], with * for any text, for example Job/migrate-* or
*.example.com. Of several --timeout or --grace that match an object, the last counts.

On a terminal, the view changes in place. Otherwise there is a log, which
--progress=log prints anywhere, and --progress=full in full.

The exit code is 0, 3 for a failure, 4 at the timeout, or another of kstatus --help.

Guide: https://kstatus.dev/docs/guides/wait-in-ci
Details: https://kstatus.dev/docs/concepts/waiting

Without --grace, the grace period depends on the reason:
`

func (w *command) addFlags(cmd *cobra.Command) {
	w.objects.AddTo(cmd)
	w.goals.addTo(cmd)
	w.times.addTo(cmd)
	w.verdicts.addTo(cmd)
	w.output.addTo(cmd)
	w.explain.addTo(cmd)
	w.record.AddTo(cmd)
	cmd.Flags().BoolVar(&w.local, "local", false, "With -f FILE, show the wait that --record has written to FILE. No cluster is used.")
}

func (f *goalFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.texts, "for", []string{"current"}, "Goal to wait for, as `[SEL:]GOAL`. GOAL is "+goals.GoalSyntax+". Repeat it for several goals at the same time.")
	flags.BoolVar(&f.any, "any", false, "One of several goals is enough.")
	flags.BoolVar(&f.latch, "latch", true, "An object that has met its goals stays met until it fails or changes. With false, all objects must meet their goals at the same time.")
	flags.IntVar(&f.minObjects, "min", 1, "Minimum number of objects of a TYPE, or of all types of a category such as all.")
	flags.StringArrayVar(&f.ignored, "ignore", nil, "Show the objects that `SEL` matches, but do not wait for them. Can be repeated.")
	flags.StringVar(&f.missing, "missing", "wait", "What to do about objects that do not exist. One of: "+strings.Join(missingNames, ", "))
	flags.Int64Var(&f.revision, "revision", 0, "Revision of the Helm release to wait for. The wait fails if a later revision replaces it.")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "Do not stop at the first failure.")
	cli.CompleteWords(cmd, "for", []string{"current", "settled", "created", "deleted", goals.ConditionGoal, goals.JSONPathGoal})
	cli.CompleteWords(cmd, "latch", []string{"true", "false"})
	cli.CompleteWords(cmd, "missing", missingNames)
}

func (f *timeFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.timeouts, "timeout", []string{"5m"}, "Timeout of the whole wait, or of the objects that SEL matches, as `[SEL=]DURATION`. Zero looks once, negative means a week. Can be repeated.")
	flags.StringArrayVar(&f.graces, "grace", nil, "Time after which a recoverable failure counts as failed, as `[SEL=]DURATION` or REASON=DURATION. Can be repeated (default by reason).")
	flags.DurationVar(&f.settle, "settle", 0, "Time for which the goals must be met without a break.")
	flags.BoolVar(&f.directives, "object-directives", false, "Obey the annotations "+directive.Ignore+", "+directive.Timeout+" and "+directive.FirstStatus+" of live objects. Then users who may change an object decide how long a wait takes.")
	flags.DurationVar(&f.firstStatus, "first-status", 30*time.Second, "Time for the first report of a custom resource's controller, from when the wait first sees the object. After it, the rest of the object decides and Current is assumed, unless other objects of its kind have a report. Zero means forever.")
}

func (f *verdictFlags) addTo(cmd *cobra.Command) {
	f.rules.AddTo(cmd)
	cmd.Flags().BoolVar(&f.endpoints, "endpoints", false, endpointsUsage)
	cli.AddProfileFlag(cmd, &f.profile)
	cli.AddHintsFlag(cmd, &f.noHints)
}

func (f *outputFlags) addTo(cmd *cobra.Command) {
	f.Flags.AddTo(cmd)
	cmd.Flags().BoolVar(&f.showSecrets, "show-secrets", false, output.ShowSecretsUsage)
}

func (f *explainFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mode, "explain", "auto", "Explain at the end why objects are not ready. One of: "+strings.Join(explainModes, ", "))
	f.facts.AddTo(cmd)
	cli.CompleteWords(cmd, "explain", explainModes)
}
