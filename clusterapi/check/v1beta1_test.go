package check

import (
	"slices"
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// v1beta1Provider returns a provider that follows the contract v1beta1 without
// violations.
func v1beta1Provider() lint.Bundle {
	flag := func(name string, more m) m {
		more[name], more["observedGeneration"], more["conditions"] = m{"type": "boolean"}, m{"type": "integer"}, conditionList()
		return obj(more)
	}
	counters := integers("replicas", "readyReplicas", "updatedReplicas", "unavailableReplicas")
	counters["selector"], counters["version"] = m{"type": "string"}, m{"type": "string"}
	control := controlPlane()
	schema := decoded.Map(control, "spec")["versions"].([]any)[0].(m)["schema"].(m)["openAPIV3Schema"].(m)["properties"].(m)
	schema["status"] = flag("initialized", counters)
	schema["spec"].(m)["properties"].(m)["machineTemplate"] = obj(m{"infrastructureRef": m{"type": "object"}})
	const controlGroup = "controlplane.cluster.x-k8s.io"
	control["metadata"].(m)["name"], control["spec"].(m)["group"] = "foocontrolplanes."+controlGroup, controlGroup
	domains := m{"type": "object", "additionalProperties": obj(m{"controlPlane": m{"type": "boolean"}, "attributes": m{"type": "object", "additionalProperties": m{"type": "string"}}})}
	b := lint.Bundle{Objects: []map[string]any{
		definition(fooGroup, "FooCluster", obj(m{"controlPlaneEndpoint": endpoint()}), flag("ready", m{"failureDomains": domains})),
		template(fooGroup, "FooCluster", nil),
		definition(fooGroup, "FooMachine", obj(m{"providerID": str(1, 512), "failureDomain": str(1, 256)}), flag("ready", m{})),
		template(fooGroup, "FooMachine", obj(m{"capacity": m{"type": "object"}})),
		definition(fooGroup, "FooMachinePool", obj(m{"providerIDList": m{"type": "array", "items": m{"type": "string"}}}), flag("ready", m{"replicas": m{"type": "integer"}})),
		template(fooGroup, "FooMachinePool", nil),
		definition("bootstrap.cluster.x-k8s.io", "FooConfig", obj(m{}), flag("ready", m{"dataSecretName": str(1, 253)})),
		template("bootstrap.cluster.x-k8s.io", "FooConfig", nil),
		control, template(controlGroup, "FooControlPlane", nil),
	}}
	for _, o := range b.Objects {
		labels := o["metadata"].(m)["labels"].(m)
		delete(labels, ContractV1Beta2.Label())
		labels[ContractV1Beta1.Label()] = "v1beta2" // a version of the provider may have any name
	}
	return b
}

func TestContractV1Beta1(t *testing.T) {
	for _, row := range []struct{ title, change, want string }{
		{"only the end of the contract is reported", "", ""},
		{"it waits for status.ready", "FooMachine schema status.ready remove", "initialization"},
		{"it waits for status.initialized of a control plane", "FooControlPlane schema status.initialized remove", "initialization"},
		{"it wants a map of failure domains", `FooCluster schema status.failureDomains set {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}`, "failure-domains"},
		{"it counts updatedReplicas", "FooControlPlane schema status.updatedReplicas remove", "replica-counters"},
		{"it has the reference of the machine template further up", `FooControlPlane schema spec.machineTemplate set {"type": "object", "properties": {"spec": {"type": "object", "properties": {"infrastructureRef": {"type": "object"}}}}}`, "machine-template-ref"},
		{"it does without spec.failureDomain of machines", "FooMachine schema spec.failureDomain remove", ""},
		{"it wants ready to be a boolean", `FooConfig schema status.ready set {"type": "string"}`, "field-types"},
	} {
		t.Run(row.title, func(t *testing.T) {
			b := v1beta1Provider()
			if row.change != "" {
				if err := applyChange(&b, &Options{}, row.change); err != nil {
					t.Fatal(err)
				}
			}
			var have []string
			deadlines := 0
			for _, f := range runChecks(b, Options{}) {
				if f.Check == "contract-deadline" {
					deadlines++
					continue
				}
				have = append(have, f.Check+" "+f.Message)
			}
			if deadlines != len(b.Objects) {
				t.Errorf("%d definitions are told that the contract ends; want all %d", deadlines, len(b.Objects))
			}
			if wrong := slices.DeleteFunc(slices.Clone(have), func(s string) bool { return row.want != "" && strings.HasPrefix(s, row.want+" ") }); len(wrong) > 0 || len(have) == 0 && row.want != "" {
				t.Errorf("found %q; want %q alone", have, row.want)
			}
		})
	}
}
