package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// maxFormer is the maximum number of former Pods of a Job whose events are read.
const maxFormer = 3

// formerPods returns the latest Pods of a failed Job that do not exist any more, as objects without
// fields. Their events often still exist.
func (o *object) formerPods() (all []*object) {
	if o.ID.Kind != job || o.jobFailure().Text("reason") == "" {
		return nil
	}
	for _, e := range o.eventsWith("SuccessfulCreate") {
		id := o.refer(pod, o.ID.Namespace, messages.After(messages.Head(e.Message), "Created pod: "))
		if id.Name == "" || o.index.objects[id] != nil || len(all) == maxFormer {
			continue
		}
		former := o.index.unknown(id)
		former.Result = status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist any more"}
		former.events = o.index.former[id]
		sortEvents(former.events)
		all = append(all, former)
	}
	return all
}

// formerPodFailed finds why a Pod that does not exist any more made its Job fail, from its latest
// event about a problem.
func formerPodFailed(o *object) []finding {
	for _, former := range o.formerPods() {
		for _, reason := range [...]string{"Evicted", "FailedScheduling", "Preempted", "Failed", "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "BackOff"} {
			e, ok := former.lastEvent(reason)
			if !ok || e.Type != "Warning" {
				continue
			}
			f := former.eventFinding(e)
			f.chain, f.at = newLink(former, nil), former
			return []finding{f}
		}
	}
	return nil
}

// eventFinding explains an event about a Pod of which nothing else is known.
func (o *object) eventFinding(e Event) finding {
	quote, message := o.eventEvidence(e), messages.Head(e.Message)
	f := finding{kind: "ContainerFailed", evidence: []Evidence{quote}}
	lower := strings.ToLower(message)
	way, isPull := pullPatternOf(lower)
	switch {
	case e.Reason == "FailedScheduling":
		f = o.unschedulable(message, quote)[0]
		f.evidence, f.weak = []Evidence{quote}, false
	case e.Reason == "Evicted":
		f.kind, f.text = "Evicted", "it was evicted from its node: "+strings.TrimRight(message, ". ")
	case e.Reason == "Preempted":
		f.kind, f.text = "Preempted", "it was preempted by a Pod of higher priority"
	case e.Reason == "FailedMount", e.Reason == "FailedAttachVolume":
		f = finding{evidence: f.evidence}
		o.volumeTrouble(&f, e)
		f.next = nil
	case e.Reason == "FailedCreatePodSandBox":
		f.kind, f.text = "PodSandbox", "its sandbox cannot be created: "+innermostError(message)
	case strings.Contains(lower, "image") && isPull:
		f.kind, f.text = way.kind, "image "+cmp.Or(messages.QuotedAfter(message, `image "`), "of a container")+" "+way.text
	default:
		f.text = "its last event: " + show.Line(e.Reason+" "+message)
	}
	f.key = f.kind + " " + f.text
	f.next = []string{commandFor(o.ID, "get", "events")}
	return f
}
