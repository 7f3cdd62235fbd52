#!/bin/sh
# Change a release with helm, and wait with kstatus until it is ready.
set -eu

usage="usage: helm kstatus upgrade|install|rollback RELEASE [arguments and flags of helm]"
refuse() {
	printf '%s\n' "helm kstatus: $1" "$usage" >&2
	exit 2
}

command=${1:-}
case $command in
upgrade | install | rollback) ;;
-h | --help)
	echo "$usage"
	exit
	;;
*) refuse "want the command upgrade, install or rollback, have \"$command\"" ;;
esac
release=${2:-}
case $release in
"" | -*) refuse "want the name of a release directly after $command, have \"$release\"" ;;
esac

timeout=5m profile=started wait=yes previous= namespace=${HELM_NAMESPACE:-default}
for argument; do
	case $previous in
	--timeout) timeout=$argument ;;
	esac
	case $argument in
	--timeout=*) timeout=${argument#*=} ;;
	--wait-for-jobs | --wait-for-jobs=true) profile=default ;;
	--dry-run=none | --dry-run=false) ;;
	--dry-run | --dry-run=* | -h | --help) wait=no ;;
	-n=*) namespace=${argument#-n=} ;; # helm sets HELM_NAMESPACE only for -n NAMESPACE and --namespace
	-n?*) namespace=${argument#-n} ;;
	--wait | --wait=* | --atomic | --atomic=* | --rollback-on-failure | --rollback-on-failure=*)
		refuse "$argument makes helm wait itself; use helm $command, or leave the flag out"
		;;
	esac
	previous=$argument
done

if [ "$wait" = yes ] && ! command -v kstatus >/dev/null; then
	echo "helm kstatus: kstatus is not in the PATH, so helm has not been started" >&2
	exit 127
fi
shift
"${HELM_BIN:-helm}" "$command" --wait=hookOnly "$@" || exit
[ "$wait" = yes ] || exit 0

set -- "helm/$release" --namespace "$namespace" --timeout "$timeout" --profile "$profile" --missing=fail
[ -z "${HELM_KUBECONTEXT:-}" ] || set -- "$@" --context "$HELM_KUBECONTEXT"
[ -z "${HELM_KUBEAPISERVER:-}" ] || set -- "$@" --server "$HELM_KUBEAPISERVER"
[ -z "${HELM_KUBECAFILE:-}" ] || set -- "$@" --certificate-authority "$HELM_KUBECAFILE"
[ -z "${HELM_KUBEASUSER:-}" ] || set -- "$@" --as "$HELM_KUBEASUSER"
[ -z "${HELM_KUBETLS_SERVER_NAME:-}" ] || set -- "$@" --tls-server-name "$HELM_KUBETLS_SERVER_NAME"
[ "${HELM_KUBEINSECURE_SKIP_TLS_VERIFY:-}" != true ] || set -- "$@" --insecure-skip-tls-verify
if [ -n "${HELM_KUBETOKEN:-}" ]; then # not as an argument, which other users can read
	KSTATUS_TOKEN=$HELM_KUBETOKEN
	export KSTATUS_TOKEN
fi
set -f # groups are no patterns
IFS=,
for group in ${HELM_KUBEASGROUPS:-}; do
	set -- "$@" --as-group "$group"
done
exec kstatus wait "$@"
