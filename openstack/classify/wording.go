package classify

import (
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
)

// noValidHost reports whether the scheduler found no host for a server. Nova has no code for it.
func noValidHost(f servers.Fault) bool {
	return f.Code == 500 && strings.Contains(f.Message, "No valid host")
}
