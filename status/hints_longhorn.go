package status

import "kstatus.dev/status/internal/word"

// Longhorn: https://longhorn.io/docs/latest/references/
var hintsLonghorn = hintTable{
	// A volume without a user is detached, and its robustness is unknown. A degraded volume still
	// serves while Longhorn rebuilds the missing replica.
	{"longhorn.io", "Volume"}: {
		States:   []string{"status.robustness"},
		Words:    wordTable{"detached": word.Ready, "unknown": word.Neutral, "degraded": word.Progressing},
		Progress: []string{"Restore", "restore", "WaitForBackingImage", "OfflineRebuilding"},
		Neutral:  []string{"TooManySnapshots", "toomanysnapshots"},
	},
}
