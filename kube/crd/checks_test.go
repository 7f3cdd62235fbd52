package crd_test

import (
	"testing"

	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
	"kstatus.dev/lint/linttest"
)

// The API server's validation agrees with the cases of the checks: it accepts
// the base, the good cases, and the results of fixes.
func TestCasesOfChecks(t *testing.T) {
	suite := linttest.Suite{Base: "../../lint/testdata/base.json", Dir: "../../lint/testdata", Checks: lint.Checks,
		Options: lint.Options{Validator: &crd.Validator{}}}
	suite.Test(t)
}
