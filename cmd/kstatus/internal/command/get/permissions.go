package get

import (
	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/cmd/kstatus/internal/printer"
)

// Permissions returns what a command line of kstatus get reads.
func Permissions(l permission.Line) (n permission.Need, err error) {
	flags := l.Flags()
	pods, _ := flags.GetBool("pods")
	format, _ := flags.GetString("output")
	n.Args, n.WithoutPods = l.Args(), !pods
	n.Tree, _ = flags.GetBool("tree")
	n.Deep, _ = flags.GetBool("deep")
	n.Caveats = pods && (n.Tree || format == "wide" || printer.FormatOf(format).Evidence)
	if kind, _ := flags.GetString("explain-rule"); kind != "" {
		n.Args, n.OnlyDefinitions = []string{kind}, true
	}
	return n, nil
}
