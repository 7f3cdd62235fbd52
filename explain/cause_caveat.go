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

// The functions that find the caveats of an object that is Current, by kind. Caveats that
// need only the object are in its verdict.
var caveats = map[status.Kind]func(*object) []string{
	service: (*object).unserved,
	ingress: unservedIngress,
	cronJob: unstartedJobs,

	validatingWebhooks: expiredBundles,
	mutatingWebhooks:   expiredBundles,
}

// caveat returns why an object that is Current may not work as its user expects, or "".
func (o *object) caveat() string {
	if !o.isDone() {
		return ""
	}
	if find := caveats[o.ID.Kind]; find != nil && o.Object != nil && o.Result.Caveat == "" {
		return strings.Join(find(o), "; ")
	}
	return o.Result.Caveat
}

// CaveatQueries returns what to read next for the caveats of Current objects, in order, as [Queries]
// does for explanations.
func CaveatQueries(f *Facts, requested ...status.ID) (all []Query) {
	for _, o := range newTraversal(f, requested).requested {
		if o.index.objects[o.ID] == nil {
			all = append(all, Query{Type: QueryObject, ID: o.ID})
			continue
		}
		if !o.isDone() || o.Object == nil {
			continue
		}
		switch o.ID.Kind {
		case service:
			all = append(all, o.selectedLists()...)
		case ingress:
			for _, l := range o.missingLists() {
				all = append(all, Query{Type: QueryList, ID: o.ID, List: l})
			}
			for _, ref := range o.references() {
				if to := o.index.referent(ref); to == nil {
					all = append(all, Query{Type: QueryObject, ID: ref.ID})
				} else if to.ID.Kind == service && to.Object != nil {
					all = append(all, to.selectedLists()...)
				}
			}
			all = append(all, o.missingEvents()...)
		case cronJob:
			if len(o.parts) == 0 {
				all = append(all, Query{Type: QueryParts, ID: o.ID, Kind: job})
			}
			all = append(all, o.missingEvents()...)
		}
	}
	return all
}

// missingEvents returns the query for the events about an object, unless the facts have some.
func (o *object) missingEvents() []Query {
	if len(o.events) > 0 {
		return nil
	}
	return []Query{{Type: QueryEvents, ID: o.ID}}
}

// selectedLists returns the queries for the lists of a Service that are not among the facts, except for
// lists of all objects.
func (o *object) selectedLists() (all []Query) {
	for _, l := range o.missingLists() {
		if l.Selector != "" {
			all = append(all, Query{Type: QueryList, ID: o.ID, List: l})
		}
	}
	return all
}

// endpointDelay is how long the endpoints of a Service may lack a Pod that has become
// ready. The controller of endpoints needs some time, and a wait often ends when the Pod
// becomes ready.
const endpointDelay = 10 * time.Second

// unserved reports that a Service has no ready endpoint, or a port that no container of its Pods has.
// Many Ingresses may name the same Service.
func (o *object) unserved() []string {
	if !o.unservedFound {
		o.unservedBy, o.unservedFound = unservedService(o), true
	}
	return o.unservedBy
}

func unservedService(o *object) (all []string) {
	for _, p := range o.selectedLivePods() {
		ready := p.condition("Ready")
		if since := timeOf(ready.Text("lastTransitionTime")); ready.Text("status") == "True" && o.index.now.Sub(since) < endpointDelay {
			return nil
		}
	}
	own := "service " + o.fullName()
	for _, f := range slices.Concat(noEndpoints(o), targetPorts(o)) {
		all = append(all, strings.TrimLeft(strings.TrimPrefix(f.text, own), ": "))
	}
	return all
}

// unservedIngress reports that no controller serves an Ingress, or that an object that it names does
// not exist or does not serve. An Ingress with an address is served. So may be an Ingress with the
// old class annotation.
func unservedIngress(o *object) (all []string) {
	for _, f := range noIngressClass(o) {
		all = append(all, f.text)
	}
	for _, ref := range o.references() {
		to := o.index.referent(ref)
		switch kind := ref.ID.Kind; {
		case to == nil, kind == ingressClass && o.Has("status.loadBalancer.ingress"):
		case to.isMissing() && kind == service:
			all = append(all, "Service "+ref.ID.Name+", a backend of it, does not exist")
		case to.isMissing():
			all = append(all, ref.ID.Kind.Kind+" "+ref.ID.Name+" does not exist")
		case kind == service && to.isDone() && to.Object != nil:
			for _, why := range to.unserved() {
				all = append(all, "Service "+ref.ID.Name+", a backend of it: "+why)
			}
		}
	}
	for _, f := range ingressPorts(o) {
		all = append(all, f.text)
	}
	if len(all) == 0 && !o.Has("status.loadBalancer.ingress") {
		for _, f := range latestWarning(o) {
			all = append(all, f.text)
		}
	}
	return all
}

// expiredBundles reports that a certificate of a webhook has expired.
func expiredBundles(o *object) (all []string) {
	for _, f := range bundleExpired(o) {
		all = append(all, f.text)
	}
	return all
}

// unstartedJobs reports that a CronJob does not start Jobs, or that its Jobs fail.
func unstartedJobs(o *object) []string {
	all := failingJobs(o)
	for _, f := range cronTrouble(o) {
		all = append(all, f.text)
	}
	return all
}

// failingJobs reports how many of the latest Jobs of a CronJob have failed in a row.
func failingJobs(o *object) []string {
	var jobs []*object
	for _, p := range o.parts {
		ended := p.Result.Status == status.FailedStatus || p.Result.Reason == status.ReasonCompleted
		if p.ID.Kind == job && ended && !p.isDeleting() {
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
		return nil
	case 1:
		why = "its last Job failed"
	default:
		why = fmt.Sprintf("its last %s failed", text.Count(failed, "Job"))
	}
	if !o.Has("status.lastSuccessfulTime") {
		why += ", and none has succeeded"
	}
	return []string{why}
}

// hasWarning reports whether an object is Current, and may not work as its user expects.
func (e *Explanation) hasWarning(a *Subject) bool {
	warnings := status.Result{Warnings: a.Warnings, Caveat: a.Caveat}.AllWarnings()
	return a.Status == status.CurrentStatus && (len(warnings) > 0 || len(a.Causes) > 0 && !e.OfUnmetGoals)
}

// causesBySubject returns the causes in order. The causes of the same first object follow each
// other in the order that they have for it, so that it has one title.
func (e *Explanation) causesBySubject() (all []*Cause) {
	place, within := map[status.ID]int{}, map[*Cause]int{}
	for i := range e.Causes {
		if _, ok := place[e.Causes[i].Blocks[0]]; !ok {
			place[e.Causes[i].Blocks[0]] = i
		}
		all = append(all, &e.Causes[i])
	}
	for _, s := range e.Subjects {
		for n, i := range s.Causes {
			if c := &e.Causes[i]; c.Blocks[0] == s.ID {
				within[c] = n
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Cause) int {
		return cmp.Or(cmp.Compare(place[a.Blocks[0]], place[b.Blocks[0]]), cmp.Compare(within[a], within[b]))
	})
	return all
}

// allCurrent reports whether all objects are Current.
func (x *index) allCurrent(ids []status.ID) bool {
	return !slices.ContainsFunc(ids, func(id status.ID) bool {
		o := x.find(id)
		return o == nil || !o.isDone()
	})
}
