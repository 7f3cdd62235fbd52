"""Creates services, endpoints, the project demo and its user in keystone.

    register.py TYPE=NAME=URL...
"""
import json
import os
import sys
import urllib.request

KEYSTONE, PASSWORD = os.environ['KEYSTONE'], os.environ['PASSWORD']


def request(method, path, body=None, token=None):
    headers = {'Content-Type': 'application/json'}
    if token:
        headers['X-Auth-Token'] = token
    data = json.dumps(body).encode() if body is not None else None
    message = urllib.request.Request(KEYSTONE + path, method=method, data=data, headers=headers)
    with urllib.request.urlopen(message) as answer:
        content = answer.read()
        return answer.headers, json.loads(content) if content else None


default = {'id': 'default'}
user = {'name': 'admin', 'domain': default, 'password': PASSWORD}
headers, _ = request('POST', '/v3/auth/tokens', {'auth': {
    'identity': {'methods': ['password'], 'password': {'user': user}},
    'scope': {'project': {'name': 'admin', 'domain': default}}}})
token = headers['X-Subject-Token']


def create(kind, **attributes):
    return request('POST', f'/v3/{kind}s', {kind: attributes}, token)[1][kind]['id']


for argument in sys.argv[1:]:
    kind, name, url = argument.split('=', 2)
    service = create('service', type=kind, name=name)
    for interface in ('public', 'internal', 'admin'):
        create('endpoint', service_id=service, interface=interface, region_id='RegionOne', url=url)
roles = {r['name']: r['id'] for r in request('GET', '/v3/roles', token=token)[1]['roles']}
project = create('project', name='demo', domain_id='default')
member = create('user', name='demo', domain_id='default', password=PASSWORD, default_project_id=project)
request('PUT', f'/v3/projects/{project}/users/{member}/roles/{roles["member"]}', token=token)
