#!/usr/bin/env bash
# A real OpenStack on 127.0.0.1: keystone, placement, glance, neutron, nova and octavia of Debian's
# packages. There is no message bus, no hypervisor, no agent and no systemd.
#
#	openstack.sh install         install the packages, as root; unpack the default pipelines
#	openstack.sh up              create the databases and start all services
#	openstack.sh start SERVICE   start a service that was stopped, and wait until it answers
#	openstack.sh stop SERVICE    stop one service
#	openstack.sh down            stop all services, by process ID
#
# It reads these variables from its environment:
#
#	PACKAGES         folder of the unpacked pipelines, which all installations share
#	STATE            folder of databases, logs, configurations and process IDs
#	PASSWORD         password of the users admin and demo
#	PORT_keystone, PORT_placement, PORT_glance, PORT_neutron, PORT_nova, PORT_octavia
set -euo pipefail
files=$(cd "$(dirname "$0")" && pwd)/services
address=127.0.0.1
python=/usr/bin/python3
me=$(id -un) group=$(id -gn)
# The common packages would start services: only their paste.ini files are unpacked.
packages=(python3-keystone python3-placement python3-glance python3-neutron python3-nova python3-octavia
	uwsgi-core uwsgi-plugin-python3 mariadb-server-core mariadb-client-core python3-pymysql openssl curl)
unpacked=(nova-common glance-common neutron-common)
export PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore PYTHONPATH=$files/drivers
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY

installed() {
	[ -e "$PACKAGES/complete" ] && dpkg-query -W "${packages[@]}" >/dev/null 2>&1
}

install() {
	installed && return
	mkdir -p "$PACKAGES"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends "${packages[@]}"
	cd "$PACKAGES"
	rm -f ./*.deb
	apt-get download -qq "${unpacked[@]}" 2>/dev/null
	for package in *.deb; do dpkg-deb -x "$package" "$PACKAGES"; done
	touch complete
}

# The sections of a configuration that two or more services have.
credentials() {
	cat <<-END
		auth_url = http://$address:$PORT_keystone/v3
		auth_type = password
		project_domain_name = Default
		user_domain_name = Default
		project_name = admin
		username = admin
		password = $PASSWORD
		region_name = RegionOne
	END
}
token_section() {
	cat <<-END
		[keystone_authtoken]
		www_authenticate_uri = http://$address:$PORT_keystone/v3
		$(credentials)
		token_cache_time = 300
	END
}
database() {
	echo "connection = mysql+pymysql://os:os@localhost/$1?unix_socket=$STATE/sql&charset=utf8"
}

configure_identity() {
	cat >"$STATE/etc/keystone.conf" <<-END
		[DEFAULT]
		log_file = $STATE/log/keystone.log
		[database]
		$(database keystone)
		[token]
		provider = fernet
		expiration = 86400
		[fernet_tokens]
		key_repository = $STATE/fernet
		[fernet_receipts]
		key_repository = $STATE/fernet
		[credential]
		key_repository = $STATE/credentials
		[cache]
		enabled = true
		backend = dogpile.cache.memory
		[identity]
		password_hash_rounds = 4
	END
	cat >"$STATE/etc/placement.conf" <<-END
		[DEFAULT]
		log_file = $STATE/log/placement.log
		state_path = $STATE/state
		[placement_database]
		$(database placement)
		[api]
		auth_strategy = keystone
		$(token_section)
	END
	local service
	for service in keystone.server.wsgi:initialize_public_application placement.wsgi:init_application; do
		printf 'from %s import %s as make\napplication = make()\n' "${service%:*}" "${service#*:}" >"$STATE/etc/${service%%.*}_wsgi.py"
	done
}

configure_image() {
	cat >"$STATE/etc/glance-api.conf" <<-END
		[DEFAULT]
		bind_host = $address
		bind_port = $PORT_glance
		workers = 0
		log_file = $STATE/log/glance.log
		enabled_backends = files:file
		enabled_import_methods = []
		[files]
		filesystem_store_datadir = $STATE/images
		[os_glance_staging_store]
		filesystem_store_datadir = $STATE/state/staging
		[os_glance_tasks_store]
		filesystem_store_datadir = $STATE/state/tasks
		[database]
		$(database glance)
		[glance_store]
		default_backend = files
		[paste_deploy]
		flavor = keystone
		config_file = $PACKAGES/usr/share/glance-common/glance-api-paste.ini
		[oslo_concurrency]
		lock_path = $STATE/lock
		$(token_section)
	END
}

# bindall is services/drivers/kstatus_neutron.py: it binds each port at once. No agent answers, so
# neutron must not notify one.
configure_network() {
	cat >"$STATE/etc/neutron.conf" <<-END
		[DEFAULT]
		bind_host = $address
		bind_port = $PORT_neutron
		api_workers = 0
		log_file = $STATE/log/neutron.log
		state_path = $STATE/state
		core_plugin = ml2
		service_plugins = router,trunk,qos
		transport_url = fake://
		api_paste_config = $PACKAGES/usr/share/neutron-common/api-paste.ini
		auth_strategy = keystone
		notify_nova_on_port_status_changes = true
		notify_nova_on_port_data_changes = true
		dhcp_agent_notification = false
		[database]
		$(database neutron)
		[nova]
		$(credentials)
		[oslo_concurrency]
		lock_path = $STATE/lock
		[ml2]
		type_drivers = vxlan,flat,local
		tenant_network_types = vxlan
		mechanism_drivers = openvswitch,bindall
		extension_drivers = port_security,dns,qos
		[ml2_type_vxlan]
		vni_ranges = 1:2000
		[ml2_type_flat]
		flat_networks = *
		$(token_section)
	END
}

configure_compute() {
	cat >"$STATE/etc/nova.conf" <<-END
		[DEFAULT]
		log_file = $STATE/log/nova.log
		state_path = $STATE/state
		my_ip = $address
		transport_url = fake://
		compute_driver = fake.FakeDriver
		osapi_compute_listen = $address
		osapi_compute_listen_port = $PORT_nova
		osapi_compute_workers = 1
		default_schedule_zone = az1
		use_cow_images = false
		vif_plugging_is_fatal = false
		vif_plugging_timeout = 0
		[api_database]
		$(database nova_api)
		[database]
		$(database nova_cell1)
		[wsgi]
		api_paste_config = $PACKAGES/usr/share/nova-common/api-paste.ini
		[glance]
		api_servers = http://$address:$PORT_glance
		[neutron]
		$(credentials)
		endpoint_override = http://$address:$PORT_neutron
		[placement]
		$(credentials)
		[oslo_concurrency]
		lock_path = $STATE/lock
		[vnc]
		enabled = false
		[scheduler]
		workers = 1
		[conductor]
		workers = 1
		$(token_section)
	END
}

# vipport is services/drivers/kstatus_octavia.py: the ports of load balancers are neutron's. The
# other drivers do nothing. The policy gives members of a project the rights on its load balancers.
configure_load_balancers() {
	[ -e "$STATE/etc/ca.pem" ] || openssl req -x509 -newkey rsa:2048 -keyout "$STATE/etc/ca.key" -out "$STATE/etc/ca.pem" \
		-days 30 -passout pass:kstatus-octavia -subj /CN=octavia 2>/dev/null
	cat >"$STATE/etc/octavia.conf" <<-END
		[DEFAULT]
		transport_url = fake://
		log_file = $STATE/log/octavia.log
		host = octavia
		[api_settings]
		bind_host = $address
		bind_port = $PORT_octavia
		auth_strategy = keystone
		enabled_provider_drivers = octavia: noop amphora, amphora: noop amphora
		[database]
		$(database octavia)
		[oslo_messaging]
		topic = octavia
		[oslo_policy]
		policy_file = $STATE/etc/octavia-policy.yaml
		[controller_worker]
		workers = 1
		amphora_driver = amphora_noop_driver
		compute_driver = compute_noop_driver
		network_driver = vipport
		image_driver = image_noop_driver
		volume_driver = volume_noop_driver
		distributor_driver = distributor_noop_driver
		amp_boot_network_list = 00000000-0000-0000-0000-000000000001
		client_ca = $STATE/etc/ca.pem
		[certificates]
		cert_manager = local_cert_manager
		ca_certificate = $STATE/etc/ca.pem
		ca_private_key = $STATE/etc/ca.key
		ca_private_key_passphrase = kstatus-octavia
		server_certs_key_passphrase = insecure-key-do-not-use-this-key
		[neutron]
		endpoint_override = http://$address:$PORT_neutron
		[service_auth]
		$(credentials)
		$(token_section)
	END
	local right
	for right in read write read-quota; do
		echo "\"load-balancer:$right\": \"role:admin or role:member and project_id:%(project_id)s\""
	done >"$STATE/etc/octavia-policy.yaml"
}

# launch starts a program in a session of its own, whose ID is the program's process ID.
launch() {
	local name=$1
	shift
	setsid "$@" >>"$STATE/log/$name.out" 2>&1 </dev/null &
	echo $! >"$STATE/pid/$name"
}

launch_wsgi() {
	local name=$1 port=$2
	shift 2
	launch "$name" env "$@" uwsgi --plugin python3 --http-socket "$address:$port" --wsgi-file "$STATE/etc/${name}_wsgi.py" --processes 1 \
		--threads 8 --enable-threads --buffer-size 65535 --die-on-term --need-app --lazy-apps --listen 100 --add-header "Connection: close"
}

sql() { mariadb --no-defaults -uroot -S "$STATE/sql" "$@"; }

# launch_mariadb starts the database on a Unix socket. The state is not worth a sync to the disk.
launch_mariadb() {
	local new=
	if [ ! -d "$STATE/mysql" ]; then
		new=1
		mariadb-install-db --no-defaults --datadir="$STATE/mysql" --auth-root-authentication-method=normal --user="$me" --skip-test-db >"$STATE/log/mariadb-install" 2>&1
	fi
	launch mariadb mariadbd --no-defaults --user="$me" --datadir="$STATE/mysql" --socket="$STATE/sql" --pid-file="$STATE/mysql.pid" --skip-networking \
		--innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --skip-log-bin --innodb-buffer-pool-size=64M --performance-schema=off --character-set-server=utf8mb3
	for _ in {1..300}; do sql -e 'select 1' >/dev/null 2>&1 && break; sleep 0.1; done
	[ -n "$new" ] || return 0
	{
		for name in keystone placement glance neutron nova_api nova_cell0 nova_cell1 octavia; do echo "create database $name character set utf8mb3;"; done
		echo "create user os@localhost identified by 'os'; grant all on *.* to os@localhost;"
	} | sql
}

service_keystone() { launch_wsgi keystone "$PORT_keystone" OS_KEYSTONE_CONFIG_DIR="$STATE/etc" OS_KEYSTONE_CONFIG_FILES="$STATE/etc/keystone.conf"; }
service_placement() { launch_wsgi placement "$PORT_placement" OS_PLACEMENT_CONFIG_DIR="$STATE/etc"; }
service_glance() { launch glance "$python" -c 'import sys; sys.argv[0] = "glance-api"; from glance.cmd.api import main; main()' --config-file "$STATE/etc/glance-api.conf"; }
service_neutron() { launch neutron "$python" "$files/neutron_api.py" --config-file "$STATE/etc/neutron.conf"; }
# compute hosts, each with its zone; the hypervisor of the last one fails every server.
service_nova() {
	launch nova "$python" "$files/nova_services.py" serve compute1:az1 compute2:az2 compute3:az3 broken:az-broken:fake.FakeBuildAbortDriver -- --config-file "$STATE/etc/nova.conf"
}
service_octavia() { launch octavia "$python" "$files/octavia_services.py" --config-file "$STATE/etc/octavia.conf"; }

# await waits until a service answers HTTP requests, whatever it answers.
await() {
	local name=$1 port=PORT_$1
	for _ in {1..1200}; do
		curl -s -o /dev/null "http://$address:${!port}/" && return
		kill -0 "$(cat "$STATE/pid/$name")" 2>/dev/null || { echo "$name has ended:"; tail -20 "$STATE/log/$name.out"; return 1; } >&2
		sleep 0.1
	done
	echo "$name does not answer on port ${!port}; its logs are in $STATE/log" >&2
	return 1
}

keystone_manage() { keystone-manage --config-file "$STATE/etc/keystone.conf" "$@"; }

create_identity_tables() {
	local url=http://$address:$PORT_keystone/v3 keys=(--keystone-user "$me" --keystone-group "$group")
	keystone_manage db_sync
	keystone_manage fernet_setup "${keys[@]}"
	keystone_manage credential_setup "${keys[@]}"
	keystone_manage bootstrap --bootstrap-password "$PASSWORD" --bootstrap-region-id RegionOne \
		--bootstrap-admin-url "$url" --bootstrap-internal-url "$url" --bootstrap-public-url "$url"
}

create_other_tables() {
	placement-manage --config-file "$STATE/etc/placement.conf" db sync
	OS_GLANCE_CONFIG_DIR=$STATE/etc "$python" -c 'import sys; sys.argv[0] = "glance-manage"; from glance.cmd.manage import main; main()' --config-file "$STATE/etc/glance-api.conf" db_sync
	"$python" "$files/neutron_api.py" tables --config-file "$STATE/etc/neutron.conf"
	"$python" "$files/octavia_services.py" tables --config-file "$STATE/etc/octavia.conf"
}

# create_tables fills the databases; two processes at the same time take half as long as one.
create_tables() {
	create_identity_tables >"$STATE/log/tables-keystone" 2>&1 &
	local identity=$!
	create_other_tables >"$STATE/log/tables-others" 2>&1 &
	local others=$!
	"$python" "$files/nova_services.py" tables -- --config-file "$STATE/etc/nova.conf" >"$STATE/log/tables-nova" 2>&1 || { tail "$STATE/log/tables-nova" >&2; return 1; }
	wait $identity || { tail "$STATE/log/tables-keystone" >&2; return 1; }
	wait $others || { tail "$STATE/log/tables-others" >&2; return 1; }
}

register() {
	KEYSTONE=http://$address:$PORT_keystone PASSWORD=$PASSWORD "$python" "$files/register.py" \
		placement=placement=http://$address:"$PORT_placement" image=glance=http://$address:"$PORT_glance" \
		network=neutron=http://$address:"$PORT_neutron" compute=nova=http://$address:"$PORT_nova"/v2.1 \
		load-balancer=octavia=http://$address:"$PORT_octavia"
}

up() {
	installed || { echo "the packages of OpenStack are not installed" >&2; exit 1; }
	mkdir -p "$STATE"/{etc,log,pid,images,state,lock,fernet,credentials}
	configure_identity
	configure_image
	configure_network
	configure_compute
	configure_load_balancers
	launch_mariadb
	create_tables
	service_keystone
	service_placement
	await keystone
	register
	service_glance
	service_neutron
	await placement
	service_nova
	service_octavia
	for name in glance neutron nova octavia; do await $name; done
}

# stop ends the session of a program: with a signal first, after 5 seconds without mercy.
stop() {
	local file=$STATE/pid/$1 id
	[ -e "$file" ] || return 0
	id=$(cat "$file")
	kill -- -"$id" 2>/dev/null || true
	for _ in {1..50}; do kill -0 -- -"$id" 2>/dev/null || break; sleep 0.1; done
	kill -9 -- -"$id" 2>/dev/null || true
	rm -f "$file"
}

down() {
	local name
	for name in octavia nova neutron glance placement keystone mariadb; do stop $name & done
	wait
}

case ${1-} in
install) install ;;
up) up ;;
start) "service_$2"; await "$2" ;;
stop) stop "$2" ;;
down) down ;;
*) echo "usage: openstack.sh install | up | start SERVICE | stop SERVICE | down" >&2; exit 2 ;;
esac
