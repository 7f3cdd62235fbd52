package grace_test

import (
	"fmt"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
)

// A wait may have a longer grace for one reason than the default.
func ExampleDefault() {
	g := grace.Default()
	g["CrashLoop"] = 2 * time.Minute
	fmt.Println(observe.Requirements{Grace: g}.Grace["CrashLoop"], g["Stalled"], g[""])
	// Output: 2m0s 0s 1m0s
}

func ExampleUniform() {
	g := grace.Uniform(10 * time.Minute)
	fmt.Println(g[""], g["Stalled"])
	// Output: 10m0s 0s
}

func ExampleNone() {
	g := grace.None()
	fmt.Println(g[""], g["Unschedulable"])
	// Output: 0s 5m0s
}
