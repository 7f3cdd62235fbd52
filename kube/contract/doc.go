// Package contract tests whether an infrastructure provider keeps the contract of Cluster
// API. It acts as the core manager on a real cluster, creates objects of the provider as
// users write them, and checks what the running provider does with them.
//
//	report, err := contract.Run(ctx, config, contract.Provider{
//		InfraCluster: cluster,                  // as users write them; Run replaces their names
//		InfraMachine: machine,
//		ListExternal: func(ctx context.Context, obj *unstructured.Unstructured) ([]string, error) {
//			return cloud.List(ctx, obj.GetName()) // what exists outside of the cluster for an object
//		},
//	})
//
// The cluster needs the definitions of Cluster API (contract v1beta2) and of the provider,
// and the provider must run. The core manager may run as well.
//
// scenarios.go is the table of scenarios, and each scenario_<name>.go holds one.
// environment.go is the cluster for scenarios, and fixture.go the state of one scenario.
// cluster_machines.go creates a Cluster with its Machine. stream.go keeps every version of
// every object, since parts of the contract are about what must never be visible.
package contract
