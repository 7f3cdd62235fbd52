//go:build race

package status_test

// The race detector lets pools forget, which costs a hearing now and then.
const forgotten = 1
