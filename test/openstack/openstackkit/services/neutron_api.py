"""The API of neutron in one process. No agent exists, so it starts no worker for messages."""
import sys

from neutron.common import eventlet_utils

eventlet_utils.monkey_patch()

from neutron import server, service  # noqa: E402


def serve():
    service.serve_wsgi(service.NeutronApiService).wait()


def create_tables():
    from neutron.db.migration.models import head  # noqa: F401
    from neutron_lib.db import api, model_base
    model_base.BASEV2.metadata.create_all(api.get_writer_session().get_bind())


if sys.argv[1] == 'tables':
    del sys.argv[1]
    server.boot_server(create_tables)
else:
    server.boot_server(serve)
