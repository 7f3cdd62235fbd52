#!/bin/sh
# What `make demo` shows: on a real cluster, started here and stopped at the end, a shop
# settles, and a bad release of it does not. bin/kstatus must have been built.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" != show ]; then
	echo "== building bin/cluster (minutes on a fresh machine, seconds afterwards)"
	go build -o bin/cluster ./test/cmd/cluster
	echo "== starting a cluster: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kwok"
	exec bin/cluster run -- test/demo.sh show
fi

step() { printf '\n== %s\n' "$*"; }
show() {
	printf '$ %s\n' "$*"
	"bin/$@"
}

step "A shop: three Deployments, a database with disks, a Job, an autoscaler, a custom resource …"
show cluster apply -k examples/shop
step "Is it ready?"
show kstatus wait -k examples/shop --timeout 3m
echo "(exit code 0: all objects are ready)"

step "Its next release: an image nobody can pull, a crash loop, a migration that fails, a disk nobody makes"
show cluster apply -k examples/shop-broken
step "And now?"
code=0
show kstatus wait -k examples/shop-broken --timeout 3m || code=$?
if [ "$code" -ne 3 ]; then
	echo "demo: want exit code 3 (something failed), have $code" >&2
	exit 1
fi
echo "(exit code 3: an object has failed, so the wait has ended)"

step "What else is wrong with it?"
show kstatus wait -k examples/shop-broken --keep-going --timeout 20s --quiet || true
