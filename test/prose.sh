#!/usr/bin/env bash
# The language of pages, comments and messages: Vale checks it with the rules in .vale.
#
# test/cmd/prose writes the comments and texts of Go files to bin/prose. The findings in
# .vale/testdata must be those of .vale/testdata/want: each rule finds its bad sentences.
#
# The go command builds Vale with cgo, and needs a C compiler. It is installed where it is
# missing and Debian's packages can be installed. Without it the check is skipped; if CI is
# true, a missing compiler is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
source test/debian.sh
vale=$1

has_compiler() { command -v "$(go env CC | cut -d' ' -f1)" >/dev/null; }

has_compiler || debian_install "a C compiler, which Vale needs" gcc libc6-dev || true
if ! has_compiler; then
	require_in_ci "a C compiler" Vale
	echo "skipped: the language of pages, comments and messages, as no C compiler is installed and it cannot be installed here"
	exit
fi

check() { CGO_ENABLED=1 go run "$vale" --output line "$@" 2> >(grep -v '^exit status 1$' >&2); }

# Vale exits with 1, because it has findings.
found=$(check .vale/testdata/*.md .vale/testdata/*.txt | cut -d: -f 1,2,4-) || true
diff <(echo "$found") .vale/testdata/want ||
	{ echo "the rules in .vale do not find what .vale/testdata/want lists (<: found, >: listed)" >&2; exit 1; }
go run ./test/cmd/prose -o bin/prose
mapfile -t pages < <(git ls-files '*.md' ':!.vale')
check bin/prose "${pages[@]}"
