// Package examples runs the programs of examples on a real cluster, where things go well and
// where they do not.
package examples
