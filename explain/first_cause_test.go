package explain

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// The reasons that only say that an object is not ready, is being deleted or is not known: any cause may
// explain them.
const broadReasons = "AboutToFail AttachError Binding ContainerCreating ContradictoryConditions Creating Dangling Degraded Deleted Deleting Denied " +
	"DependentsBlocking Evicting ExpiredTTL Finalizers Finishing Forbidden GivenUp GracefulPod JobFailed KindRemoved LatestGenerationNotObserved " +
	"Malformed MetricsUnavailable MigrationFailed MinReadySeconds ModifyFailed NameConflict NamespaceContent NeverSeen NoControllerEvidence " +
	"NoFinalizerHandler NoMatch NoSummary NodeNotReady NotAvailable NotObserved NotServedYet NotStarted ObservedGenerationAhead " +
	"ObservedGenerationNeverAdvanced PodFailed ProgressDeadlineExceeded QuotaOrAdmissionDenied RefsNotResolved Replaced ReclaimFailed Reconciling " +
	"ReportsFailure ReportsUnknown ResizeFailed Resizing RollbackTrap RolloutTerminatingOld RolloutUpdating RuleDeclared RuleError RuleFailed RuleNotMet " +
	"Running SnapshotError StaleCondition Stalled StateNotKnown StatusPredatesSpec SummaryConditionNotTrue SuspendedByOther SyncFailed Transport " +
	"Unavailable VolumeLost WaitingForApproval WaitingForEndpoints BadName BadScope"

func TestEachReasonIsNarrowOrBroad(t *testing.T) {
	broad := setOf(broadReasons)
	for _, r := range (status.Profile{}).Reasons() {
		if _, narrow := relations[r.Name]; r.Status != status.CurrentStatus && narrow == broad[r.Name] {
			t.Errorf("%s: want it in the table of reasons or among the broad ones", r.Name)
		}
		delete(broad, r.Name)
	}
	for reason := range broad {
		t.Errorf("%s is no reason", reason)
	}
	for reason, r := range relations {
		for kind := range r.causes {
			if kindIndex(kind) < 0 {
				t.Errorf("%s: %s is no kind of cause", reason, kind)
			}
		}
	}
}

// explainsVerdict reports whether a cause explains a verdict, as the table of reasons has it.
func explainsVerdict(reason string, c *Cause) bool {
	r, narrow := relations[reason]
	if !narrow {
		return true
	}
	return r.causes[c.Kind] && !slices.ContainsFunc(c.Chain[1:], func(s Step) bool { return r.notBelow[s.ID.Kind] })
}

// The first cause of each object explains the verdict on it, whether one object is asked about or several.
func TestFirstCauseExplainsVerdict(t *testing.T) {
	files := caseFiles(t)
	narrow := 0
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			facts, asked := readCase(t, file)
			requests := [][]ID{asked}
			for _, id := range asked {
				requests = append(requests, []ID{id})
			}
			for _, ids := range requests {
				e := Explain(facts, ids...)
				for _, s := range e.Subjects {
					if s.Status == status.CurrentStatus && !s.Failing || len(s.Causes) == 0 {
						continue
					}
					if _, is := relations[s.Reason]; is {
						narrow++
					}
					if first := &e.Causes[s.Causes[0]]; !explainsVerdict(s.Reason, first) {
						t.Errorf("%s is %s, and its first cause is %s: %s", s.ID, s.Reason, first.Kind, first.Text)
					}
				}
			}
		})
	}
	if narrow < 100 {
		t.Errorf("%d verdicts have a reason that says what is wrong", narrow)
	}
}

// In the gallery, the cause that comes first explains the reason of the verdict that is printed.
func TestFirstCauseInTheGalleryExplainsVerdict(t *testing.T) {
	page, err := os.ReadFile("../docs/gallery.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../test/gallery/testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("glob: %v, %d files", err, len(files))
	}
	open := regexp.MustCompile(`(?m)^\S+ OPEN +(\S+?): .*?, ([A-Za-z]+):`)
	below := regexp.MustCompile("`- ([A-Za-z]+)/")
	seen := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, kind, _ := strings.Cut(string(text), "\ncause ")
		kind, _, _ = strings.Cut(kind, "\n")
		_, output, _ := strings.Cut(string(page), "\n### "+name+"\n")
		_, output, _ = strings.Cut(output, "```console\n")
		output, _, _ = strings.Cut(output, "\n```\n")
		before, _, ok := strings.Cut(output, "\n  Cause ")
		if kind == "" || !ok {
			t.Errorf("%s: no cause in the situation or on the page", name)
			continue
		}
		c := &Cause{Kind: kind, Chain: []Step{{}}}
		for _, m := range below.FindAllStringSubmatch(before, -1) {
			c.Chain = append(c.Chain, Step{ID: ID{Kind: m[1]}})
		}
		title := regexp.MustCompile(`(?m)^([A-Za-z]+)/(\S+)(?: in \S+)?: `).FindStringSubmatch(before)
		for _, m := range open.FindAllStringSubmatch(before, -1) {
			if title == nil || !strings.HasPrefix(m[1], title[1]+"/") || !strings.HasSuffix(m[1], "/"+title[2]) {
				continue
			}
			seen++
			if !explainsVerdict(m[2], c) {
				t.Errorf("%s: %s is %s, and the first cause is %s", name, m[1], m[2], kind)
			}
		}
	}
	if seen < 30 { // objects that have failed for good are printed without a reason
		t.Errorf("%d verdicts of the gallery were looked at", seen)
	}
}
