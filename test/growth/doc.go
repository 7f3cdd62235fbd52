// Package growth measures how the cost of kstatus grows with its input: a test builds the
// command so that it counts its steps and the bytes that it allocates, and runs it on
// inputs of one and of ten sizes.
//
// A step is a statement of Go, counted by the coverage counters of the toolchain, so the
// figures do not depend on the machine. Loops in assembly and in the runtime, such as
// copies of text, are not steps; the allocated bytes show most of them.
//
// command.go builds and runs the command, counters.go reads what it has counted, and the
// cases are in cases_test.go.
package growth
