//go:build race

package status_test

// The race detector lets pools drop evaluations, which costs an allocation now and then.
const forgotten = 1
