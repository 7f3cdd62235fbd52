package reportverdict

import "kstatus.dev/cmd/kstatus/internal/permission"

// Permissions returns what a command line of kstatus report-verdict reads.
func Permissions(l permission.Line) (permission.Need, error) {
	return permission.Need{Args: l.Args(), WithoutPods: true}, nil
}
