package explain

import "kstatus.dev/cmd/kstatus/internal/permission"

// Permissions returns what a command line of kstatus explain reads.
func Permissions(l permission.Line) (permission.Need, error) {
	return permission.Need{Args: l.Args(), Explanation: permission.ExplanationRequired}, nil
}
