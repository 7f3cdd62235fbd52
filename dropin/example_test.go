package dropin_test

import (
	"fmt"
	"strings"

	"kstatus.dev/dropin"
)

// A program selects its mode at the start of main.
func ExampleUse() {
	dropin.Use(dropin.Right)
	fmt.Println(strings.HasSuffix(dropin.Version(), "mode right"))
	// Output: true
}

// The mode of one watcher has precedence over that of the program.
func ExampleResolve() {
	dropin.Use(dropin.Compat)
	m, err := dropin.Resolve(dropin.Mode{Verdicts: dropin.VerdictsStrict})
	fmt.Println(m, err)
	// Output: strict+before <nil>
}

func ExampleParseMode() {
	m, err := dropin.ParseMode("default+before")
	fmt.Println(m.Verdicts, m.Events, err)
	// Output: default before <nil>
}
