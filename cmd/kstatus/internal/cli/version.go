package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// VersionText returns the release, or the commit for a build from a checkout, with the
// version of Go and the platform.
func VersionText(buildInfo func() (*debug.BuildInfo, bool)) string {
	version, commit, dirty := "unknown", "", ""
	if info, ok := buildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value
			case "vcs.modified":
				if s.Value == "true" {
					dirty = ", modified"
				}
			}
		}
	}
	if commit != "" {
		const short = 12
		version += " (commit " + commit[:min(short, len(commit))] + dirty + ")"
	}
	return fmt.Sprintf("kstatus %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
