package check

import (
	"maps"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// m is the type of a decoded JSON object.
type m = map[string]any

const fooGroup = "infrastructure.cluster.x-k8s.io"

func str(min, max int64) m { return m{"type": "string", "minLength": min, "maxLength": max} }

func obj(properties m) m { return m{"type": "object", "properties": properties} }

func listOf(items m, max int64, key string) m {
	return m{"type": "array", "items": items, "maxItems": max, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{key}}
}

func conditionList() m {
	item := obj(m{"type": str(1, 316), "status": m{"type": "string", "enum": []any{"True", "False", "Unknown"}}, "reason": str(1, 1024),
		"message": m{"type": "string", "maxLength": int64(32768)}, "lastTransitionTime": m{"type": "string", "format": "date-time"},
		"observedGeneration": m{"type": "integer", "format": "int64", "minimum": int64(0)}})
	item["required"] = []any{"type", "status", "reason", "message", "lastTransitionTime"}
	return listOf(item, 32, "type")
}

func endpoint() m {
	e := obj(m{"host": str(1, 512), "port": m{"type": "integer", "format": "int32", "minimum": int64(1), "maximum": int64(65535)}})
	e["minProperties"] = int64(1)
	return e
}

// statusOf adds the fields that every status has, and the initialization field
// of the role.
func statusOf(flag string, properties m) m {
	all := m{"observedGeneration": m{"type": "integer", "format": "int64"}, "conditions": conditionList()}
	maps.Copy(all, properties)
	status := obj(all)
	if flag != "" {
		init := obj(m{flag: m{"type": "boolean"}})
		init["minProperties"] = int64(1)
		all["initialization"] = init
		status["x-kubernetes-validations"] = []any{m{"rule": "!has(oldSelf.initialization) || has(self.initialization) || !has(self.conditions)"}}
	}
	return status
}

func definition(group, kind string, spec, status m) m {
	plural := pluralOf(strings.ToLower(kind))
	version := m{"name": "v1beta2", "served": true, "storage": true, "schema": m{"openAPIV3Schema": obj(m{"spec": spec})}}
	if status != nil {
		version["subresources"] = m{"status": m{}}
		version["schema"].(m)["openAPIV3Schema"].(m)["properties"].(m)["status"] = status
	}
	return m{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": m{"name": plural + "." + group, "labels": m{"cluster.x-k8s.io/v1beta2": "v1beta2", "cluster.x-k8s.io/provider": "infrastructure-foo"}},
		"spec": m{"group": group, "scope": "Namespaced", "versions": []any{version},
			"names": m{"kind": kind, "plural": plural, "singular": strings.ToLower(kind), "listKind": kind + "List"}},
	}
}

func template(group, kind string, status m) m {
	return definition(group, kind+"Template", obj(m{"template": obj(m{"metadata": m{"type": "object"}, "spec": m{"type": "object"}})}), status)
}

func integers(names ...string) m {
	all := m{}
	for _, name := range names {
		all[name] = m{"type": "integer", "format": "int32"}
	}
	return all
}

func pluralOf(s string) string { return s + "s" }

func controlPlane() m {
	status := integers("replicas", "readyReplicas", "availableReplicas", "upToDateReplicas")
	status["selector"], status["version"] = m{"type": "string"}, m{"type": "string"}
	status["versions"] = listOf(obj(m{"version": m{"type": "string"}, "replicas": m{"type": "integer"}}), 100, "version")
	status["versions"].(m)["minItems"] = int64(1)
	status["externalManagedControlPlane"] = m{"type": "boolean"}
	spec := obj(m{"replicas": m{"type": "integer"}, "version": m{"type": "string"}, "controlPlaneEndpoint": endpoint(),
		"machineTemplate": obj(m{"spec": obj(m{"infrastructureRef": m{"type": "object"}})})})
	crd := definition("controlplane.foo.example", "FooControlPlane", spec, statusOf("controlPlaneInitialized", status))
	version := decoded.Map(crd, "spec")["versions"].([]any)[0].(m)
	version["subresources"].(m)["scale"] = m{"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector"}
	version["additionalPrinterColumns"] = []any{m{"name": "Available", "type": "string", "jsonPath": `.status.conditions[?(@.type=="Available")].status`}}
	return crd
}

func definitions() []map[string]any {
	domains := listOf(obj(m{"name": str(1, 256), "controlPlane": m{"type": "boolean"}, "attributes": m{"type": "object", "additionalProperties": m{"type": "string"}}}), 100, "name")
	addresses := m{"type": "array", "items": obj(m{"type": m{"type": "string", "enum": []any{"Hostname", "InternalIP"}}, "address": m{"type": "string"}})}
	ids := m{"type": "array", "maxItems": int64(10000), "items": str(1, 512)}
	return []map[string]any{
		definition(fooGroup, "FooCluster", obj(m{"controlPlaneEndpoint": endpoint()}), statusOf("provisioned", m{"failureDomains": domains})),
		template(fooGroup, "FooCluster", nil),
		definition(fooGroup, "FooMachine", obj(m{"providerID": str(1, 512)}), statusOf("provisioned", m{"addresses": addresses, "failureDomain": str(1, 256)})),
		template(fooGroup, "FooMachine", obj(m{"capacity": m{"type": "object", "additionalProperties": m{"type": "string"}}})),
		definition(fooGroup, "FooMachinePool", obj(m{"providerIDList": ids}), statusOf("provisioned", m{"ready": m{"type": "boolean"}, "replicas": m{"type": "integer"}, "infrastructureMachineKind": m{"type": "string"}})),
		template(fooGroup, "FooMachinePool", nil),
		definition("bootstrap.cluster.x-k8s.io", "FooConfig", obj(m{}), statusOf("dataSecretCreated", m{"dataSecretName": str(1, 253)})),
		template("bootstrap.cluster.x-k8s.io", "FooConfig", nil),
		controlPlane(),
		template("controlplane.foo.example", "FooControlPlane", nil),
		definition("ipam.cluster.foo.example", "FooIPPool", obj(m{}), statusOf("", nil)),
	}
}

// componentObjects returns the objects that a release contains beside the definitions.
func componentObjects() []map[string]any {
	rule := func(resource string, verbs []string) m {
		all := []any{}
		for _, v := range verbs {
			all = append(all, v)
		}
		return m{"apiGroups": []any{"controlplane.foo.example"}, "resources": []any{resource}, "verbs": all}
	}
	identity := definition(fooGroup, "FooClusterIdentity", obj(m{}), nil)
	identity["metadata"].(m)["labels"].(m)["clusterctl.cluster.x-k8s.io/move-hierarchy"] = "true"
	return []map[string]any{
		identity,
		{"apiVersion": "v1", "kind": "Namespace", "metadata": m{"name": "foo-system"}},
		{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
			"metadata": m{"name": "foo-aggregate", "labels": m{AggregateLabel: "true"}},
			"rules":    []any{rule("foocontrolplanes", ownedVerbs), rule("foocontrolplanetemplates", templateVerbs)}},
		{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": m{"name": "foo-manager", "namespace": "foo-system"},
			"spec": m{"template": m{"spec": m{"containers": []any{m{"name": "manager", "image": "foo:${FOO_TAG:=v1}", "args": []any{"--namespace=", "--feature-gates=${ GATES }"}}}}}}},
		{"apiVersion": metadataVersion, "kind": "Metadata", "metadata": m{"name": "foo"},
			"releaseSeries": []any{m{"major": int64(0), "minor": int64(1), "contract": "v1beta1"}, m{"major": int64(0), "minor": int64(2), "contract": "v1beta2"}}},
	}
}

// base returns a provider without violations, and a cluster that it has made.
func base() lint.Bundle {
	return lint.Bundle{Objects: append(append(definitions(), componentObjects()...), clusterObjects()...)}
}
