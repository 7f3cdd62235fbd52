package cloud

import "context"

// DeleteCluster deletes what belongs to a cluster, in order, in one pass: it deletes what it can, and
// does not wait. It returns what is left, sorted, for users: "load balancer k8s-default-prod". An
// empty list means that everything is deleted. With an error, the list may be incomplete.
func (c *Cloud) DeleteCluster(ctx context.Context, o Owner) (left []string, err error) {
	return nil, errMissing
}

// DeleteMachine does the same for a machine: its member of the load balancer, its server and its
// ports.
func (c *Cloud) DeleteMachine(ctx context.Context, o Owner, machine string) (left []string, err error) {
	return nil, errMissing
}
