package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionText(t *testing.T) {
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
		},
	}
	for want, read := range map[string]func() (*debug.BuildInfo, bool){
		"kstatus unknown go": func() (*debug.BuildInfo, bool) { return nil, false },
		"kstatus v1.2.3 go":  func() (*debug.BuildInfo, bool) { return &debug.BuildInfo{Main: info.Main}, true },
		"kstatus v1.2.3 (commit 0123456789ab, modified) go": func() (*debug.BuildInfo, bool) { return info, true },
	} {
		if got := VersionText(read); !strings.HasPrefix(got, want) {
			t.Errorf("version text = %q, want it to begin with %q", got, want)
		}
	}
}
