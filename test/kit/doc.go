// Package kit holds what package kube/conditions promises against a real API
// server: how many requests a commit is, what becomes of the conditions of
// others, and what a watcher gets to see.
package kit
