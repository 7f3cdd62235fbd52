package overview

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

func verdict(kind, name string, s status.Status, f status.Failure, message string) output.Verdict {
	return output.Verdict{Object: output.Object{
		ID: status.ID{Kind: status.Kind{Kind: kind}, Namespace: "shop", Name: name}, Result: status.Result{Status: s, Failure: f, Reason: "R", Message: message},
	}}
}

func TestPagesOfAnOverview(t *testing.T) {
	many := []output.Verdict{verdict("Job", "late", status.InProgressStatus, "", "0/1 completed"), verdict("Service", "ok", status.CurrentStatus, "", "")}
	for i := range 7 {
		many = append(many, verdict("Deployment", fmt.Sprint("d", i), status.InProgressStatus, status.FailureRecoverable, "0/1 available"))
	}
	many = append(many, verdict("Claim", "broken", status.FailedStatus, status.FailureTerminal, "no such class"))
	cause := explain.Cause{Text: "image x cannot be pulled", Count: 9, Objects: []status.ID{{Kind: status.Kind{Kind: "Pod"}, Name: "a"}, {Kind: status.Kind{Kind: "Pod"}, Name: "b"}}, Next: []string{"kubectl describe pod/a", "more"}}
	why := &explain.Explanation{Causes: []explain.Cause{cause}, Gaps: []explain.Gap{{Subject: "events in namespace shop", Reason: "forbidden (list events)"}}}
	for i := range 7 {
		why.Subjects = append(why.Subjects, explain.Subject{ID: status.ID{Kind: status.Kind{Kind: "Deployment"}, Namespace: "shop", Name: fmt.Sprint("d", i)}, Causes: []int{0}})
	}
	current := verdict("Service", "ok", status.CurrentStatus, "", "")
	failing := verdict("CronJob", "often", status.CurrentStatus, "", "")
	failing.Caveat = "its last 3 Jobs failed"
	for _, row := range []struct {
		it        string
		namespace string
		all       []output.Verdict
		want      string
	}{
		{"has no objects", "shop", nil, "Namespace shop: no objects with a status\n"},
		{"has one object", "shop", []output.Verdict{current}, "Namespace shop: the only object with a status is Current\n"},
		{"has Current objects only", "", []output.Verdict{current, current}, "All namespaces: 2 of 2 objects with a status are Current\n"},
		{"has the worst first, and folds what has a cause in common", "shop", many, `Namespace shop: 9 of 10 objects are not Current

  Failed      Claim/broken
              no such class
  Failing     Deployment/d0, Deployment/d1, Deployment/d2, Deployment/d3, Deployment/d4 and 2 more
              9 Pods: image x cannot be pulled
              kubectl describe pod/a
  InProgress  Job/late
              0/1 completed
  Not seen  events in namespace shop: forbidden (list events)

The other object with a status is Current
`},
		{"warns of what is Current and may surprise", "shop", []output.Verdict{failing, current}, `Namespace shop: 2 of 2 objects with a status are Current

  Warning  CronJob/often
           current, but its last 3 Jobs failed
`},
		{"names namespaces where there are several", "", many[:2], `All namespaces: 1 of 2 objects is not Current

  InProgress  Job/shop/late
              0/1 completed
  Not seen  events in namespace shop: forbidden (list events)

The other object with a status is Current
`},
	} {
		t.Run(row.it, func(t *testing.T) {
			var out bytes.Buffer
			p := page{namespace: row.namespace, all: len(row.all)}
			if err := (terminal.Page{Out: &out}).Print(p.lines(notCurrent(row.all), why, withWarnings(row.all))); err != nil {
				t.Fatal(err)
			}
			if out.String() != row.want {
				t.Errorf("have\n%swant\n%s", out.String(), row.want)
			}
		})
	}
}

// Objects are one problem only if they have the same status and the same cause. Equal texts may be
// about different owners or images.
func TestProblemsOfAnOverview(t *testing.T) {
	exits := func(pod string) explain.Cause {
		return explain.Cause{Text: "container app exits with code 1", Count: 2, Objects: []status.ID{{Kind: status.Kind{Kind: "Pod"}, Name: pod}}, Next: []string{"kubectl logs " + pod}}
	}
	why := &explain.Explanation{Causes: []explain.Cause{exits("licence-1"), exits("kafka-1"), {Text: "quota exceeded", Count: 1}}}
	var bad []output.Verdict
	for name, cause := range map[string]int{"licence": 0, "kafka": 1, "web": 2, "db": 2, "cache": 2} {
		why.Subjects = append(why.Subjects, explain.Subject{ID: verdict("Deployment", name, "", "", "").ID, Causes: []int{cause}})
	}
	for _, name := range []string{"licence", "kafka", "web", "cache"} {
		bad = append(bad, verdict("Deployment", name, status.FailedStatus, "", ""))
	}
	bad = append(bad, verdict("Deployment", "db", status.InProgressStatus, "", ""))
	var have []string
	for _, p := range problemsOf(bad, why) {
		have = append(have, fmt.Sprint(p.word, " ", (&page{namespace: "shop"}).names(p.objects), ": ", p.next))
	}
	want := []string{"Failed Deployment/licence: kubectl logs licence-1", "Failed Deployment/kafka: kubectl logs kafka-1", "Failed Deployment/web, Deployment/cache: ", "InProgress Deployment/db: "}
	if !slices.Equal(have, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}
