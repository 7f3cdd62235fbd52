package cli

import (
	"runtime"
	"runtime/debug"
)

// A Version describes a build of the command.
type Version struct {
	Version   string `json:"version"`            // the release; (devel) if there is none
	Commit    string `json:"commit,omitempty"`   // for a build from a checkout
	Modified  bool   `json:"modified,omitempty"` // the checkout had uncommitted changes
	GoVersion string `json:"goVersion"`
	Platform  string `json:"platform"`
}

// VersionOf returns the version of the build.
func VersionOf(buildInfo func() (*debug.BuildInfo, bool)) Version {
	v := Version{Version: "unknown", GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := buildInfo()
	if !ok {
		return v
	}
	v.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String returns the release, or the commit for a build from a checkout. It adds the version of
// Go and the platform.
func (v Version) String() string {
	text := "kstatus " + v.Version
	if v.Commit != "" {
		const short = 12
		text += " (commit " + v.Commit[:min(short, len(v.Commit))]
		if v.Modified {
			text += ", modified"
		}
		text += ")"
	}
	return text + " " + v.GoVersion + " " + v.Platform
}

// VersionText returns the version of the build as one line.
func VersionText(buildInfo func() (*debug.BuildInfo, bool)) string {
	return VersionOf(buildInfo).String()
}
