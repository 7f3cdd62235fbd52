// Package contract tests whether an infrastructure provider follows the contract of
// Cluster API. It acts as the core manager on a real cluster, and creates objects
// of the provider like a user. Then it checks how the running provider handles
// them. An example:
//
//	report, err := contract.Run(ctx, config, contract.Provider{
//		InfraCluster: cluster,                  // as users write them; Run replaces their names
//		InfraMachine: machine,
//		ListExternal: func(ctx context.Context, obj *unstructured.Unstructured) ([]string, error) {
//			return cloud.List(ctx, obj.GetName()) // the external resources of an object
//		},
//	})
//
// The cluster needs the definitions of Cluster API (contract v1beta2) and of
// the provider, and the provider must run. The core manager may run as well.
//
// The file scenarios.go is the table of scenarios, and each scenario_<name>.go
// has one. The file environment.go is the cluster of the scenarios, and
// fixture.go the state of one scenario. The file cluster_machines.go creates a
// Cluster with its Machine. The file stream.go keeps every version of every
// object, because parts of the contract are about states that must never be
// visible.
package contract
