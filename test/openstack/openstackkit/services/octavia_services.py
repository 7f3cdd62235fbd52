"""octavia's API and worker in one process, in which the transport fake:// replaces a message bus."""
import sys
from socketserver import ThreadingMixIn
from wsgiref import simple_server

from oslo_config import cfg

CONF = cfg.CONF


class Server(ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True


class Handler(simple_server.WSGIRequestHandler):
    def address_string(self):  # without a lookup of the client's name
        return self.client_address[0]


def create_tables(arguments):
    from octavia.common import config
    config.init(arguments)
    from octavia.db import api, base_models, models  # noqa: F401
    base_models.BASE.metadata.create_all(api.get_engine())
    insert_constants(api.get_session())


def insert_constants(session):
    """Insert the rows that the migrations of the tables insert."""
    from octavia.common import constants as c
    from octavia.db import models as m
    rows = ((m.ProvisioningStatus, c.SUPPORTED_PROVISIONING_STATUSES),
            (m.HealthMonitorType, c.SUPPORTED_HEALTH_MONITOR_TYPES),
            (m.Algorithm, c.SUPPORTED_LB_ALGORITHMS),
            (m.Protocol, c.SUPPORTED_PROTOCOLS),
            (m.OperatingStatus, c.SUPPORTED_OPERATING_STATUSES),
            (m.SessionPersistenceType, c.SUPPORTED_SP_TYPES),
            (m.AmphoraRoles, c.SUPPORTED_AMPHORA_ROLES),
            (m.LBTopology, c.SUPPORTED_LB_TOPOLOGIES),
            (m.VRRPAuthMethod, c.SUPPORTED_VRRP_AUTH),
            (m.L7RuleType, c.SUPPORTED_L7RULE_TYPES),
            (m.L7RuleCompareType, c.SUPPORTED_L7RULE_COMPARE_TYPES),
            (m.L7PolicyAction, c.SUPPORTED_L7POLICY_ACTIONS),
            (m.ClientAuthenticationMode, c.SUPPORTED_CLIENT_AUTH_MODES))
    for model, names in rows:
        with session.begin():
            for name in sorted(set(names)):
                session.add(model(name=name))
    name = 'DELETED-PLACEHOLDER'
    with session.begin():
        session.add(m.FlavorProfile(id=c.NIL_UUID, name=name, provider_name=c.DELETED, flavor_data='{}'))
        session.add(m.AvailabilityZoneProfile(id=c.NIL_UUID, name=name, provider_name=c.DELETED,
                                              availability_zone_data='{}'))
    with session.begin():
        session.add(m.Flavor(id=c.NIL_UUID, name=name, flavor_profile_id=c.NIL_UUID, enabled=False,
                             description='deleted'))
        session.add(m.AvailabilityZone(name=c.NIL_UUID, availability_zone_profile_id=c.NIL_UUID,
                                       enabled=False, description='deleted'))


def serve(arguments):
    from octavia.api import app
    application = app.setup_app(argv=['octavia'] + arguments)
    CONF.set_override('host', 'octavia')
    import oslo_messaging
    from octavia.common import constants, rpc
    from octavia.controller.queue.v2 import endpoints
    from oslo_messaging.rpc import dispatcher
    worker = rpc.get_server(
        oslo_messaging.Target(topic=constants.TOPIC_AMPHORA_V2, server='octavia', fanout=False),
        [endpoints.Endpoints()], executor='threading',
        access_policy=dispatcher.DefaultRPCAccessPolicy)
    worker.start()
    simple_server.make_server(CONF.api_settings.bind_host, CONF.api_settings.bind_port, application,
                              server_class=Server, handler_class=Handler).serve_forever()


if sys.argv[1] == 'tables':
    create_tables(sys.argv[2:])
else:
    serve(sys.argv[1:])
