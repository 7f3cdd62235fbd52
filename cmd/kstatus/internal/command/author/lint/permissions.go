package lint

import (
	"context"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/permission"
	kubesource "kstatus.dev/kube/source"
)

// Permissions returns what a command line of kstatus lint reads: definitions, and with --patch their
// objects.
func Permissions(l permission.Line) (permission.Need, error) {
	live, _ := l.Flags().GetBool("live")
	patch, _ := l.Flags().GetString("patch")
	files, err := l.Flags().GetStringArray("filename")
	compute := func(_ context.Context, _ *connection.Cluster, args []string, _ bool) (needs []kubesource.Permission, _ string, err error) {
		const group, resource = permission.DefinitionsGroup, permission.DefinitionsResource
		if live && patch != "" {
			return nil, "", exit.Usagef("lint --live --patch: want crd/NAME, since --patch reads the objects of each definition")
		}
		if live {
			needs = append(needs, permission.ToRead(group, resource, "", "list"))
		}
		for _, arg := range args {
			name, ok := definitionNamed(arg)
			if !ok {
				continue
			}
			needs = append(needs, permission.ToRead(group, resource, "", "get", name))
			if resource, group, _ := strings.Cut(name, "."); patch != "" {
				needs = append(needs, permission.ToRead(group, resource, "", "list"))
			}
		}
		return permission.OfChecks(l.Env, needs), "", nil
	}
	return permission.Need{Args: append(files, l.Args()...), Compute: compute, IgnoresSelection: true, NamesRoles: true}, err
}
