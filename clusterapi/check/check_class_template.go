package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var classTemplate = &check{
	ID: "C-IC-9", Name: "class-template", Severity: severity.Warning,
	Doc: `clusters, control planes and pools of machines have templates (L-37)

A ClusterClass refers to templates named <Kind>Template, from which core's topology
creates objects. Without one the kind cannot be used with a ClusterClass.`,
	Bundle: func(p *pass) {
		p.templates([]roles.Role{roles.InfraCluster, roles.ControlPlane, roles.InfraMachinePool})
	},
}

// templates reports the kinds of the roles without a template. It reports
// nothing for a bundle of one definition, which may be incomplete.
func (p *pass) templates(wanted []roles.Role) {
	kinds := p.options.kinds(p.Pass)
	if len(kinds) < 2 {
		return
	}
	have := map[[2]string]bool{}
	for _, k := range kinds {
		have[[2]string{k.Group, k.Kind}] = true
	}
	for _, k := range kinds {
		for _, role := range wanted {
			name := k.Kind + "Template"
			if k.role == role && !have[[2]string{k.Group, name}] && !strings.HasSuffix(k.Kind, "MachinePoolMachine") {
				p.ForObject(k.Index).Report(lint.Finding{
					Path:       lint.Path{"spec", "names", "kind"},
					Message:    quote(k.Kind) + " has no template kind " + quote(name),
					Suggestion: "add a kind " + quote(name) + " with spec.template.spec",
				})
			}
		}
	}
}
