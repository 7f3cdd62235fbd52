// Package kstatus holds no code. Start at kstatus.dev/status, which judges one
// object, and at docs/contributing/architecture.md, which says where everything else lives.
package kstatus
