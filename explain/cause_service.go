package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/text"
)

// noEndpoints tells why nobody serves behind a Service, as far as its
// EndpointSlices are known to hold no endpoint that is ready: it has no selector
// and nobody has given it endpoints, its selector matches no Pod, or no Pod that
// it matches is ready, of which each tells why.
func noEndpoints(n *node) []found {
	slices, ready, known := n.endpoints()
	if n.Text("spec.type") == "ExternalName" || !known || ready > 0 {
		return nil
	}
	f := found{
		kind: "NoReadyEndpoints", text: "no endpoint is ready behind service " + n.called(), key: n.ID.String(),
		evidence: []Evidence{n.lookup(text.Count(slices, "EndpointSlice") + ", with no endpoint that is ready")},
		next:     []string{n.kubectl("get endpointslices -l " + serviceNameLabel + "=" + n.ID.Name)},
	}
	if slices == 0 {
		f.evidence[0].Value = "it has no EndpointSlice"
	}
	if selector := n.Labels("spec.selector"); len(selector) == 0 {
		f.kind, f.text = "NoEndpoints", "service "+n.called()+" has no selector, and nobody has given it endpoints"
		f.evidence = append([]Evidence{n.evidence("spec.selector")}, f.evidence...)
		return []found{f}
	}
	of := n.selectedBy("spec.selector")
	switch pods := n.scene.standing(of); {
	case len(pods) > 0:
		return []found{n.selectsUnready(f, pods)}
	case len(n.scene.among(of)) > 0:
		f.text = "service " + n.called() + ": the Pods that it selects have ended or are being deleted"
		f.evidence = append(f.evidence, n.lookup(text.Count(len(n.scene.among(of)), "Pod")+" with "+of.Selector+", none of them to stay"))
	case n.scene.listed(of):
		return []found{n.selectsNobody(f, of)}
	}
	return []found{f}
}

// selectsUnready tells that no Pod that a Service selects is ready, which they
// tell better themselves, or that one is, and its endpoint is not.
func (n *node) selectsUnready(f found, pods []*node) found {
	f.echo = true
	f.text = fmt.Sprintf("service %s: none of the %s that it selects is ready", n.called(), text.Count(len(pods), "Pod"))
	if len(pods) == 1 {
		f.text = "service " + n.called() + ": the Pod that it selects is not ready"
	}
	for _, p := range pods {
		if ready := p.condition("Ready"); ready.Text("status") == "True" {
			f.text = "no endpoint is ready behind service " + n.called() + ", although a Pod that it selects is"
			f.evidence = append(f.evidence, ready.evidence("status"))
			break
		}
	}
	return f
}

// selectsNobody tells that a selector matches no Pod, and which Pods or
// workloads come near to it.
func (n *node) selectsNobody(f found, of List) found {
	f.kind, f.text = "SelectorMatchesNoPod", "service "+n.called()+" selects no Pod: none has "+of.Selector
	f.evidence = append([]Evidence{n.lookup("no Pod in " + of.Namespace + " has " + of.Selector)}, f.evidence...)
	f.next = []string{n.kubectl("get pods --show-labels")}
	for _, w := range n.makers() {
		if w.Int("spec.replicas", 1) == 0 {
			f.text += "; " + lowerKind(w.ID) + " is scaled to zero"
			f.evidence = append(f.evidence, w.evidence("spec.replicas"))
			f.next = []string{w.kubectl("scale " + strings.ToLower(w.ID.Kind) + "/" + w.ID.Name + " --replicas=1")}
			return f
		}
	}
	if near, path, key := n.near(of); near != nil {
		f.text += "; " + lowerKind(near.ID) + " differs in " + key
		f.evidence = append(f.evidence, n.Under("spec.selector").evidence("["+key+"]"), near.evidence(path+"["+key+"]"))
	}
	return f
}

// near returns the first object that has, or gives its Pods, all labels that a
// selector asks for but one, and that label.
func (n *node) near(of List) (near *node, path, key string) {
	asked := n.Labels("spec.selector")
	candidates := n.scene.among(n.list(deployment, of.Namespace, nil))
	candidates = append(candidates, n.scene.among(n.list(statefulSet, of.Namespace, nil))...)
	candidates = append(candidates, n.scene.among(n.list(pod, of.Namespace, nil))...)
	for _, c := range candidates {
		path := "spec.template.metadata.labels"
		if c.ID.Kind == "Pod" {
			path = "metadata.labels"
		}
		var differ []string
		have := c.Labels(path)
		for key, value := range asked {
			if have[key] != value {
				differ = append(differ, key)
			}
		}
		// Of a single label anything would differ.
		if len(differ) == 1 && (len(asked) > 1 || misspelt(asked[differ[0]], have[differ[0]])) {
			return c, path, differ[0]
		}
	}
	return nil, "", ""
}

// makers returns the workloads whose Pods a Service would select.
func (n *node) makers() (all []*node) {
	selector := selectorOf(n.Labels("spec.selector"))
	for _, kind := range [...]List{n.list(deployment, n.ID.Namespace, nil), n.list(statefulSet, n.ID.Namespace, nil)} {
		for _, w := range n.scene.among(kind) {
			if selector != "" && selects(selector, w.Labels("spec.template.metadata.labels")) {
				all = append(all, w)
			}
		}
	}
	return all
}

const serviceNameLabel = "kubernetes.io/service-name"

// endpoints counts the EndpointSlices of a Service and the endpoints in them
// that are ready. An endpoint that does not say whether it is ready is.
func (n *node) endpoints() (count, ready int, known bool) {
	of := n.slices()
	all := n.scene.among(of)
	for _, s := range all {
		for e := range s.Each("endpoints") {
			if is, told := e.Get("conditions.ready").(bool); is || !told {
				ready++
			}
		}
	}
	return len(all), ready, len(all) > 0 || n.scene.listed(of)
}

func (n *node) slices() List {
	return n.list(endpointSlice, n.ID.Namespace, map[string]string{serviceNameLabel: n.ID.Name})
}

// selectedBy names the Pods that a selector of labels asks for.
func (n *node) selectedBy(path string) List {
	return n.list(pod, n.ID.Namespace, n.Labels(path))
}

// standing returns the known Pods of a list that are neither at their end nor on
// their way out.
func (s *scene) standing(of List) []*node {
	return slices.DeleteFunc(s.among(of), func(p *node) bool {
		phase := p.Text("status.phase")
		return phase == "Succeeded" || phase == "Failed" || p.Has("metadata.deletionTimestamp")
	})
}

// selected returns the objects that a Service depends on, if nobody serves
// behind it: the Pods that it selects, or else those who would make them.
func (n *node) selected() []*node {
	if _, ready, known := n.endpoints(); !known || ready > 0 || len(n.Labels("spec.selector")) == 0 {
		return nil
	}
	if pods := n.scene.standing(n.selectedBy("spec.selector")); len(pods) > 0 {
		return pods
	}
	return n.makers()
}

// serviceLists are the EndpointSlices of a Service; its Pods if nobody is ready or
// a port is missing; and if there are none, what may come near.
func serviceLists(n *node) []List {
	if n.Text("spec.type") == "ExternalName" {
		return nil
	}
	lists := []List{n.slices()}
	_, ready, known := n.endpoints()
	if !known || len(n.Labels("spec.selector")) == 0 || ready > 0 && len(n.unservedPorts()) == 0 {
		return lists
	}
	pods := n.selectedBy("spec.selector")
	lists = append(lists, pods)
	if n.scene.listed(pods) && len(n.scene.standing(pods)) == 0 {
		lists = append(lists, n.list(pod, n.ID.Namespace, nil), n.list(deployment, n.ID.Namespace, nil), n.list(statefulSet, n.ID.Namespace, nil))
	}
	return lists
}

// heardWithin is how long a controller has to put its finalizer on a Service, or
// to tell of it, which it does before anything that takes time.
const heardWithin = 15 * time.Second

// loadBalancer tells why a Service of type LoadBalancer has no address: what
// its controller says, or that none has taken it on.
func loadBalancer(n *node) []found {
	if n.Text("spec.type") != "LoadBalancer" || n.Has("status.loadBalancer.ingress") {
		return nil
	}
	for _, e := range n.events {
		if e.Type != "Warning" || strings.Contains(e.Reason, "Endpoint") {
			continue
		}
		return []found{{
			kind: "LoadBalancerFailed", text: e.Message, evidence: []Evidence{n.event(e), n.evidence("status.loadBalancer.ingress")},
			next: []string{n.kubectl("describe service " + n.ID.Name)},
		}}
	}
	if len(n.Texts("metadata.finalizers")) > 0 || len(n.events) > 0 || n.scene.age(n.Text("metadata.creationTimestamp")) < heardWithin {
		return nil
	}
	f := found{
		next: []string{n.kubectl("describe service " + n.ID.Name)},
		kind: "LoadBalancerUnclaimed", text: "no load balancer controller is seen at work on it",
		evidence: []Evidence{n.evidence("status.loadBalancer.ingress"), n.evidence("metadata.finalizers")},
	}
	if class := n.Text("spec.loadBalancerClass"); class != "" {
		f.text += ": its class is " + class
		f.evidence = append(f.evidence, n.evidence("spec.loadBalancerClass"))
	}
	return []found{f}
}
