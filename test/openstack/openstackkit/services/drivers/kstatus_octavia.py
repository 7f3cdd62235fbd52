"""A network driver of octavia: ports of load balancers are neutron's, amphorae have none."""
from octavia.network import base
from octavia.network.drivers.neutron import allowed_address_pairs
from octavia.network.drivers.noop_driver import driver


class VipPort(driver.NoopNetworkDriver):
    def __init__(self):
        super().__init__()
        self.neutron = allowed_address_pairs.AllowedAddressPairsDriver()

    def allocate_vip(self, load_balancer):
        return self.neutron.allocate_vip(load_balancer)

    def deallocate_vip(self, vip):
        return self.neutron.deallocate_vip(vip)

    def get_subnet(self, subnet_id, context=None):
        return self.neutron.get_subnet(subnet_id, context=context)

    def get_network(self, network_id, context=None):
        try:
            return self.neutron.get_network(network_id, context=context)
        except base.NetworkNotFound:
            if context is not None:  # the API checks a network of a user
                raise
            return super().get_network(network_id)  # the network of amphorae, which does not exist

    def get_port(self, port_id, context=None):
        try:
            return self.neutron.get_port(port_id, context=context)
        except base.PortNotFound:
            if context is not None:  # the API checks a port of a user
                raise
            return super().get_port(port_id)  # the port of an amphora, which does not exist
