//go:build !race

package status_test

const forgotten = 0
