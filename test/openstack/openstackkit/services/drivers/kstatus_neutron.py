"""A mechanism driver of neutron that binds every port at once: there are no agents."""
from neutron_lib import constants
from neutron_lib.api.definitions import portbindings
from neutron_lib.plugins.ml2 import api


class BindAll(api.MechanismDriver):
    def initialize(self):
        pass

    @property
    def connectivity(self):
        return portbindings.CONNECTIVITY_L2

    def bind_port(self, context):
        segment = context.segments_to_bind[0]
        context.set_binding(segment[api.ID], portbindings.VIF_TYPE_OVS,
                            {portbindings.CAP_PORT_FILTER: True},
                            status=constants.PORT_STATUS_ACTIVE)
