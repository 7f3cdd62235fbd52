// Package growth measures how the cost of kstatus grows with its input. A test builds the command
// so that it counts its steps and the allocated bytes. Then it runs the command on an input, and on
// an input of ten times the size.
//
// A step is a statement of Go, counted by the coverage counters of the toolchain, so the
// figures do not depend on the machine. Loops in assembly and in the runtime, such as
// copies of text, are not steps; the allocated bytes show most of them.
//
// command.go builds and runs the command, counters.go reads what it has counted, and the
// cases are in cases_test.go.
package growth
