#!/usr/bin/env bash
# The browser that test/page drives.
#
#	test/browser.sh install   install Chromium where it is missing and Debian's packages can be installed
#	test/browser.sh report    print one line if it is missing: test/page has been skipped
#
# Without a browser test/page is skipped; if CI is true, a missing browser is an error.
set -euo pipefail

found() {
	command -v chromium || command -v chromium-browser || command -v google-chrome
} >/dev/null

install() {
	local root=()
	if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
	command -v apt-get >/dev/null && "${root[@]}" true 2>/dev/null || return
	echo "installing Chromium, which test/page drives"
	"${root[@]}" apt-get update -qq && "${root[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-liberation
}

case "${1-}" in
install)
	found || install >&2 || true
	if ! found && [ "${CI-}" = true ]; then
		echo "no Chromium is installed, and it cannot be installed here: test/page needs it" >&2
		exit 1
	fi
	;;
report)
	found || echo "skipped: test/page, as no Chromium is installed and it cannot be installed here"
	;;
*)
	echo "usage: test/browser.sh install | report" >&2
	exit 2
	;;
esac
