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
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/internal/directive"
	"kstatus.dev/observe"
)

// A goalFlags says what is waited for.
type goalFlags struct {
	texts     []string
	any       bool
	latch     bool
	latchSet  bool
	least     int
	leastSet  bool
	ignored   []string
	missing   string
	keepGoing bool
}

// A timeFlags says how long.
type timeFlags struct {
	timeouts    []string
	graces      []string
	settle      time.Duration
	firstStatus time.Duration
	directives  bool // those of objects count
}

// A verdictFlags says how objects are judged.
type verdictFlags struct {
	rules     connection.RuleFlags
	profile   string
	noHints   bool
	endpoints bool
}

// An explainFlags says how the end of a wait is explained.
type explainFlags struct {
	mode  string // one of explainModes
	facts explainer.Flags
}

// An outputFlags says what is printed meanwhile.
type outputFlags struct {
	format   string
	quiet    bool
	every    time.Duration
	progress waitview.Flags

	showSecrets bool
}

const (
	defaultTimeout = 5 * time.Minute
	kubectlLongest = 7 * 24 * time.Hour // what a negative --timeout means to kubectl wait
)

const endpointsUsage = "a Service that selects Pods is there only when something serves behind it"

// The values of --missing, -o and --explain.
var (
	missingPolicies = map[string]observe.MissingPolicy{
		"wait": observe.MissingWait, "fail": observe.MissingFail, "ignore": observe.MissingIgnore,
	}
	missingNames = []string{"wait", "fail", "ignore"}
	waitFormats  = []string{"text", "json", "name"}
	explainModes = []string{"auto", "none"}
)

const waitExample = `  # Until everything in the namespace is there, or one of it has failed
  %[1]s wait

  # Until what was applied is there
  kubectl apply -f shop/ && %[1]s wait -f shop/

  # The same, and no status from before the change is taken for the new one
  kubectl apply -f shop/ -o yaml | %[1]s wait -f -

  # One Deployment, at most ten minutes
  %[1]s wait deployment/web --timeout 10m

  # All Jobs with a label, whatever becomes of the others; they need not exist yet
  %[1]s wait job -l app=migrations --keep-going

  # What Helm has installed, and a Deployment besides
  %[1]s wait helm/web deployment/api -n shop

  # An Application of Argo CD and all that it has synced
  %[1]s wait application/shop -n argocd --expand

  # At least three Pods, all of them there for ten seconds at the same time
  %[1]s wait pod -l app=web --min 3 --settle 10s

  # Until a Job has ended, well or not
  %[1]s wait job/migrate --any --for=condition=Complete --for=condition=Failed

  # More time for a Job, and not for what is optional
  %[1]s wait -f shop/ --timeout 5m --timeout Job/migrate=30m --ignore ExternalSecret

  # Patience with what crashes until its database is there
  %[1]s wait -f shop/ --grace CrashLoop=2m

  # One release in two clusters
  %[1]s wait deployment/web --contexts east,west

  # What kubectl wait takes is taken as well
  %[1]s wait pod/web-0 --for=condition=Ready --for=jsonpath='{.status.phase}'=Running
  %[1]s wait -f shop/ --for=delete

  # Recorded here, and shown again elsewhere, without a cluster
  %[1]s wait -f shop/ --record run.ndjson
  %[1]s wait --local -f run.ndjson

  # Look once: 0 there, 3 failed, 4 not there yet
  %[1]s wait deployment/web --timeout 0`

const waitLong = `Wait until objects are there, and tell each change on the way.

It ends when all objects have met their goals, when an object has failed for good
or has been failing for longer than its grace, or when the time is over. Then every
object that does not meet its goals is listed, the worst first, and it is
explained why, as kstatus explain does, as far as that can be read in a few seconds.
What cannot be read does not change how the wait ends, and after an interrupt
nothing is.

Without arguments and files, it waits for everything in the namespace, as --all.

On a terminal (standard error) it shows a view that changes in place, with the
worst first; standard output then has the last line alone. Elsewhere it prints a
log, which --progress=log prints anywhere. In the log, many lines that are alike
are one, and at the end lists are limited; --progress=full prints everything.

An object that has met its goals stays met until it fails, is changed, is deleted
or is replaced. With --latch=false, or with --settle, which implies that unless
--latch is given too, all objects have to meet their goals at the same time.

All objects of a TYPE are followed as they come and go. One that is being deleted is
not waited for. The wait goes on while there are fewer than --min. With --for=delete, it succeeds as soon as none is left.

A SEL is [KIND[.GROUP]][/NAME], with * for any text, such as Job, Job/migrate-*,
*.example.com or /web. Goals with a SEL that matches an object replace
those without SEL. Of several times that match an object, the last counts.
A --timeout with SEL may be shorter than the one of all or longer; the wait ends
when one object is late, or with --keep-going when nothing is left to wait for.

` + selection.SetsHelp + `

Files that a server has written, such as those of kubectl apply -o yaml, tell of a
version: what is older does not count, and another object of the name is not meant.

A manifest of -f may ask for its object, by annotation: kstatus.dev/ignore: "true",
kstatus.dev/timeout: 10m, within the timeout of all, and not with a --timeout SEL,
and kstatus.dev/first-status: 1s in place of --first-status. Those of live objects
count with --object-directives only, as a rule of an object does with --object-rules.

A failure that may recover counts as failed once it has lasted as long as --grace
says, whatever its reason is. At the timeout, what is failing counts as failed, too,
and with --timeout 0 it does at once.
Without --grace the time depends on the reason:
`

func (w *command) addFlags(cmd *cobra.Command) {
	w.objects.AddTo(cmd)
	w.goals.addTo(cmd)
	w.times.addTo(cmd)
	w.verdicts.addTo(cmd)
	w.output.addTo(cmd)
	w.explaining.addTo(cmd)
	w.record.AddTo(cmd)
	w.report.addTo(cmd)
	cmd.Flags().BoolVar(&w.local, "local", false, "with -f FILE, show again a wait that --record has recorded there; no server is asked")
}

func (f *goalFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.texts, "for", []string{"current"}, "`[SEL:]GOAL` of "+goals.GoalSyntax+"; repeat it for several goals at the same time")
	flags.BoolVar(&f.any, "any", false, "one of several goals is enough")
	flags.BoolVar(&f.latch, "latch", true, "what has met its goals once stays met until it fails or is changed; false: all at the same time, as with --settle")
	flags.IntVar(&f.least, "min", 1, "with a TYPE, how many objects there must be at least")
	flags.StringArrayVar(&f.ignored, "ignore", nil, "objects that are shown but not waited for, by `SEL`; repeatable")
	flags.StringVar(&f.missing, "missing", "wait", "what to do about objects that do not exist: "+strings.Join(missingNames, ", "))
	flags.BoolVar(&f.keepGoing, "keep-going", false, "do not stop at the first failure")
	cli.CompleteWords(cmd, "for", []string{"current", "settled", "created", "deleted", goals.ConditionGoal, goals.JSONPathGoal})
	cli.CompleteWords(cmd, "latch", []string{"true", "false"})
	cli.CompleteWords(cmd, "missing", missingNames)
}

func (f *timeFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.timeouts, "timeout", []string{"5m"}, "how long to wait at most, `[SEL=]DURATION`; 0 looks once, less than 0 means a week; repeatable")
	flags.StringArrayVar(&f.graces, "grace", nil, "how long a failure that may recover must last before it counts, whatever its reason: `[SEL=]DURATION` or REASON=DURATION; repeatable (default by reason)")
	flags.DurationVar(&f.settle, "settle", 0, "how long the goals must be met without a break")
	flags.BoolVar(&f.directives, "object-directives", false, "obey the annotations "+directive.Ignore+", "+directive.Timeout+" and "+directive.FirstStatus+" of live objects; who may change an object then decides how it is waited for")
	flags.DurationVar(&f.firstStatus, "first-status", 30*time.Second, "how long a controller has to report what a custom resource promises before that is taken to be there, as assumed; 0: for ever")
}

func (f *verdictFlags) addTo(cmd *cobra.Command) {
	f.rules.AddTo(cmd)
	cmd.Flags().BoolVar(&f.endpoints, "endpoints", false, endpointsUsage)
	cli.AddProfileFlag(cmd, &f.profile)
	cli.AddHintsFlag(cmd, &f.noHints)
}

func (f *outputFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.format, "output", "o", "text", "one of "+strings.Join(waitFormats, ", ")+"; json prints one object per line, name what meets the goals")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print the end only")
	flags.DurationVar(&f.every, "every", 30*time.Second, "how often the log says what is waited for; 0: never")
	f.progress.AddTo(cmd)
	cmd.Flags().BoolVar(&f.showSecrets, "show-secrets", false, output.ShowSecretsUsage)
	cli.CompleteWords(cmd, "output", waitFormats)
}

func (f *explainFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mode, "explain", "auto", "explain at the end why objects are not there: "+strings.Join(explainModes, ", "))
	f.facts.AddTo(cmd)
	cli.CompleteWords(cmd, "explain", explainModes)
}
