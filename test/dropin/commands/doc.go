// Package commands tests the commands graft and rewrite of kstatus.dev/dropin with scripts. Their
// modules are small and come from a proxy on loopback.
package commands
