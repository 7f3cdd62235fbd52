// Package openstackkit runs a real OpenStack on this machine, for tests of what uses its APIs.
//
// The services are those of Debian 12's packages (OpenStack Zed): keystone, placement, glance,
// neutron, nova and octavia, on free ports of 127.0.0.1. The APIs, the databases, scheduling,
// quotas, states and error messages are real. Virtual machines, packets and the data planes of
// load balancers are not: nova uses its fake driver, and octavia its drivers that do nothing.
//
// Several may run at the same time. One takes 1.2 GiB of memory and 45 seconds to start.
package openstackkit
