package explain

import (
	"regexp"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var autoscaler = status.Kind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}

// The APIs that an autoscaler reads metrics from, and who serves them.
var metricsAPIs = [...]struct{ group, service string }{
	{".custom.metrics.k8s.io", "v1beta2.custom.metrics.k8s.io"},
	{".custom.metrics.k8s.io", "v1beta1.custom.metrics.k8s.io"},
	{".external.metrics.k8s.io", "v1beta1.external.metrics.k8s.io"},
	{"s.metrics.k8s.io", "v1beta1.metrics.k8s.io"},
}

// autoscalerRefs are what an autoscaler scales, and the API that it says it
// cannot read its metrics from.
func autoscalerRefs(o *object) (all []objectRef) {
	if r, ok := o.reference("spec.scaleTargetRef"); ok {
		all = append(all, r)
	}
	c := o.condition("ScalingActive")
	if c.Text("status") != "False" {
		return all
	}
	for _, api := range metricsAPIs {
		if strings.Contains(c.Text("message"), api.group) {
			all = append(all, objectRef{Path: c.Path + "message", ID: o.refer(apiService, "", api.service), Optional: api.service == "v1beta2.custom.metrics.k8s.io"})
		}
	}
	return all
}

// As the autoscaler says that a container has no request to count from.
var missingRequest = regexp.MustCompile(`missing request for ([a-z0-9./-]+) in container ([a-z0-9-]+)`)

// unreadMetrics tells why an autoscaler cannot read its metrics.
func unreadMetrics(o *object) []finding {
	c := o.condition("ScalingActive")
	if c.Text("status") != "False" || c.Text("reason") == "ScalingDisabled" {
		return nil
	}
	f := finding{kind: "MetricsUnavailable", text: c.conditionText(), weak: true, evidence: c.conditionEvidence(), next: []string{o.ID.kubectl("describe", "hpa", kubectl.Name(o.ID.Name))}}
	m := missingRequest.FindStringSubmatch(messages.Head(c.Text("message")))
	if m == nil {
		return []finding{f}
	}
	f.kind, f.weak, f.text = "RequestMissing", false, "container "+show.Quoted(m[2])+" requests no "+m[1]+", of which its use is counted"
	f.evidence = f.evidence[len(f.evidence)-1:]
	if r, ok := o.reference("spec.scaleTargetRef"); ok {
		if to := o.index.find(r.ID); to != nil && to.Object != nil {
			f.key = to.ID.String() + f.text
			f.evidence = append(f.evidence, to.evidence("spec.template.spec.containers["+m[2]+"].resources.requests."+m[1]))
		}
	}
	return []finding{f}
}

// unscaled tells that an autoscaler cannot find or change what it scales.
func unscaled(o *object) []finding {
	c := o.condition("AbleToScale")
	if reason := c.Text("reason"); c.Text("status") != "False" || reason != "FailedGetScale" && reason != "FailedUpdateScale" {
		return nil
	}
	return []finding{{kind: "ScaleTargetUnavailable", text: c.conditionText(), weak: true, evidence: c.conditionEvidence()}}
}
