package test

import (
	"encoding/json"
	"slices"
	"testing"

	cliutils "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
)

// The texts about the kstatus of cli-utils match the verdict of that library on the same object.
// The test covers every case of every check in every situation.
func TestVerdictsAreThoseOfCLIUtils(t *testing.T) {
	suite := linttest.Suite{Base: "../../author/lint/testdata/base.json", Dir: "../../author/lint/testdata", Checks: lint.Checks}
	compared, done := 0, 0
	for _, check := range lint.Checks {
		cases, err := suite.Read(check)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range append([]linttest.Case{cases.Bad, cases.Good}, cases.More...) {
			t.Run(check.Name+"/"+c.Name, func(t *testing.T) {
				b, err := suite.Bundle(c)
				if err != nil {
					t.Fatal(err)
				}
				crd := b.CRDs()[0]
				types, _ := lint.Options{Conditions: c.Declared}.DeclaredConditions(b, crd)
				for _, r := range slices.Concat(lint.ToolVerdicts(crd.Versions[0]), lint.ToolVerdicts(crd.Versions[0], types...)) {
					if r.Tool != "kstatus (cli-utils)" {
						continue
					}
					data, err := json.Marshal(r.Object)
					if err != nil {
						t.Fatal(err)
					}
					var o unstructured.Unstructured
					if err := o.UnmarshalJSON(data); err != nil { // with the number types of API server clients
						t.Fatal(err)
					}
					res, err := cliutils.Compute(&o)
					says := "Unknown" // the result of cli-utils for an error
					if err == nil {
						says = string(res.Status)
					}
					if says != r.Output {
						t.Errorf("it %s: %s: the peer says %s (%v), the verdict %s", c.Name, r.Scenario.Name, says, err, r.Output)
					}
					compared++
					if r.Done {
						done++
					}
				}
			})
		}
	}
	if compared < 500 || done == 0 || done == compared {
		t.Errorf("compared %d verdicts, of which %d say that the object is there; want more of both", compared, done)
	}
	t.Logf("compared %d verdicts", compared)
}
