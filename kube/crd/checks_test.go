package crd_test

import (
	"testing"

	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
	"kstatus.dev/lint/linttest"
)

// The cases of the checks are what they claim to be for the API server's own
// validation as well: the base and the good ones are accepted, and so is what
// repairs leave behind.
func TestCasesOfChecks(t *testing.T) {
	suite := linttest.Suite{Base: "../../lint/testdata/base.json", Dir: "../../lint/testdata", Checks: lint.Checks,
		Options: lint.Options{Validator: &crd.Validator{}}}
	suite.Test(t)
}
