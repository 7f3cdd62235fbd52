"""nova's API, scheduler, conductor and several compute services in one process.

Within one process the transport fake:// of oslo.messaging replaces a message bus. The calls are
those of nova's own programs.

    nova_services.py tables -- OPTIONS
    nova_services.py serve HOST:ZONE[:DRIVER]... -- OPTIONS
"""
import sys

import nova.monkey_patch  # noqa: F401  (must be the first module of nova)

from oslo_log import log as logging
import nova.conf
from nova import config, context, objects, service
from nova.compute import rpcapi as compute_rpcapi
from nova.conductor import rpcapi as conductor_rpcapi
from nova.scheduler import rpcapi as scheduler_rpcapi

CONF = nova.conf.CONF


def create_tables():
    from nova.cmd import manage
    from nova.db import migration
    migration.db_sync(database='api')
    migration.db_sync(database='main')
    cell0 = CONF.database.connection.replace('nova_cell1', 'nova_cell0')
    mapping = objects.CellMapping(uuid=objects.CellMapping.CELL0_UUID,
                                  database_connection=cell0, transport_url='none:///')
    with context.target_cell(context.RequestContext(), mapping) as cell:
        migration.db_sync(database='main', context=cell)
    commands = manage.CellV2Commands()
    commands.map_cell0(cell0)
    commands.create_cell(name='cell1', database_connection=CONF.database.connection,
                         transport_url='fake://', verbose=False)


def create_zones(ctx, hosts):
    """Create one host aggregate for each availability zone."""
    from nova.compute import api
    aggregates = api.AggregateAPI()
    existing = {a.name: a for a in objects.AggregateList.get_all(ctx)}
    for host, zone, _ in hosts:
        if zone not in existing:
            existing[zone] = aggregates.create_aggregate(ctx, zone, zone)
        if host not in existing[zone].hosts:
            aggregates.add_host_to_aggregate(ctx, existing[zone].id, host)
            existing[zone] = objects.Aggregate.get_by_id(ctx, existing[zone].id)


def serve(hosts):
    import eventlet
    from nova.objects import host_mapping
    from oslo_service import service as oslo_service
    objects.Service.enable_min_version_cache()
    launcher = oslo_service.ServiceLauncher(CONF, restart_method='mutate')
    launcher.launch_service(service.Service.create(
        binary='nova-conductor', topic=conductor_rpcapi.RPC_TOPIC))
    for host, _, driver in hosts:
        CONF.set_override('host', host)
        CONF.set_override('compute_driver', driver or 'fake.FakeDriver')
        launcher.launch_service(service.Service.create(
            host=host, binary='nova-compute', topic=compute_rpcapi.RPC_TOPIC))
    CONF.clear_override('host')
    ctx = context.get_admin_context()
    wanted = {host for host, _, _ in hosts}
    for _ in range(200):
        host_mapping.discover_hosts(ctx)
        if {m.host for m in objects.HostMappingList.get_all(ctx)} >= wanted:
            break
        eventlet.sleep(0.1)
    create_zones(ctx, hosts)
    launcher.launch_service(service.Service.create(
        binary='nova-scheduler', topic=scheduler_rpcapi.RPC_TOPIC))
    launcher.launch_service(service.WSGIService('osapi_compute', use_ssl=False))
    launcher.wait()


def main():
    end = sys.argv.index('--')
    verb, hosts, options = sys.argv[1], sys.argv[2:end], sys.argv[end + 1:]
    config.parse_args(['nova'] + options)
    logging.setup(CONF, 'nova')
    objects.register_all()
    if verb == 'tables':
        create_tables()
    else:
        serve([(h.split(':') + [''])[:3] for h in hosts])


main()
