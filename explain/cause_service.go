package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/internal/text"
	"kstatus.dev/internal/typo"
)

// noEndpoints finds why no endpoint of a Service is ready, if its EndpointSlices are
// known. The Service has no selector and no endpoints, its selector matches no Pod, or no
// selected Pod is ready. The Pods have findings of their own.
func noEndpoints(o *object) []finding {
	slices, ready, known := o.endpoints()
	if o.Text("spec.type") == "ExternalName" || !known || ready > 0 {
		return nil
	}
	f := finding{
		kind: "NoReadyEndpoints", text: "service " + o.fullName() + " has no ready endpoint", key: o.ID.String(),
		evidence: []Evidence{o.lookupEvidence(text.Count(slices, "EndpointSlice") + ", without a ready endpoint")},
		next:     []string{commandFor(o.ID, "get", "endpointslices", "-l", kubectl.Word(serviceNameLabel+"=").With(kubectl.Name(o.ID.Name)))},
	}
	if slices == 0 {
		f.evidence[0].Value = "it has no EndpointSlice"
	}
	if selector := o.Labels("spec.selector"); len(selector) == 0 {
		f.kind, f.text = "NoEndpoints", "service "+o.fullName()+" has no selector, and no endpoints have been added"
		f.evidence = append([]Evidence{o.evidence("spec.selector")}, f.evidence...)
		return []finding{f}
	}
	of := o.selectedBy("spec.selector")
	switch pods := o.index.livePods(of); {
	case len(pods) > 0:
		return []finding{o.selectsUnready(f, pods)}
	case len(o.index.objectsIn(of)) > 0:
		f.text = "service " + o.fullName() + ": the Pods that it selects have terminated or are being deleted"
		f.evidence = append(f.evidence, o.lookupEvidence(text.Count(len(o.index.objectsIn(of)), "Pod")+" with "+of.Selector+", all terminated or being deleted"))
	case o.index.isListed(of):
		return []finding{o.selectorMatchesNoPod(f, of)}
	}
	return []finding{f}
}

// selectsUnready explains that no selected Pod is ready, or that a selected Pod is ready
// and its endpoint is not. Pods have the better explanation.
func (o *object) selectsUnready(f finding, pods []*object) finding {
	f.weak = true
	f.text = fmt.Sprintf("service %s: none of the %s that it selects is ready", o.fullName(), text.Count(len(pods), "Pod"))
	if len(pods) == 1 {
		f.text = "service " + o.fullName() + ": the Pod that it selects is not ready"
	}
	for _, p := range pods {
		if ready := p.condition("Ready"); ready.Text("status") == "True" {
			f.text = "service " + o.fullName() + " has no ready endpoint, although a Pod that it selects is ready"
			f.evidence = append(f.evidence, ready.evidence("status"))
			break
		}
	}
	return f
}

// selectorMatchesNoPod explains that a selector matches no Pod, and names Pods or workloads that
// almost match.
func (o *object) selectorMatchesNoPod(f finding, of List) finding {
	f.kind, f.text = "SelectorMatchesNoPod", "service "+o.fullName()+" selects no Pod: none has "+of.Selector
	f.evidence = append([]Evidence{o.lookupEvidence("no Pod in " + of.Namespace + " has " + of.Selector)}, f.evidence...)
	f.next = []string{commandFor(o.ID, "get", "pods", "--show-labels")}
	for _, w := range o.selectedWorkloads() {
		if w.Int("spec.replicas", 1) == 0 {
			f.text += "; " + kindAndName(w.ID) + " is scaled to zero"
			f.evidence = append(f.evidence, w.evidence("spec.replicas"))
			f.next = []string{commandFor(w.ID, "scale", slash(w.ID), "--replicas=1")}
			return f
		}
	}
	if near, path, key := o.closestMatch(of); near != nil {
		f.text += "; " + kindAndName(near.ID) + " differs in label " + key
		f.evidence = append(f.evidence, o.Under("spec.selector").evidence("["+key+"]"), near.evidence(path+"["+key+"]"))
	}
	return f
}

// closestMatch returns the first object that matches all labels of a selector except one, and
// that label. For a workload, the labels of its Pods count.
func (o *object) closestMatch(of List) (near *object, path, key string) {
	selector := o.Labels("spec.selector")
	candidates := o.index.objectsIn(o.list(deployment, of.Namespace, nil))
	candidates = append(candidates, o.index.objectsIn(o.list(statefulSet, of.Namespace, nil))...)
	candidates = append(candidates, o.index.objectsIn(o.list(pod, of.Namespace, nil))...)
	for _, c := range candidates {
		path := "spec.template.metadata.labels"
		if c.ID.Kind.Kind == "Pod" {
			path = "metadata.labels"
		}
		var differ []string
		have := c.Labels(path)
		for key, value := range selector {
			if have[key] != value {
				differ = append(differ, key)
			}
		}
		// With a single label, any object would be a near miss.
		if len(differ) == 1 && (len(selector) > 1 || typo.Is(selector[differ[0]], have[differ[0]])) {
			return c, path, differ[0]
		}
	}
	return nil, "", ""
}

// selectedWorkloads returns the workloads whose Pods a Service would select.
func (o *object) selectedWorkloads() (all []*object) {
	selector := fields.SelectorOf(o.Labels("spec.selector"))
	for _, kind := range [...]List{o.list(deployment, o.ID.Namespace, nil), o.list(statefulSet, o.ID.Namespace, nil)} {
		for _, w := range o.index.objectsIn(kind) {
			if selector != "" && fields.Selects(selector, w.Labels("spec.template.metadata.labels")) {
				all = append(all, w)
			}
		}
	}
	return all
}

const serviceNameLabel = "kubernetes.io/service-name"

// endpoints counts the EndpointSlices of a Service and their ready endpoints. An endpoint
// without the condition is ready.
func (o *object) endpoints() (count, ready int, known bool) {
	of := o.sliceList()
	all := o.index.objectsIn(of)
	for _, s := range all {
		for e := range s.Each("endpoints") {
			if is, reported := e.Get("conditions.ready").(bool); is || !reported {
				ready++
			}
		}
	}
	return len(all), ready, len(all) > 0 || o.index.isListed(of)
}

func (o *object) sliceList() List {
	return o.list(endpointSlice, o.ID.Namespace, map[string]string{serviceNameLabel: o.ID.Name})
}

// selectedBy returns the list of the Pods that a selector of labels matches.
func (o *object) selectedBy(path string) List {
	return o.list(pod, o.ID.Namespace, o.Labels(path))
}

// livePods returns the known Pods of a list that have not ended and are not being
// deleted.
func (x *index) livePods(of List) []*object {
	return slices.DeleteFunc(x.objectsIn(of), func(p *object) bool {
		phase := p.Text("status.phase")
		return phase == "Succeeded" || phase == "Failed" || p.Has("metadata.deletionTimestamp")
	})
}

// selectedPods returns the objects on which a Service without ready endpoints depends:
// the Pods that it selects, or else the workloads that would create them.
func (o *object) selectedPods() []*object {
	if _, ready, known := o.endpoints(); !known || ready > 0 || len(o.Labels("spec.selector")) == 0 {
		return nil
	}
	if pods := o.selectedLivePods(); len(pods) > 0 {
		return pods
	}
	return o.selectedWorkloads()
}

// selectedLivePods returns the known Pods that a Service selects. Without a selector there are none.
func (o *object) selectedLivePods() []*object {
	if len(o.Labels("spec.selector")) == 0 {
		return nil
	}
	return o.index.livePods(o.selectedBy("spec.selector"))
}

// serviceLists returns the lists that explain a Service. They are its EndpointSlices,
// then its Pods if no endpoint is ready or a port is missing, then workloads and Pods
// that almost match.
func serviceLists(o *object) []List {
	if o.Text("spec.type") == "ExternalName" {
		return nil
	}
	lists := []List{o.sliceList()}
	_, ready, known := o.endpoints()
	if !known || len(o.Labels("spec.selector")) == 0 || ready > 0 && len(o.unservedPorts()) == 0 {
		return lists
	}
	pods := o.selectedBy("spec.selector")
	lists = append(lists, pods)
	if o.index.isListed(pods) && len(o.index.livePods(pods)) == 0 {
		lists = append(lists, o.list(pod, o.ID.Namespace, nil), o.list(deployment, o.ID.Namespace, nil), o.list(statefulSet, o.ID.Namespace, nil))
	}
	return lists
}

// controllerDelay is how long a controller may take to put its finalizer on a Service or
// to report on it. Controllers do that before any slow operation.
const controllerDelay = 15 * time.Second

// isOfServiceRepair reports whether an event about a Service comes from a controller of Kubernetes that
// updates its endpoints, or repairs its addresses and ports.
func isOfServiceRepair(e Event) bool {
	return strings.Contains(e.Reason, "Endpoint") || strings.HasSuffix(e.From, "allocator-repair-controller")
}

// loadBalancer finds why a Service of type LoadBalancer has no address: its controller
// reports a problem, or no controller handles it.
func loadBalancer(o *object) []finding {
	if o.Text("spec.type") != "LoadBalancer" || o.Has("status.loadBalancer.ingress") {
		return nil
	}
	events := slices.DeleteFunc(slices.Clone(o.events), isOfServiceRepair)
	for _, e := range events {
		if e.Type != "Warning" {
			continue
		}
		return []finding{{
			kind: "LoadBalancerFailed", text: cmp.Or(e.Message, e.Reason), evidence: []Evidence{o.eventEvidence(e), o.evidence("status.loadBalancer.ingress")},
			next: []string{commandFor(o.ID, "describe", "service", kubectl.Name(o.ID.Name))},
		}}
	}
	if len(o.Texts("metadata.finalizers")) > 0 || len(events) > 0 {
		return nil
	}
	f := finding{
		next: []string{commandFor(o.ID, "describe", "service", kubectl.Name(o.ID.Name))},
		kind: "LoadBalancerUnclaimed", text: "no load balancer controller has acted on it",
		evidence: []Evidence{o.evidence("status.loadBalancer.ingress"), o.evidence("metadata.finalizers")},
	}
	if age := o.index.age(o.Text("metadata.creationTimestamp")); age > 0 && age < controllerDelay {
		f.text = "no load balancer controller has acted on it yet"
	}
	if class := o.Text("spec.loadBalancerClass"); class != "" {
		f.text += " (loadBalancerClass " + class + ")"
		f.evidence = append(f.evidence, o.evidence("spec.loadBalancerClass"))
	}
	return []finding{f}
}
