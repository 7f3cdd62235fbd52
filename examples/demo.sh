#!/bin/sh
# What `make demo` shows, on the cluster of KUBECONFIG: a shop settles, and a bad release
# of it does not. Usage: demo.sh KSTATUS CLUSTER, the two commands to use.
set -eu
kstatus=$1 cluster=$2 here=$(dirname "$0")

step() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; }

step "The shop: three Deployments, a database with disks, a Job, an autoscaler, a custom resource …"
"$cluster" apply -k "$here/shop"
step "Is it there yet?"
show "kstatus wait -k examples/shop --timeout 3m"
"$kstatus" wait -k "$here/shop" --timeout 3m
echo "(exit code 0: all of it is there)"

step "Release 1.9: an image nobody can pull, a crash loop, a migration that fails, a disk nobody makes"
"$cluster" apply -k "$here/shop-broken"
step "And now?"
show "kstatus wait -k examples/shop-broken --timeout 3m"
code=0
"$kstatus" wait -k "$here/shop-broken" --timeout 3m || code=$?
if [ "$code" -ne 3 ]; then
	echo "demo: want exit code 3 (something failed), have $code" >&2
	exit 1
fi
echo "(exit code 3: something failed, which waiting cannot heal)"
