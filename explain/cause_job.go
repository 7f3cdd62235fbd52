package explain

import (
	"fmt"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// jobFailed tells for which of its rules a Job has given up. The container that
// ended tells better why; then the rule is told with it.
func jobFailed(n *node) []found {
	c := n.jobFailure()
	if c.Text("reason") == "" {
		return nil
	}
	f := found{evidence: []Evidence{c.evidence("reason")}, echo: true, next: []string{n.ID.kubectl("describe", n.ID.slash())}}
	if c.Has("message") {
		f.evidence = append(f.evidence, c.evidence("message"))
	}
	switch reason := c.Text("reason"); reason {
	case "BackoffLimitExceeded":
		f.kind, f.text = reason, fmt.Sprintf("it has given up after %d failed Pods", n.Int("status.failed", 0))
		f.evidence = append(f.evidence, n.evidence("spec.backoffLimit"), n.evidence("status.failed"))
	case "DeadlineExceeded":
		f.kind, f.text, f.echo = reason, fmt.Sprintf("it was ended after %d s, its activeDeadlineSeconds", n.Int("spec.activeDeadlineSeconds", 0)), false
		f.evidence = append(f.evidence, n.evidence("spec.activeDeadlineSeconds"))
	case "PodFailurePolicy":
		f.kind, f.text = reason, "it has failed by a rule of its podFailurePolicy"
		f.evidence = append(f.evidence, n.rule(c.Text("message"))...)
		f.log, f.container = n.failedContainer(c.Text("message"))
	case "FailedIndexes", "MaxFailedIndexesExceeded":
		f.kind, f.text = reason, "indexes have failed: "+n.Text("status.failedIndexes")
		f.evidence = append(f.evidence, n.evidence("status.failedIndexes"), n.evidence("spec.backoffLimitPerIndex"))
		if reason == "MaxFailedIndexesExceeded" {
			f.evidence = append(f.evidence, n.evidence("spec.maxFailedIndexes"))
		}
	default:
		f.kind, f.text = "JobFailed", "it has failed: "+reason
	}
	f.container = ""
	return []found{f}
}

// jobFailure returns the condition that tells why a Job fails; empty if none does.
func (n *node) jobFailure() section {
	for _, t := range [...]string{"Failed", "FailureTarget"} {
		if c := n.Under("status.conditions[" + t + "]"); c.Text("status") == "True" {
			return c
		}
	}
	return section{node: n}
}

// rule returns the rule of a podFailurePolicy that a message names by its index.
func (n *node) rule(message string) []Evidence {
	_, index, ok := strings.Cut(messages.Head(message), "rule at index ")
	at, isNumber := ordinal("-"+index, "")
	rules, _ := n.Get("spec.podFailurePolicy.rules").([]any)
	if !ok || !isNumber || at >= int64(len(rules)) {
		return nil
	}
	m, _ := rules[at].(map[string]any)
	r := section{fields.Section{Map: m, Path: fmt.Sprintf("spec.podFailurePolicy.rules[%d].", at)}, n}
	all := []Evidence{r.evidence("action")}
	if r.Has("onExitCodes.values") {
		all = append(all, r.as("onExitCodes.values", r.Text("onExitCodes.operator")+" "+show.Value(r.Get("onExitCodes.values"))))
	}
	return all
}

// failedContainer returns whose log would tell more, as the message of a
// podFailurePolicy names it:
//
//	Container main for pod shop/a-x1 failed with exit code 42 matching FailJob rule at index 0
func (n *node) failedContainer(message string) (*LogWish, string) {
	name, ok := messages.Between(messages.Head(message), "Container ", " for pod ")
	where, ok2 := messages.Between(messages.Head(message), " for pod ", " failed with exit code")
	_, where, ok3 := strings.Cut(where, "/")
	if !ok || !ok2 || !ok3 {
		return nil, ""
	}
	return &LogWish{Pod: ID{Cluster: n.ID.Cluster, Kind: "Pod", Namespace: n.ID.Namespace, Name: where}, Container: name}, name
}

// suspended tells of a Job or CronJob that is suspended.
func suspended(n *node) []found {
	if !n.Is("spec.suspend") {
		return nil
	}
	f := found{kind: "Suspended", text: "it is suspended", evidence: []Evidence{n.evidence("spec.suspend")}}
	if path := "metadata.labels[kueue.x-k8s.io/queue-name]"; n.Has(path) {
		f.text = "it is suspended until queue " + show.Quoted(n.Text(path)) + " lets it start"
		f.evidence = append(f.evidence, n.evidence(path))
		f.next = []string{n.ID.kubectl("get", "workloads.kueue.x-k8s.io")}
		return []found{f}
	}
	f.next = []string{n.ID.kubectl("patch", n.ID.slash(), "-p", `{"spec":{"suspend":false}}`)}
	return []found{f}
}

// The events by which the controller of CronJobs says that it cannot start Jobs.
var cronTroubles = map[string]struct{ kind, say string }{
	"UnknownTimeZone":            {"InvalidSchedule", "its time zone is not known"},
	"UnparseableSchedule":        {"InvalidSchedule", "its schedule cannot be read"},
	"UnParseableCronJobSchedule": {"InvalidSchedule", "its schedule cannot be read"},
	"InvalidSchedule":            {"InvalidSchedule", "its schedule is not valid"},
	"MissSchedule":               {"MissedSchedule", "it has missed a start by more than its startingDeadlineSeconds"},
	"TooManyMissedTimes":         {"MissedSchedule", "it has missed too many starts"},
	"JobAlreadyActive":           {"JobAlreadyActive", "it starts no Job while one of the former runs (concurrencyPolicy Forbid)"},
}

// cronTrouble tells why a CronJob does not start Jobs, if it has started none since.
func cronTrouble(n *node) []found {
	for _, e := range n.events {
		if e.Reason == "SuccessfulCreate" {
			return nil
		}
		t, ok := cronTroubles[e.Reason]
		if !ok {
			continue
		}
		f := found{kind: t.kind, text: t.say, evidence: []Evidence{n.event(e), n.evidence("spec.schedule")}, next: []string{n.ID.kubectl("describe", n.ID.slash())}}
		switch e.Reason {
		case "UnknownTimeZone":
			f.text += ": " + show.Quoted(n.Text("spec.timeZone"))
			f.evidence = append(f.evidence, n.evidence("spec.timeZone"))
		case "MissSchedule", "TooManyMissedTimes":
			f.evidence = append(f.evidence, n.evidence("spec.startingDeadlineSeconds"))
		case "JobAlreadyActive":
			f.evidence = append(f.evidence, n.evidence("spec.concurrencyPolicy"))
		}
		return []found{f}
	}
	return nil
}

// carried returns the facts about objects on the way to a cause that tell how it
// comes that an object stands where it does: by which rule a Job has given up.
func carried(chain []*node) (all []Evidence) {
	at := chain[len(chain)-1]
	for _, n := range chain {
		if n == at || n.ID.GroupKind() != job {
			continue
		}
		c := n.jobFailure()
		if c.Text("reason") == "" {
			continue
		}
		all = append(all, c.evidence("reason"))
		if c.Has("message") {
			all = append(all, c.evidence("message"))
		}
		if c.Text("reason") == "PodFailurePolicy" {
			all = append(all, n.rule(c.Text("message"))...)
		}
	}
	return all
}
