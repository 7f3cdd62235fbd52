package main

// A step is one command of the shell.
type step struct {
	name    string
	what    string
	command string
}

// steps lists all steps in the order in which they run: first what a change breaks most often.
var steps = []step{
	{
		"long", "the long form of the tests that make test runs in a short form",
		`go test -vet=off -count=1 -timeout 80m $(git grep -lE 'testing\.Short\(\)|cluster\.Long\(' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')`,
	},
	{
		"storms", "100,000 moves of random objects in memory, while others write and the move crashes",
		"go test -count=1 -timeout 3h ./clusterapi/move -run 'TestStorms$' -storms 100000",
	},
	{"coverage", "functions of moves, pauses and the drop-in that tests without a cluster run", "make cover-functions"},
	{"races", "tests with goroutines under the race detector", "make race-detector"},
	{
		"creation", "20 waits for each of several controllers as each of several users: does one end too early?",
		"go test -count=1 -timeout 80m ./test/engine/race -runs 20",
	},
	{"growth", "how costs grow, with the inputs at their full size", "go test -count=1 -timeout 30m ./test/command/growth -smaller 1"},
	{
		"oldest", "the command and the engine on the oldest supported Kubernetes",
		"export KSTATUS_TEST_KUBERNETES=oldest; go run ./test/cmd/cluster build; go test -count=1 -timeout 40m ./test/command/e2e ./test/engine/matrix",
	},
	{
		"openstack", "the OpenStack provider on a real OpenStack (Debian 12, root)",
		"go run ./test/cmd/openstack install; go test -count=1 -timeout 90m ./test/openstack/real",
	},
	{
		"nodes", "a Node with a real kubelet and containers (Linux, root, cgroup v1)",
		"go run ./test/cmd/cluster build nodes; go test -count=1 -timeout 40m -p 1 ./test/lib/node ./test/command/gallery/real",
	},
	{
		"controllers", "verdicts on the objects of released controllers of other projects",
		"go test -count=1 -timeout 60m ./test/verdicts/controllers",
	},
	{
		"dropin", "tests of importers of cli-utils with the drop-in in its place",
		"go run ./test/dropin/suites; go run ./test/dropin/suites -mode right",
	},
	// By number: at the end of a time the go command may report its own deadline as a failure.
	// See golang/go#75804, fixed in Go 1.27.
	{"fuzzing", "each fuzz target 5,000 times", "make fuzz FUZZTIME=5000x"},
	{"soak", "the engine under the race detector while its cluster breaks, for 10 minutes", "make soak SOAKTIME=10m"},
	{"floor", "the libraries with the oldest versions that they require", "make floor"},
}
