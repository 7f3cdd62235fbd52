package lint_test

import (
	"flag"
	"strings"
	"testing"

	"kstatus.dev/lint"
	"kstatus.dev/lint/linttest"
)

var update = flag.Bool("update", false, "write docs/checks.md")

var suite = linttest.Suite{Base: "testdata/base.json", Dir: "testdata", Checks: lint.Checks, Options: lint.Options{Validator: schemas{}, RuleProblems: ruleProblems}}

func TestCases(t *testing.T) { suite.Test(t) }

// docs/checks.md is generated from the checks and their cases.
func TestChecksPageIsUpToDate(t *testing.T) {
	suite.ComparePage(t, "../docs/checks.md", "What kstatus lint demands of a definition", `Each check has an ID and a name, which are stable. It speaks of every served version that has a status. An
*error* is what demonstrably breaks something; a *warning* misleads a reader or breaks a convention; *info* is
good to know. `+"`--profile strict`"+` makes each weigh more. What `+"`--fix --unsafe`"+` mends, users of the API see, or
it makes objects invalid that are stored.`, *update)
}

// schemas validates objects as far as this package can by itself.
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

// ruleProblems stands for the one of package celrule.
func ruleProblems(crd map[string]any) []string {
	metadata, _ := crd["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if rule, _ := annotations["kstatus.dev/rule"].(string); strings.Contains(rule, "curent:") {
		return []string{`rule:1: key "curent": want one of inProgress, failed, current`}
	}
	return nil
}
