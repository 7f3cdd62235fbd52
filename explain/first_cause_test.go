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

// The reasons that only say that an object is not ready, is being deleted or is unknown.
// Any cause may explain them.
const broadReasons = "AboutToFail AttachError Binding ContainerCreating ContradictoryConditions Creating Dangling Degraded Deleted Deleting Denied " +
	"DependentsBlocking Evicting ExpiredTTL Finalizers Finishing Forbidden GivenUp GracefulPod JobFailed KindRemoved LatestGenerationNotObserved " +
	"Malformed MetricsUnavailable MigrationFailed MinReadySeconds ModifyFailed NameConflict NamespaceContent NeverSeen NoControllerEvidence " +
	"NoFinalizerHandler NoMatch NoSummary NodeNotReady NotAvailable NotObserved NotServedYet NotStarted ObservedGenerationAhead " +
	"ObservedGenerationNeverAdvanced PodFailed ProgressDeadlineExceeded QuotaOrAdmissionDenied RefsNotResolved Replaced ReclaimFailed Reconciling " +
	"ReportsFailure ReportsUnknown ResizeFailed Resizing RollbackTrap RolloutTerminatingOld RolloutUpdating RuleDeclared RuleError RuleFailed RuleNotMet " +
	"Running SnapshotError StaleCondition Stalled StateNotKnown StatusPredatesSpec Superseded SummaryConditionNotTrue SuspendedByOther SyncFailed Transport " +
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

// explainsVerdict reports whether a cause explains a verdict, according to the table of
// reasons.
func explainsVerdict(reason string, c *Cause) bool {
	r, narrow := relations[reason]
	if !narrow {
		return true
	}
	isDependency := false // of a Pod, on a Service
	for i, s := range c.Chain {
		isDependency = isDependency || i > 0 && s.ID.Kind.Kind == "Service" && c.Chain[i-1].ID.Kind.Kind == "Pod"
	}
	return isDependency || r.causes[c.Kind] && !slices.ContainsFunc(c.Chain[1:], func(s Step) bool { return r.notBelow[s.ID.Kind.Kind] })
}

// The first cause of each object explains its verdict, whether one or several objects are
// requested.
func TestFirstCauseExplainsVerdict(t *testing.T) {
	files := caseFiles(t)
	narrow := 0
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			facts, requested := readCase(t, file)
			requests := [][]status.ID{requested}
			for _, id := range requested {
				requests = append(requests, []status.ID{id})
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

// In the gallery, the first cause of each object explains the reason of its verdict.
func TestFirstCauseInTheGalleryExplainsVerdict(t *testing.T) {
	text, err := os.ReadFile("../test/command/gallery/testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, r := range (status.Profile{}).Reasons() {
		reasons[r.Name] = true
	}
	line := regexp.MustCompile(`^(\S+): ([A-Za-z]+) ([A-Za-z]+), ([A-Za-z]+)((?: [A-Za-z]+)*)$`)
	seen, narrow := map[string]bool{}, 0
	for _, l := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		m := line.FindStringSubmatch(l)
		if m == nil || !reasons[m[3]] || kindIndex(m[4]) < 0 {
			t.Errorf("%q: want a situation, a kind, a reason and a cause", l)
			continue
		}
		c := &Cause{Kind: m[4], Chain: []Step{{ID: status.ID{Kind: status.Kind{Kind: m[2]}}}}}
		for _, kind := range strings.Fields(m[5]) {
			c.Chain = append(c.Chain, Step{ID: status.ID{Kind: status.Kind{Kind: kind}}})
		}
		seen[m[1]] = true
		if _, is := relations[m[3]]; is {
			narrow++
		}
		if !explainsVerdict(m[3], c) {
			t.Errorf("%s: the %s is %s, and its first cause is %s", m[1], m[2], m[3], m[4])
		}
	}
	files, err := filepath.Glob("../test/command/gallery/testdata/*/*.txtar")
	if err != nil || len(files) < 70 {
		t.Fatalf("glob: %v, %d files", err, len(files))
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !seen[name] {
			t.Errorf("%s has no verdict in the file, which make gallery writes", name)
		}
	}
	if narrow < 25 {
		t.Errorf("%d verdicts of the gallery have a reason that says what is wrong", narrow)
	}
}
