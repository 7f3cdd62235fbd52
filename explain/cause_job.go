package explain

import (
	"fmt"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// jobFailed finds which limit or rule made a Job fail. A failed container is the better
// cause, and then has the rule as evidence.
func jobFailed(o *object) []finding {
	c := o.jobFailure()
	if c.Text("reason") == "" {
		return nil
	}
	f := finding{evidence: []Evidence{c.evidence("reason")}, weak: true, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}
	if c.Has("message") {
		f.evidence = append(f.evidence, c.evidence("message"))
	}
	switch reason := c.Text("reason"); reason {
	case "BackoffLimitExceeded":
		f.kind, f.text = reason, fmt.Sprintf("it has failed after %d failed Pods", o.Int("status.failed", 0))
		f.evidence = append(f.evidence, o.evidence("spec.backoffLimit"), o.evidence("status.failed"))
	case "DeadlineExceeded":
		f.kind, f.text, f.weak = reason, fmt.Sprintf("it ran longer than activeDeadlineSeconds (%d s)", o.Int("spec.activeDeadlineSeconds", 0)), false
		f.evidence = append(f.evidence, o.evidence("spec.activeDeadlineSeconds"))
	case "PodFailurePolicy":
		f.kind, f.text = reason, "a rule of its podFailurePolicy has failed it"
		f.evidence = append(f.evidence, o.rule(c.Text("message"))...)
		f.log, f.container = o.failedContainer(c.Text("message"))
	case "FailedIndexes", "MaxFailedIndexesExceeded":
		f.kind, f.text = reason, "indexes have failed: "+o.Text("status.failedIndexes")
		f.evidence = append(f.evidence, o.evidence("status.failedIndexes"), o.evidence("spec.backoffLimitPerIndex"))
		if reason == "MaxFailedIndexesExceeded" {
			f.evidence = append(f.evidence, o.evidence("spec.maxFailedIndexes"))
		}
	default:
		f.kind, f.text = "JobFailed", "it has failed: "+reason
	}
	f.container = ""
	return []finding{f}
}

// jobFailure returns the condition with the reason of the failure; empty if the Job has
// not failed.
func (o *object) jobFailure() section {
	for _, t := range [...]string{"Failed", "FailureTarget"} {
		if c := o.Under("status.conditions[" + t + "]"); c.Text("status") == "True" {
			return c
		}
	}
	return section{object: o}
}

// rule returns the rule of podFailurePolicy whose index is in a message.
func (o *object) rule(message string) []Evidence {
	_, index, ok := strings.Cut(messages.Head(message), "rule at index ")
	at, isNumber := ordinal("-"+index, "")
	rules, _ := o.Get("spec.podFailurePolicy.rules").([]any)
	if !ok || !isNumber || at >= int64(len(rules)) {
		return nil
	}
	m, _ := rules[at].(map[string]any)
	r := section{fields.Section{Map: m, Path: fmt.Sprintf("spec.podFailurePolicy.rules[%d].", at)}, o}
	all := []Evidence{r.evidence("action")}
	if r.Has("onExitCodes.values") {
		all = append(all, r.evidenceAs("onExitCodes.values", r.Text("onExitCodes.operator")+" "+show.Value(r.Get("onExitCodes.values"))))
	}
	return all
}

// failedContainer returns the log of the container that the message of a podFailurePolicy
// names:
//
//	Container main for pod shop/a-x1 failed with exit code 42 matching FailJob rule at index 0
func (o *object) failedContainer(message string) (*LogID, string) {
	name, ok := messages.Between(messages.Head(message), "Container ", " for pod ")
	where, ok2 := messages.Between(messages.Head(message), " for pod ", " failed with exit code")
	_, where, ok3 := strings.Cut(where, "/")
	if !ok || !ok2 || !ok3 {
		return nil, ""
	}
	return &LogID{Pod: o.refer(pod, o.ID.Namespace, where), Container: name}, name
}

// suspended finds that a Job or CronJob is suspended.
func suspended(o *object) []finding {
	if !o.Is("spec.suspend") {
		return nil
	}
	f := finding{kind: "Suspended", text: "it is suspended", evidence: []Evidence{o.evidence("spec.suspend")}}
	if path := "metadata.labels[kueue.x-k8s.io/queue-name]"; o.Has(path) {
		f.text = "it is suspended until queue " + show.Quoted(o.Text(path)) + " admits it"
		f.evidence = append(f.evidence, o.evidence(path))
		f.next = []string{commandFor(o.ID, "get", "workloads.kueue.x-k8s.io")}
		return []finding{f}
	}
	f.next = []string{commandFor(o.ID, "patch", slash(o.ID), "-p", `{"spec":{"suspend":false}}`)}
	return []finding{f}
}

// The events of the CronJob controller when it cannot start Jobs, by reason.
var cronTroubles = map[string]struct{ kind, say string }{
	"UnknownTimeZone":            {"InvalidSchedule", "its time zone is unknown"},
	"UnparseableSchedule":        {"InvalidSchedule", "its schedule cannot be parsed"},
	"UnParseableCronJobSchedule": {"InvalidSchedule", "its schedule cannot be parsed"},
	"InvalidSchedule":            {"InvalidSchedule", "its schedule is not valid"},
	"MissSchedule":               {"MissedSchedule", "it has missed a start by more than its startingDeadlineSeconds"},
	"TooManyMissedTimes":         {"MissedSchedule", "it has missed too many starts"},
	"JobAlreadyActive":           {"JobAlreadyActive", "it starts no Job while an earlier one is running (concurrencyPolicy Forbid)"},
}

// cronTrouble finds why a CronJob does not start Jobs, if it has started none since the
// event.
func cronTrouble(o *object) []finding {
	for _, e := range o.events {
		if e.Reason == "SuccessfulCreate" {
			return nil
		}
		t, ok := cronTroubles[e.Reason]
		if !ok {
			continue
		}
		f := finding{kind: t.kind, text: t.say, evidence: []Evidence{o.eventEvidence(e), o.evidence("spec.schedule")}, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}
		switch e.Reason {
		case "UnknownTimeZone":
			f.text += ": " + show.Quoted(o.Text("spec.timeZone"))
			f.evidence = append(f.evidence, o.evidence("spec.timeZone"))
		case "MissSchedule", "TooManyMissedTimes":
			f.evidence = append(f.evidence, o.evidence("spec.startingDeadlineSeconds"))
		case "JobAlreadyActive":
			f.evidence = append(f.evidence, o.evidence("spec.concurrencyPolicy"))
		}
		return []finding{f}
	}
	return nil
}

// jobRuleEvidence returns the limit or rule that made a Job in a chain fail, as evidence.
func jobRuleEvidence(chain []*object) (all []Evidence) {
	at := chain[len(chain)-1]
	for _, o := range chain {
		if o == at || o.ID.Kind != job {
			continue
		}
		c := o.jobFailure()
		if c.Text("reason") == "" {
			continue
		}
		all = append(all, c.evidence("reason"))
		if c.Has("message") {
			all = append(all, c.evidence("message"))
		}
		if c.Text("reason") == "PodFailurePolicy" {
			all = append(all, o.rule(c.Text("message"))...)
		}
	}
	return all
}
