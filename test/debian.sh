# Sourced by the scripts that install what tests need.

# debian_install says what it installs, which is its first argument, and installs Debian's
# packages, the other arguments. It fails without apt-get, and without the rights of root.
debian_install() {
	local root=() what=$1
	shift
	if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
	command -v apt-get >/dev/null && "${root[@]}" true 2>/dev/null || return
	echo "installing $what"
	"${root[@]}" apt-get update -qq && "${root[@]}" apt-get install -y -qq --no-install-recommends "$@"
} >&2

# require_in_ci exits with an error if CI is true: what a test needs is missing.
require_in_ci() {
	if [ "${CI-}" = true ]; then
		echo "$1 is not installed, and cannot be installed here: $2 needs it" >&2
		exit 1
	fi
}
