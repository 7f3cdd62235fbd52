package explain

import (
	"regexp"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var autoscaler = status.Kind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}

// The APIs from which an autoscaler reads metrics, and the APIServices that serve them.
var metricsAPIs = [...]struct{ group, service string }{
	{".custom.metrics.k8s.io", "v1beta2.custom.metrics.k8s.io"},
	{".custom.metrics.k8s.io", "v1beta1.custom.metrics.k8s.io"},
	{".external.metrics.k8s.io", "v1beta1.external.metrics.k8s.io"},
	{"s.metrics.k8s.io", "v1beta1.metrics.k8s.io"},
}

// autoscalerRefs returns the object that an autoscaler scales, and the objects that stop it from
// reading metrics. These are an API, or a Pod without a resource request.
func autoscalerRefs(o *object) (all []objectRef) {
	if r, ok := o.reference("spec.scaleTargetRef"); ok {
		all = append(all, r)
	}
	c := o.condition("ScalingActive")
	if c.Text("status") != "False" {
		return all
	}
	if m := missingRequest.FindStringSubmatch(messages.Head(c.Text("message"))); m != nil && m[3] != "" {
		all = append(all, objectRef{Path: c.Path + "message", ID: o.refer(pod, o.ID.Namespace, m[3]), isFieldsOnly: true})
	}
	for _, api := range metricsAPIs {
		if strings.Contains(c.Text("message"), api.group) {
			all = append(all, objectRef{Path: c.Path + "message", ID: o.refer(apiService, "", api.service), Optional: api.service == "v1beta2.custom.metrics.k8s.io"})
		}
	}
	return all
}

// The message of an autoscaler when a container has no resource request.
var missingRequest = regexp.MustCompile(`missing request for ([a-z0-9./-]+) in container ([a-z0-9-]+)(?: of Pod ([a-z0-9.-]+))?`)

// metricsUnavailable finds why an autoscaler cannot read its metrics.
func metricsUnavailable(o *object) []finding {
	c := o.condition("ScalingActive")
	if c.Text("status") != "False" || c.Text("reason") == "ScalingDisabled" {
		return nil
	}
	f := finding{kind: "MetricsUnavailable", text: c.conditionText(), weak: true, evidence: c.conditionEvidence(), next: []string{commandFor(o.ID, "describe", "hpa", kubectl.Name(o.ID.Name))}}
	m := missingRequest.FindStringSubmatch(messages.Head(c.Text("message")))
	if m == nil {
		return []finding{f}
	}
	f.kind, f.weak = "RequestMissing", false
	f.evidence = f.evidence[len(f.evidence)-1:]
	o.requestMissing(&f, m[1], m[2], o.index.find(o.refer(pod, o.ID.Namespace, m[3])))
	return []finding{f}
}

// requestMissing finds the container that has no resource request. It is in the Pod that
// the autoscaler names, which may not belong to the scaled object, or else in the
// template.
func (o *object) requestMissing(f *finding, resource, name string, p *object) {
	at := "containers[" + name + "].resources.requests." + resource
	if strings.Contains(resource, ".") {
		at = "containers[" + name + "].resources.requests[" + resource + "]"
	}
	f.text = "container " + show.Quoted(name) + " has no " + strings.Replace(resource, "cpu", "CPU", 1) + " request, which the autoscaler needs"
	r, _ := o.reference("spec.scaleTargetRef")
	to := o.index.find(r.ID)
	isKnown := p != nil && p.Object != nil
	if isKnown {
		f.evidence = append(f.evidence, p.evidence("spec."+at))
	}
	if to == nil || to.Object == nil {
		return
	}
	f.key = to.ID.String() + f.text
	switch {
	case isKnown && !p.isMadeBy(to):
		f.text = "Pod " + p.ID.Name + " is not part of " + to.ID.Kind.Kind + " " + to.ID.Name + ", but has its labels; its " + f.text
		f.evidence = append(f.evidence, p.evidence("metadata.ownerReferences"), to.evidenceAs("spec.selector.matchLabels", fields.SelectorOf(to.Labels("spec.selector.matchLabels"))))
		f.next = append(f.next, commandFor(p.ID, "describe", slash(p.ID)))
	case to.Has("spec.template.spec.containers[" + name + "]"):
		f.evidence = append(f.evidence, to.evidence("spec.template.spec."+at))
	}
}

// isMadeBy reports whether a Pod belongs to a workload, or to a ReplicaSet whose name
// begins with the name of the workload.
func (o *object) isMadeBy(workload *object) bool {
	if o.isPartOf(workload) {
		return true
	}
	for ref := range o.Each("metadata.ownerReferences") {
		name, isSet := ref.Text("name"), ref.Text("kind") == "ReplicaSet"
		if ref.Is("controller") && (ref.Text("kind") == workload.ID.Kind.Kind && name == workload.ID.Name || isSet && strings.HasPrefix(name, workload.ID.Name+"-")) {
			return true
		}
	}
	return false
}

// scaleTargetUnavailable finds that an autoscaler cannot find or change the object that it scales.
func scaleTargetUnavailable(o *object) []finding {
	c := o.condition("AbleToScale")
	if reason := c.Text("reason"); c.Text("status") != "False" || reason != "FailedGetScale" && reason != "FailedUpdateScale" {
		return nil
	}
	return []finding{{kind: "ScaleTargetUnavailable", text: c.conditionText(), weak: true, evidence: c.conditionEvidence()}}
}
