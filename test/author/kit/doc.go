// Package kit tests package author/conditions with a real API server. It checks how
// many requests a commit sends, whether the conditions of others remain, and which
// events a watcher receives.
package kit
