//go:build race

package status_test

// With the race detector, pools drop some evaluations, which costs an allocation each.
const forgotten = 1
