#!/usr/bin/env bash
# The browser that test/command/page drives.
#
#	test/browser.sh install   install Chromium where it is missing and Debian's packages can be installed
#	test/browser.sh report    print one line if it is missing: test/command/page has been skipped
#
# Without a browser test/command/page is skipped; if CI is true, a missing browser is an error.
set -euo pipefail
source "$(dirname "$0")/debian.sh"

found() {
	command -v chromium || command -v chromium-browser || command -v google-chrome
} >/dev/null

case "${1-}" in
install)
	found || debian_install "Chromium, which test/command/page drives" chromium fonts-liberation || true
	found || require_in_ci Chromium test/command/page
	;;
report)
	found || echo "skipped: test/command/page, as no Chromium is installed and it cannot be installed here"
	;;
*)
	echo "usage: test/browser.sh install | report" >&2
	exit 2
	;;
esac
