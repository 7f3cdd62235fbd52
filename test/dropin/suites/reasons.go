package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A reason says why tests of a suite fail in one variant.
type reason struct {
	variant string
	// The tests, by package and name. A test includes its subtests. A star at the end of a name
	// matches the rest of names.
	tests []string
	why   string
}

// matches reports whether a reason is that of a test.
func (r reason) matches(test string) bool {
	return slices.ContainsFunc(r.tests, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(test, prefix)
		}
		return test == pattern || strings.HasPrefix(test, pattern+"/")
	})
}

// failures returns the tests that need a reason. In the original, these are the failed ones. In
// another variant, these are the tests that passed with the original, and that failed or did not run.
// A test whose subtests failed is left out, and so is the package of a failed test.
func (r record) failures(variant string) (tests []string) {
	found := r.Variants[variant]
	all := map[string]bool{}
	for test, result := range found {
		if result == "fail" && (variant == variantOriginal || r.Variants[variantOriginal][test] != "fail") {
			all[test] = true
		}
	}
	for test, before := range r.Variants[variantOriginal] {
		if _, ok := found[test]; !ok && before == "pass" && !slices.Contains(r.Uncompiled, topLevel(test)) {
			all[test] = true
		}
	}
	for _, test := range slices.Sorted(maps.Keys(all)) {
		if !coveredBy(test, all, found) {
			tests = append(tests, test)
		}
	}
	return tests
}

// coveredBy reports whether the reasons of other failures are those of a test.
func coveredBy(test string, failures map[string]bool, found results) bool {
	pkg, name, _ := strings.Cut(test, " ")
	for other := range failures {
		at, of, _ := strings.Cut(other, " ")
		if at != pkg || other == test {
			continue
		}
		if name == "(package)" {
			return true
		}
		_, ran := found[test]
		if ran && found[other] == "fail" && strings.HasPrefix(of, name+"/") {
			return true // a subtest says more
		}
		if !ran && strings.HasPrefix(name, of+"/") {
			return true // its parent did not end
		}
	}
	return false
}

// problems compares the failures of a suite with their reasons, in the variants that have run.
func (r record) problems(reasons []reason) (problems []string) {
	for _, v := range variants {
		if len(r.Variants[v]) == 0 {
			continue
		}
		failures := r.failures(v)
		for _, test := range failures {
			if !slices.ContainsFunc(reasons, func(x reason) bool { return x.variant == v && x.matches(test) }) {
				problems = append(problems, fmt.Sprintf("%s: %s fails without a reason: add one to reasons.go", v, test))
			}
		}
		for _, x := range reasons {
			for _, pattern := range x.tests {
				one := reason{tests: []string{pattern}}
				if x.variant == v && !slices.ContainsFunc(failures, one.matches) {
					problems = append(problems, fmt.Sprintf("%s: %s has a reason and does not fail: remove it from reasons.go", v, pattern))
				}
			}
		}
	}
	return problems
}

// inRight are the reasons of the tests of both originals in the mode right.
var inRight = []reason{
	{
		variantRight, []string{
			"pkg/kstatus/status TestAugmentConditions",
			"pkg/kstatus/status TestPodStatus/podCrashLooping", "pkg/kstatus/status TestPodStatus/podNoStatus",
			"pkg/kstatus/status TestPodStatus/podBeingScheduled",
			"pkg/kstatus/status TestPVCStatus/pvcNoStatus",
			"pkg/kstatus/status TestStsStatus",
			"pkg/kstatus/status TestDaemonsetStatus",
			"pkg/kstatus/status TestDeploymentStatus",
			"pkg/kstatus/status TestReplicasetStatus",
			"pkg/kstatus/status TestCRDGenericStatus/crdNotReady",
			"pkg/kstatus/status TestJobStatus/jobNoStatus",
			"pkg/kstatus/status TestCRDStatus",
		},
		"It asserts the reasons of cli-utils, such as LessReady. The profile *started* has others, such as NotAvailable. The status is the same.",
	},
	{
		variantRight, []string{"pkg/kstatus/polling/statusreaders TestReadStatus/Current_resource"},
		"It asserts the message of cli-utils for a Deployment that is Current.",
	},
	{
		variantRight, []string{"pkg/kstatus/status TestPodStatus/podUnschedulable"},
		"A Pod that fits on no node is InProgress, since an autoscaler may add a node. cli-utils returns Failed after 15 seconds.",
	},
	{
		variantRight, []string{"pkg/kstatus/status TestPodStatus/podCompletedFailed"},
		"A Pod in the phase Failed is Failed. cli-utils returns Current.",
	},
	{
		variantRight, []string{"pkg/kstatus/status TestCRDGenericStatus/crdNoCondition"},
		"A custom resource that its controller has not observed is InProgress. cli-utils returns Current.",
	},
	{
		variantRight, []string{"pkg/kstatus/status TestServiceStatus/serviceLBnok"},
		"A Service of type LoadBalancer is Current as soon as it has an address. cli-utils also wants spec.clusterIP.",
	},
}

// syncFirst is the reason of the tests of the watcher in the mode right.
const syncFirst = "It asserts that Sync is the first event. In *right*, NotFound for each missing object comes before it."

var helmInRight = []reason{{
	variantRight, []string{"pkg/kube TestStatusWaitMixedResources/*", "pkg/kube TestStatusWaitRestrictedRBAC/*"},
	"It expects an error because a list is refused. In *right*, the engine then reads each object by name, and only a refused read is an error.",
}}

var zarfInRight = []reason{{
	variantRight, []string{
		"src/internal/healthchecks TestFailedHealthChecks",
		"src/internal/healthchecks TestRunHealthChecks/One_pod_is_never_ready",
	},
	"The errors of zarf contain the message for each object. In *right*, messages have other words.",
}}

var ssaInRight = []reason{
	{
		variantRight, []string{". TestWaitForSet/waits_for_CRD_and_CR"},
		"A custom resource that its controller has not observed is InProgress. cli-utils returns Current.",
	},
	{
		variantRight, []string{". TestWaitForSet_JobWithTTL/NotFound_Job_without_TTL_option_is_treated_as_error"},
		"The test is unsteady: it failed in 3 of 10 runs with the original, 3 of 5 in *compat* and 2 of 5 in *right*. " +
			"It expects NotFound in the error. If the rate limiter sees the end of the timeout first, the error is that of the rate limiter.",
	},
}

var skaffoldInRight = []reason{{
	variantRight, []string{
		"pkg/diag/validator TestConfigConnectorValidator/resource_in_progress_with_message",
		"pkg/diag/validator TestConfigConnectorValidator/resource_in_progress_without_message",
	},
	"The errors of skaffold contain the message. In *right*, messages have other words. The status is the same.",
}}

// helmActions are the tests of Helm that fail with the original too.
var helmActions = []reason{
	{variantOriginal, []string{"pkg/action TestPullRun_ChartNotFound"}, "The test asks a server on the internet, and the machine reaches none."},
	{
		variantOriginal, []string{"pkg/cmd TestLoadCLIPlugins", "pkg/cmd TestLoadPluginsWithSpace", "pkg/cmd TestPluginDynamicCompletion"},
		"The tests run scripts in their folder. Files in the module cache are not executable.",
	},
}

var sigsReasons = append([]reason{
	{
		variantOriginal, []string{"pkg/kstatus/watcher TestNewFilteredListWatchFromDynamicClientList"},
		"The fake client of client-go v0.37 sets the resourceVersion of a list. The test expects none.",
	},
	{
		variantRight, []string{"pkg/kstatus/watcher TestDefaultStatusWatcher"},
		syncFirst + " The test then waits until the timeout.",
	},
}, inRight...)
