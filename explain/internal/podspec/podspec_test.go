package podspec_test

import (
	"testing"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/podspec"
)

type object = map[string]any

func section(m object) fields.Section { return fields.Section{Map: m} }

func TestAllowsNode(t *testing.T) {
	node := section(object{"metadata": object{"name": "n1", "labels": object{"zone": "a", "cores": "16"}}})
	affinity := func(list, key, operator string, values ...any) object {
		return object{"affinity": object{"nodeAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": object{"nodeSelectorTerms": []any{
			object{"matchExpressions": []any{object{"key": "none", "operator": "Exists"}}},
			object{list: []any{object{"key": key, "operator": operator, "values": values}}},
		}}}}}
	}
	for _, row := range []struct {
		it   string
		spec object
		want bool
	}{
		{"requires nothing", object{}, true},
		{"selects its label", object{"nodeSelector": object{"zone": "a"}}, true},
		{"selects another value", object{"nodeSelector": object{"zone": "b"}}, false},
		{"selects another label", object{"nodeSelector": object{"disk": "ssd"}}, false},
		{"matches In", affinity("matchExpressions", "zone", "In", "a", "b"), true},
		{"does not match In", affinity("matchExpressions", "zone", "In", "b"), false},
		{"matches NotIn without the label", affinity("matchExpressions", "disk", "NotIn", "b"), true},
		{"does not match NotIn", affinity("matchExpressions", "zone", "NotIn", "a"), false},
		{"does not match DoesNotExist", affinity("matchExpressions", "zone", "DoesNotExist"), false},
		{"matches Gt", affinity("matchExpressions", "cores", "Gt", "8"), true},
		{"does not match Lt", affinity("matchExpressions", "cores", "Lt", "8"), false},
		{"does not match Gt of a text", affinity("matchExpressions", "zone", "Gt", "8"), false},
		{"matches its name", affinity("matchFields", "metadata.name", "In", "n1"), true},
	} {
		if have := podspec.AllowsNode(section(object{"spec": row.spec}), node); have != row.want {
			t.Errorf("a Pod that %s: have %t, want %t", row.it, have, row.want)
		}
	}
}

func TestUntolerated(t *testing.T) {
	node := section(object{"spec": object{"taints": []any{
		object{"key": "team", "value": "data", "effect": "NoSchedule"},
		object{"key": "slow", "effect": "PreferNoSchedule"},
	}}})
	for _, row := range []struct {
		toleration object
		want       int
	}{
		{object{"key": "other", "operator": "Exists"}, 1},
		{object{"key": "team", "operator": "Equal", "value": "web"}, 1},
		{object{"key": "team", "value": "data", "effect": "NoExecute"}, 1},
		{object{"key": "team", "value": "data"}, 0},
		{object{"key": "team", "operator": "Exists", "effect": "NoSchedule"}, 0},
		{object{"operator": "Exists"}, 0},
	} {
		taints := podspec.Untolerated(section(object{"spec": object{"tolerations": []any{row.toleration}}}), node)
		if len(taints) != row.want || len(taints) == 1 && podspec.Taint(taints[0]) != "team=data:NoSchedule" {
			t.Errorf("%v: have %v, want %d", row.toleration, taints, row.want)
		}
	}
}

func TestIsLimitRangeDefault(t *testing.T) {
	pod := section(object{"metadata": object{"annotations": object{
		"kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu, memory request for container app; memory limit for container app; cpu limit for init container warm",
	}}})
	for _, row := range []struct {
		container, resource, bound string
		want                       bool
	}{
		{"app", "memory", "limit", true},
		{"app", "cpu", "limit", false},
		{"app", "cpu", "request", true},
		{"warm", "cpu", "limit", true},
		{"side", "memory", "limit", false},
	} {
		if have := podspec.IsLimitRangeDefault(pod, row.container, row.resource, row.bound); have != row.want {
			t.Errorf("%+v: have %t", row, have)
		}
	}
}

func TestAction(t *testing.T) {
	for want, handler := range map[string]object{
		"":                          {},
		"sleep 30 s":                {"sleep": object{"seconds": int64(30)}},
		"run /bin/drain":            {"exec": object{"command": []any{"/bin/drain", "--token=x"}}},
		"GET over TLS /q on port 8": {"httpGet": object{"scheme": "HTTPS", "path": "/q?token=x", "port": int64(8)}},
	} {
		if have := podspec.Action(section(handler)); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}
