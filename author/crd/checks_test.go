package crd_test

import (
	"strings"
	"testing"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
)

// The API server's validation agrees with the cases of the checks: it accepts
// the base, the good cases, and the results of fixes.
func TestCheckCases(t *testing.T) {
	suite := linttest.Suite{Base: "../lint/testdata/base.json", Dir: "../lint/testdata", Checks: lint.Checks,
		Options: lint.Options{Validator: &crd.Validator{}, RuleProblems: ruleProblems}}
	suite.Test(t)
}

// ruleProblems replaces the function of package celrule.
func ruleProblems(crd map[string]any) []string {
	metadata, _ := crd["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if rule, _ := annotations["kstatus.dev/rule"].(string); strings.Contains(rule, "curent:") {
		return []string{`rule:1: key "curent": want one of inProgress, failed, current`}
	}
	return nil
}
