// Package contract proves how a provider of Cluster API behaves: it plays the core manager's part
// on a real cluster, makes objects of the provider as users write them, and looks at what a running
// provider does with them.
//
//	report, err := contract.Run(ctx, config, contract.Provider{
//		InfraCluster: cluster,                  // as users write them; names are given by Run
//		InfraMachine: machine,
//		Outside: func(ctx context.Context, obj *unstructured.Unstructured) ([]string, error) {
//			return cloud.List(ctx, obj.GetName()) // what exists outside of the cluster for an object
//		},
//	})
//
// The cluster has the definitions of Cluster API (contract v1beta2) and of the provider, and the
// provider runs. The core manager may run as well: what Run does in its place is what it does.
//
// scenarios.go is the table of scenarios, and scenario_<name>.go holds each. environment.go is the
// cluster that scenarios run in, fixture.go the state of one scenario, cluster_machines.go makes a
// Cluster with its Machine, and stream.go keeps every version of every object, since much of the
// contract is about what must never be seen.
package contract
