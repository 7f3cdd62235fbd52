package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// The functions that find the caveat of an object that is Current, by kind. Caveats that
// need only the object are in its verdict.
var caveats = map[status.Kind]func(*object) string{
	service: withoutEndpoint,
	ingress: withoutControllerOrService,
	cronJob: failingJobs,
}

// caveat returns why an object that is Current may not work as its user expects, or "".
func (o *object) caveat() string {
	if !o.isDone() || o.Object == nil {
		return ""
	}
	if find := caveats[o.ID.GroupKind()]; find != nil && o.Result.Caveat == "" {
		return find(o)
	}
	return o.Result.Caveat
}

// endpointDelay is how long the endpoints of a Service may lack a Pod that has become
// ready. The controller of endpoints needs some time, and a wait often ends when the Pod
// becomes ready.
const endpointDelay = 10 * time.Second

// withoutEndpoint reports that a Service with a selector has no ready endpoint.
func withoutEndpoint(o *object) string {
	if len(o.Labels("spec.selector")) == 0 {
		return ""
	}
	for _, p := range o.index.livePods(o.selectedBy("spec.selector")) {
		ready := p.condition("Ready")
		if since := timeOf(ready.Text("lastTransitionTime")); ready.Text("status") == "True" && o.index.now.Sub(since) < endpointDelay {
			return ""
		}
	}
	for _, f := range noEndpoints(o) {
		own := "service " + o.fullName()
		return strings.TrimLeft(strings.TrimPrefix(f.text, own), ": ")
	}
	return ""
}

// withoutControllerOrService reports that no controller serves an Ingress, or that a Service behind
// it does not exist. An Ingress with an address is served. So may be an Ingress with the old class
// annotation.
func withoutControllerOrService(o *object) string {
	class := o.Text("spec.ingressClassName")
	if isMissing := o.index.isKnownMissing(o.refer(ingressClass, "", class)); class != "" && isMissing && !o.Has("status.loadBalancer.ingress") {
		return "IngressClass " + class + " does not exist"
	}
	for _, f := range noIngressClass(o) {
		return f.text
	}
	for b := range o.backends() {
		if name := b.Text("service.name"); name != "" && o.index.isKnownMissing(o.refer(service, o.ID.Namespace, name)) {
			return "Service " + name + ", a backend of it, does not exist"
		}
	}
	for _, f := range ingressPorts(o) {
		return f.text
	}
	return ""
}

// isKnownMissing reports whether the facts say that an object does not exist.
func (x *index) isKnownMissing(id ID) bool {
	o := x.find(id)
	return o != nil && o.isMissing()
}

// failingJobs reports how many of the latest Jobs of a CronJob have failed in a row.
func failingJobs(o *object) string {
	var jobs []*object
	for _, p := range o.parts {
		ended := p.Result.Status == status.FailedStatus || p.Result.Reason == "Completed"
		if p.ID.GroupKind() == job && ended && !p.isDeleting() {
			jobs = append(jobs, p)
		}
	}
	const created = "metadata.creationTimestamp"
	slices.SortFunc(jobs, func(a, b *object) int {
		return cmp.Or(timeOf(b.Text(created)).Compare(timeOf(a.Text(created))), b.ID.Compare(a.ID))
	})
	failed := slices.IndexFunc(jobs, (*object).isDone)
	if failed < 0 {
		failed = len(jobs)
	}
	var why string
	switch failed {
	case 0:
		return ""
	case 1:
		why = "its last Job failed"
	default:
		why = fmt.Sprintf("its last %s failed", text.Count(failed, "Job"))
	}
	if !o.Has("status.lastSuccessfulTime") {
		why += ", and none has succeeded"
	}
	return why
}

// hasWarning reports whether an object is Current, and may not work as its user expects.
func (e *Explanation) hasWarning(a *Subject) bool {
	return a.Status == status.CurrentStatus && !e.OfUnmetGoals && (len(a.Causes) > 0 || a.Caveat != "")
}

// causesBySubject returns the causes in order. The causes of the same first object follow each
// other, so that it has one title.
func (e *Explanation) causesBySubject() (all []*Cause) {
	place := map[ID]int{}
	for i := range e.Causes {
		if _, ok := place[e.Causes[i].Blocks[0]]; !ok {
			place[e.Causes[i].Blocks[0]] = i
		}
		all = append(all, &e.Causes[i])
	}
	slices.SortStableFunc(all, func(a, b *Cause) int { return cmp.Compare(place[a.Blocks[0]], place[b.Blocks[0]]) })
	return all
}

// allCurrent reports whether all objects are Current.
func (x *index) allCurrent(ids []ID) bool {
	return !slices.ContainsFunc(ids, func(id ID) bool {
		o := x.find(id)
		return o == nil || !o.isDone()
	})
}
