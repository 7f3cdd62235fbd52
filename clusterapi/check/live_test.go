package check

// clusterObjects returns a cluster as a provider without violations makes it.
func clusterObjects() []map[string]any {
	const infra, bootstrap, control = fooGroup + "/v1beta2", "bootstrap.cluster.x-k8s.io/v1beta2", "controlplane.foo.example/v1beta2"
	core := func(kind, name string, spec, initialization m) m {
		return m{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": kind, "metadata": m{"name": name, "namespace": "prod"},
			"spec": spec, "status": m{"initialization": initialization}}
	}
	ref := func(group, kind, name string) m { return m{"apiGroup": group, "kind": kind, "name": name} }
	return []map[string]any{
		core("Cluster", "one", m{"controlPlaneEndpoint": m{"host": "10.0.0.1", "port": int64(6443)},
			"infrastructureRef": ref(fooGroup, "FooCluster", "one"), "controlPlaneRef": ref("controlplane.foo.example", "FooControlPlane", "cp")},
			m{"infrastructureProvisioned": true, "controlPlaneInitialized": true}),
		core("Machine", "m-0", m{"clusterName": "one", "providerID": "foo://m-0", "infrastructureRef": ref(fooGroup, "FooMachine", "m-0"),
			"bootstrap": m{"configRef": ref("bootstrap.cluster.x-k8s.io", "FooConfig", "m-0")}}, m{"infrastructureProvisioned": true}),
		core("MachinePool", "pool", m{"clusterName": "one", "template": m{"spec": m{"infrastructureRef": ref(fooGroup, "FooMachinePool", "pool"),
			"bootstrap": m{"configRef": ref("bootstrap.cluster.x-k8s.io", "FooConfig", "pool")}}}}, m{"infrastructureProvisioned": true}),

		liveObject(infra, "FooCluster", "one", m{"controlPlaneEndpoint": m{"host": "10.0.0.1", "port": int64(6443)}}, "provisioned", "Ready",
			m{"failureDomains": []any{m{"name": "a", "controlPlane": true, "attributes": m{"rack": "1"}}, m{"name": "b"}}}),
		liveObject(infra, "FooMachine", "m-0", m{"providerID": "foo://m-0"}, "provisioned", "Ready",
			m{"addresses": []any{m{"type": "InternalIP", "address": "10.0.0.2"}}, "failureDomain": "a"}),
		liveObject(infra, "FooMachinePool", "pool", m{"providerIDList": []any{"foo://p-0"}}, "provisioned", "Ready", m{"ready": true, "replicas": int64(1)}),
		liveObject(bootstrap, "FooConfig", "m-0", m{}, "dataSecretCreated", "Ready", m{"dataSecretName": "m-0-data"}),
		liveObject(bootstrap, "FooConfig", "pool", m{}, "dataSecretCreated", "Ready", m{"dataSecretName": "pool-data"}),
		liveObject(control, "FooControlPlane", "cp", m{"replicas": int64(1), "version": "v1.36.0"}, "controlPlaneInitialized", "Available",
			m{"replicas": int64(1), "versions": []any{m{"version": "v1.36.0", "replicas": int64(1)}}}),

		secret("m-0-data", "FooConfig", "m-0"), secret("pool-data", "FooConfig", "pool"), secret("one-kubeconfig", "FooControlPlane", "cp"),

		liveObject("ipam.cluster.foo.example/v1beta2", "FooIPPool", "net", m{}, "", "Ready", nil),
		{"apiVersion": "ipam.cluster.x-k8s.io/v1beta2", "kind": "IPAddressClaim",
			"metadata": m{"name": "m-0-eth0", "namespace": "prod", "ownerReferences": []any{m{"kind": "FooMachine", "name": "m-0", "controller": true, "blockOwnerDeletion": true}}},
			"spec":     m{"clusterName": "one"}, "status": m{"addressRef": m{"name": "m-0-eth0"}}},
		{"apiVersion": "ipam.cluster.x-k8s.io/v1beta2", "kind": "IPAddress",
			"metadata": m{"name": "m-0-eth0", "namespace": "prod", "finalizers": []any{"ipam.cluster.x-k8s.io/protect-address"}, "ownerReferences": []any{
				m{"kind": "IPAddressClaim", "name": "m-0-eth0", "controller": true, "blockOwnerDeletion": true},
				m{"kind": "FooIPPool", "name": "net", "controller": false, "blockOwnerDeletion": true}}},
			"spec": m{"claimRef": m{"name": "m-0-eth0"}, "poolRef": m{"kind": "FooIPPool", "name": "net"}}},
	}
}

func liveObject(apiVersion, kind, name string, spec m, flag, summary string, more m) m {
	status := m{"observedGeneration": int64(3), "conditions": []any{trueCondition(summary), falseCondition("Paused")}}
	if flag != "" {
		status["initialization"] = m{flag: true}
	}
	for k, v := range more {
		status[k] = v
	}
	return m{"apiVersion": apiVersion, "kind": kind, "metadata": m{"name": name, "namespace": "prod", "generation": int64(3),
		"labels": m{clusterNameLabel: "one"}}, "spec": spec, "status": status}
}

func trueCondition(name string) m {
	return m{"type": name, "status": "True", "reason": name, "message": "", "observedGeneration": int64(3), "lastTransitionTime": "2026-11-01T10:00:00Z"}
}

func falseCondition(name string) m {
	c := trueCondition(name)
	c["status"], c["reason"] = "False", "Not"+name
	return c
}

// secret returns the metadata of a Secret, as the API server returns it without
// the values.
func secret(name, ownerKind, owner string) m {
	return m{"apiVersion": "v1", "kind": "Secret", "metadata": m{"name": name, "namespace": "prod", "labels": m{clusterNameLabel: "one"},
		"ownerReferences": []any{m{"kind": ownerKind, "name": owner, "controller": true}}}}
}
