package roles_test

import (
	"fmt"

	"kstatus.dev/author/roles"
)

func ExampleOf() {
	for _, kind := range []string{"ShelfCluster", "ShelfMachineTemplate", "ShelfNetwork"} {
		role := roles.Of("infrastructure.cluster.x-k8s.io", kind, nil)
		fmt.Printf("%s: %q, template: %v, status: %v\n", kind, role, role.IsTemplate(), role.HasStatus())
	}
	fmt.Println(roles.Of("example.com", "ShelfMachine", map[string]string{"cluster.x-k8s.io/provider": "infrastructure-shelf"}))
	// Output:
	// ShelfCluster: "InfraCluster", template: false, status: true
	// ShelfMachineTemplate: "InfraMachineTemplate", template: true, status: false
	// ShelfNetwork: "", template: false, status: false
	// InfraMachine
}

func ExampleAll() {
	for _, r := range roles.All() {
		if r.HasStatus() {
			fmt.Println(r)
		}
	}
	// Output:
	// InfraCluster
	// InfraMachine
	// InfraMachinePool
	// BootstrapConfig
	// ControlPlane
}

func ExampleIsCore() {
	fmt.Println(roles.IsCore("cluster.x-k8s.io"), roles.IsCore("infrastructure.cluster.x-k8s.io"))
	// Output: true false
}
