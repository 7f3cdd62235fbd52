package status

import "kstatus.dev/status/internal/word"

// Longhorn: https://longhorn.io/docs/latest/references/
var hintsLonghorn = hintTable{
	// A volume that nobody uses is detached, and its robustness is not known. It
	// serves while it is degraded, and Longhorn makes the lacking replica.
	{"longhorn.io", "Volume"}: {
		States:   []string{"status.robustness"},
		Words:    wordTable{"detached": word.Ready, "unknown": word.Neutral, "degraded": word.Progressing},
		Progress: []string{"Restore", "restore", "WaitForBackingImage", "OfflineRebuilding"},
		Neutral:  []string{"TooManySnapshots", "toomanysnapshots"},
	},
}
