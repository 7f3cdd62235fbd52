package explain

import (
	"testing"
	"time"

	"kstatus.dev/status"
)

// factOf returns the fact about an object in namespace shop, or without a namespace for
// an IngressClass.
func factOf(t *testing.T, apiVersion, kind, name string, fields map[string]any) ObjectFact {
	t.Helper()
	meta := map[string]any{"name": name, "uid": kind + "-" + name}
	if kind != "IngressClass" {
		meta["namespace"] = "shop"
	}
	object := status.Map{"apiVersion": apiVersion, "kind": kind, "metadata": meta}
	for field, v := range fields {
		if more, ok := v.(map[string]any); ok && field == "metadata" {
			for key, value := range more {
				meta[key] = value
			}
			continue
		}
		object[field] = v
	}
	result, err := status.Compute(object)
	if err != nil {
		t.Fatal(err)
	}
	namespace, _ := meta["namespace"].(string)
	return ObjectFact{ID: status.ID{Kind: status.Kind{Group: groupOf(apiVersion), Kind: kind}, Namespace: namespace, Name: name}, Object: object, Result: *result}
}

func TestCaveats(t *testing.T) {
	type fields = map[string]any
	web := factOf(t, "v1", "Service", "web", fields{"spec": fields{"selector": fields{"app": "web"}, "clusterIP": "10.0.0.1", "ports": []any{fields{"port": 80, "name": "http"}}}})
	named := factOf(t, "v1", "Service", "web", fields{"spec": fields{"selector": fields{"app": "web"}, "clusterIP": "10.0.0.1", "ports": []any{fields{"port": 80, "targetPort": "metrics"}}}})
	bare := factOf(t, "v1", "Service", "web", fields{"spec": fields{"clusterIP": "10.0.0.1"}})
	endpoints := func(ready ...any) ObjectFact {
		var all []any
		for _, is := range ready {
			all = append(all, fields{"conditions": fields{"ready": is}})
		}
		return factOf(t, "discovery.k8s.io/v1", "EndpointSlice", "web-1", fields{"metadata": fields{"labels": fields{serviceNameLabel: "web"}}, "endpoints": all})
	}
	pod := factOf(t, "v1", "Pod", "web-1", fields{"metadata": fields{"labels": fields{"app": "web"}}})
	readySince := func(ago time.Duration) ObjectFact {
		return factOf(t, "v1", "Pod", "web-1", fields{
			"metadata": fields{"labels": fields{"app": "web"}},
			"status":   fields{"phase": "Running", "conditions": []any{fields{"type": "Ready", "status": "True", "lastTransitionTime": caseNow.Add(-ago).Format(time.RFC3339)}}},
		})
	}
	ingress := func(class, service string, port int) ObjectFact {
		backend := fields{"service": fields{"name": service, "port": fields{"number": port}}}
		spec := fields{"rules": []any{fields{"http": fields{"paths": []any{fields{"backend": backend}}}}}}
		if class != "" {
			spec["ingressClassName"] = class
		}
		return factOf(t, "networking.k8s.io/v1", "Ingress", "edge", fields{"spec": spec})
	}
	addressed := ingress("nope", "web", 80)
	addressed.Object["status"] = fields{"loadBalancer": fields{"ingress": []any{fields{"ip": "1.2.3.4"}}}}
	class := factOf(t, "networking.k8s.io/v1", "IngressClass", "nginx", nil)
	standard := factOf(t, "networking.k8s.io/v1", "IngressClass", "standard", fields{"metadata": fields{"annotations": fields{"ingressclass.kubernetes.io/is-default-class": "true"}}})
	missing := func(group, kind, namespace, name string) ObjectFact {
		return ObjectFact{ID: status.ID{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}, Result: status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen"}}
	}
	const networking = "networking.k8s.io"
	noClass, gone := missing(networking, "IngressClass", "", "nope"), missing("", "Service", "shop", "gone")
	cron := func(more fields) ObjectFact {
		return factOf(t, "batch/v1", "CronJob", "often", fields{"spec": fields{"schedule": "* * * * *"}, "status": more})
	}
	job := func(name, ended string, minute int) ObjectFact {
		return factOf(t, "batch/v1", "Job", name, fields{
			"metadata": fields{
				"creationTimestamp": time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC).Format(time.RFC3339),
				"ownerReferences":   []any{fields{"uid": "CronJob-often", "controller": true}},
			},
			"status": fields{"conditions": []any{fields{"type": ended, "status": "True"}}},
		})
	}
	succeeded := fields{"lastSuccessfulTime": "2026-01-01T00:00:00Z"}
	slices, pods := List{Group: "discovery.k8s.io", Kind: "EndpointSlice", Namespace: "shop"}, List{Kind: "Pod", Namespace: "shop"}
	classes := List{Group: networking, Kind: "IngressClass"}
	for _, row := range []struct {
		it      string
		objects []ObjectFact // the first is the requested one
		lists   []List
		want    string
	}{
		{"a Service without other facts", []ObjectFact{web}, nil, ""},
		{"a Service that selects no Pod", []ObjectFact{web}, []List{slices, pods}, "selects no Pod: none has app=web"},
		{"a Service whose endpoints are not ready", []ObjectFact{web, endpoints(false)}, []List{slices}, "has no ready endpoint"},
		{"a Service whose Pod is not ready", []ObjectFact{web, endpoints(false), pod}, []List{slices, pods}, "the Pod that it selects is not ready"},
		{"a Service whose Pod has just become ready", []ObjectFact{web, endpoints(false), readySince(time.Second)}, []List{slices, pods}, ""},
		{"a Service without an endpoint for a ready Pod", []ObjectFact{web, endpoints(false), readySince(time.Minute)}, []List{slices, pods},
			"has no ready endpoint, although a Pod that it selects is ready"},
		{"a Service with a ready endpoint", []ObjectFact{web, endpoints(false, true)}, []List{slices}, ""},
		{"a Service with an endpoint without the condition ready", []ObjectFact{web, endpoints(nil)}, []List{slices}, ""},
		{"a Service without a selector", []ObjectFact{bare}, []List{slices}, "has no selector, and no endpoints have been added"},
		{"a Service whose Pods lack a port", []ObjectFact{named, endpoints(true), pod}, []List{slices, pods}, `no container of its Pods has a port named "metrics"`},
		{"an Ingress whose class does not exist", []ObjectFact{ingress("nope", "web", 80), noClass, web}, nil, "IngressClass nope does not exist"},
		{"an Ingress without a class and a default", []ObjectFact{ingress("", "web", 80), class, web}, []List{classes}, "it names no IngressClass, and no IngressClass is the default"},
		{"an Ingress of the default class", []ObjectFact{ingress("", "web", 80), class, standard, web}, []List{classes}, ""},
		{"an Ingress without a class, if the classes are not known", []ObjectFact{ingress("", "web", 80), web}, nil, ""},
		{"an Ingress with an address", []ObjectFact{addressed, noClass, web}, nil, ""},
		{"an Ingress whose Service does not exist", []ObjectFact{ingress("nginx", "gone", 80), class, gone}, nil, "Service gone, a backend of it, does not exist"},
		{"an Ingress without a class and a Service", []ObjectFact{ingress("nope", "gone", 80), noClass, gone}, nil,
			"IngressClass nope does not exist; Service gone, a backend of it, does not exist"},
		{"an Ingress whose Service has no endpoint", []ObjectFact{ingress("nginx", "web", 80), class, web}, []List{slices, pods},
			"Service web, a backend of it: selects no Pod: none has app=web"},
		{"an Ingress whose Service lacks the port", []ObjectFact{ingress("nginx", "web", 81), class, web}, nil, "service shop/web has no port 81"},
		{"an Ingress that is served", []ObjectFact{ingress("nginx", "web", 80), class, web}, nil, ""},
		{"a CronJob without Jobs", []ObjectFact{cron(nil)}, nil, ""},
		{"a CronJob whose last Job failed", []ObjectFact{cron(succeeded), job("a", "Complete", 1), job("b", "Failed", 2)}, nil, "its last Job failed"},
		{"a CronJob whose Jobs have all failed", []ObjectFact{cron(nil), job("b", "Failed", 2), job("a", "Failed", 1), job("c", "Failed", 3)}, nil,
			"its last 3 Jobs failed, and none has succeeded"},
		{"a CronJob whose last Job succeeded", []ObjectFact{cron(succeeded), job("b", "Complete", 2), job("a", "Failed", 1)}, nil, ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			if s := row.objects[0].Result.Status; s != status.CurrentStatus {
				t.Fatalf("it is %s", s)
			}
			e := Explain(&Facts{Objects: row.objects, Lists: row.lists, Now: caseNow}, row.objects[0].ID)
			if have := e.Subjects[0].Caveat; have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}

// A condition of an earlier generation is only stale: its controller may not have written
// it again.
func TestStaleConditionIsExplained(t *testing.T) {
	type fields = map[string]any
	lamp := factOf(t, "example.com/v1", "Lamp", "l", fields{
		"metadata": fields{"generation": 3, "managedFields": []any{fields{"manager": "kubectl"}, fields{"manager": "lamps", "subresource": "status"}}},
		"status":   fields{"conditions": []any{fields{"type": "Ready", "status": "True", "observedGeneration": 2}}},
	})
	if lamp.Result.Reason != "StaleCondition" {
		t.Fatalf("it is %s", lamp.Result.Reason)
	}
	causes := Explain(&Facts{Objects: []ObjectFact{lamp}, Now: caseNow}, lamp.ID).Causes
	const want = "condition Ready is for generation 2, not for the latest, 3"
	if len(causes) != 1 || causes[0].Text != want || causes[0].Kind != "ControllerSilent" || len(causes[0].Next) == 0 {
		t.Errorf("have %+v, want %s", causes, want)
	}
	o := newTraversal(&Facts{Objects: []ObjectFact{lamp}}, []status.ID{lamp.ID}).requested[0]
	if e := o.evidence("metadata.managedFields"); e.Value != "kubectl, lamps (status)" || e.From != OriginStatus {
		t.Errorf("the managers are told as %+v", e)
	}
}

// Objects of the same name in different clusters are different objects.
func TestCausesOfClustersAreSeparate(t *testing.T) {
	missing := func(cluster string) ObjectFact {
		return ObjectFact{ID: status.ID{Cluster: cluster, Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "kh", Name: "none"}, Result: status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen"}}
	}
	facts := &Facts{Objects: []ObjectFact{missing("east"), missing("west")}, Now: caseNow}
	for _, c := range Explain(facts, facts.Objects[0].ID, facts.Objects[1].ID).Causes {
		if c.Count != 1 || len(c.Blocks) != 1 {
			t.Errorf("%s has %d objects and blocks %v", c.Text, c.Count, c.Blocks)
		}
	}
}
