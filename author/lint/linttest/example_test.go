package linttest_test

import (
	"fmt"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
)

// The checks of package lint have such a suite: Suite.Test runs all its cases.
func ExampleSuite() {
	suite := linttest.Suite{Base: "../testdata/base.json", Dir: "../testdata", Checks: lint.Checks[:1]}
	check := suite.Checks[0]
	cases, err := suite.Read(check)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range []linttest.Case{cases.Bad, cases.Good} {
		bundle, err := suite.Bundle(c)
		if err != nil {
			fmt.Println(err)
			return
		}
		found := lint.Run(bundle, lint.Options{Checks: suite.Checks})
		fmt.Printf("%s %s: %d found\n", check.Name, c.Name, len(found))
	}
	page, err := suite.Page("Checks", "What each check demands.")
	title, _, _ := strings.Cut(page, "\n")
	fmt.Println(title, err)
	// Output:
	// status-subresource has a status in its schema, and no subresource: 1 found
	// status-subresource has the subresource: 0 found
	// # Checks <nil>
}
