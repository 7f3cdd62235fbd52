// Package examples runs the programs of examples on a real cluster, with objects that become ready
// and objects that do not.
package examples
