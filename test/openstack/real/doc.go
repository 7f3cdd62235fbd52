// Package real tests what uses OpenStack on a real one, which package openstackkit starts
// once for all tests. Run it with make test-all STEPS=openstack; make test leaves it out.
package real
