package wait

import "kstatus.dev/cmd/kstatus/internal/permission"

// Permissions returns what a command line of kstatus wait reads.
func Permissions(l permission.Line) (n permission.Need, err error) {
	n.Args = l.Args()
	if mode, _ := l.Flags().GetString("explain"); mode != "none" {
		n.Explanation = permission.ExplanationOptional
	}
	return n, nil
}
