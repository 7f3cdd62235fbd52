package lint_test

import (
	"fmt"

	"kstatus.dev/author/lint"
)

func ExampleFixer() {
	b := bundle()
	fixes := lint.NewFixer(b, true, lint.Options{})
	for _, crd := range b.CRDs() {
		found, err := fixes.Fix(crd.Index)
		fmt.Println(crd.Name, len(found) > 0, err)
		fmt.Println(len(lint.Run(lint.Bundle{Objects: []map[string]any{fixes.Object(crd.Index)}}, lint.Options{})))
	}
	// Output:
	// lamps.example.com true <nil>
	// 1
}
