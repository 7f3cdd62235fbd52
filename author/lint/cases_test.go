package lint_test

import (
	"flag"
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
)

var update = flag.Bool("update", false, "write docs/reference/checks.md")

var suite = linttest.Suite{Base: "testdata/base.json", Dir: "testdata", Checks: lint.Checks, Options: lint.Options{Validator: schemas{}, RuleProblems: ruleProblems}}

func TestCases(t *testing.T) { suite.Test(t) }

// docs/reference/checks.md is generated from the checks and their cases.
func TestChecksPageIsUpToDate(t *testing.T) {
	suite.ComparePage(t, "../../docs/reference/checks.md", "The checks of kstatus lint", `Each check has an ID and a name, which are stable. It checks every served version that has a status. An
*error* breaks a reader or a controller, a *warning* misleads a reader or violates a convention, and *info* is
good to know. `+"`--profile strict`"+` raises each severity. The fixes of `+"`--fix --unsafe`"+` are visible to users of the
API, or may make stored objects invalid.`, *update)
}

// schemas validates objects with the validation of this package.
type schemas struct{}

func (schemas) Validate(map[string]any) []lint.Problem { return nil }

func (schemas) ValidateObject(crd map[string]any, version string, object map[string]any) []lint.Problem {
	for _, c := range (lint.Bundle{Objects: []map[string]any{crd}}).CRDs() {
		for _, v := range c.Versions {
			if why := v.Schema.Refusal(object); v.Name == version && why != "" {
				return []lint.Problem{{Message: why}}
			}
		}
	}
	return nil
}

// ruleProblems replaces the checker of package celrule.
func ruleProblems(crd map[string]any) []string {
	metadata, _ := crd["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if rule, _ := annotations["kstatus.dev/rule"].(string); strings.Contains(rule, "curent:") {
		return []string{`rule:1: key "curent": want one of inProgress, failed, current`}
	}
	return nil
}
