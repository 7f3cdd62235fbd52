package classify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"

	"kstatus.dev/clusterapi/openstack/failure"
)

// The states of a server that end by themselves, and those that a user has to end.
var (
	transitional = []string{"MIGRATING", "RESIZE", "VERIFY_RESIZE", "REVERT_RESIZE", "REBOOT", "HARD_REBOOT", "PASSWORD", "REBUILD"}
	stopped      = []string{"SHUTOFF", "STOPPED", "PAUSED", "SUSPENDED", "SHELVED", "SHELVED_OFFLOADED", "RESCUE", "SOFT_DELETED"}
)

// Server classifies the state of a server. It returns nil for a server that is ACTIVE. A server has
// joined if its Node exists. States that this package does not have are Unknown, since Nova may add
// some.
func Server(s *servers.Server, joined bool) *failure.Failure {
	if s == nil {
		return failure.Internal(errors.New("the compute service returned no server"))
	}
	what := "server " + s.Name
	f := &failure.Failure{Class: InstanceNotReady, Reason: string(InstanceNotReady), Retry: poll, Service: compute}
	switch status := strings.ToUpper(s.Status); {
	case status == "ACTIVE":
		return nil
	case status == "" || status == "BUILD":
		building := failure.InProgress(what, "BUILD")
		building.Service = compute
		return building
	case status == "ERROR":
		return broken(s, joined)
	case status == "DELETED":
		gone := Gone("server", s.Name)
		gone.Service = compute
		return gone
	case slices.Contains(transitional, status):
		f.Reason = "InstanceTransitioning"
	case slices.Contains(stopped, status):
		f.Known = true
	}
	if s.TaskState != "" {
		return message(f, "%s is %s (%s)", what, s.Status, s.TaskState)
	}
	return message(f, "%s is %s", what, s.Status)
}

// broken classifies a server in the state ERROR by its fault.
func broken(s *servers.Server, joined bool) *failure.Failure {
	f := &failure.Failure{Class: InstanceError, Reason: "InstanceStateError", Known: true, Retry: poll, Service: compute}
	switch {
	case joined:
		f.Class = NodeInstanceError
	case noValidHost(s.Fault):
		f.Class, f.Reason = InsufficientCapacity, string(InsufficientCapacity)
	}
	why := ""
	if s.Fault.Message != "" {
		why = fmt.Sprintf(": %s", strings.TrimSpace(s.Fault.Message))
	}
	if s.Fault.Code != 0 {
		why = fmt.Sprintf(" (%d)%s", s.Fault.Code, why)
	}
	return message(f, "server %s is ERROR%s", s.Name, why)
}
