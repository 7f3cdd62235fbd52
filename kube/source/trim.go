package source

import "kstatus.dev/kube/source/internal/client"

// Trim removes from an object what no verdict rests on and what makes up most
// of it: the fields that each writer has written, except whether they are of
// the spec or of the status, and the manifest as it was applied.
func Trim(object map[string]any) { client.Trim(object) }
