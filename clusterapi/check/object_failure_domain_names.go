package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var failureDomainNames = &check{
	ID: "C-IC-5/object", Name: "failure-domain-names", Severity: severity.Warning,
	Doc: `failure domains have unique names and do not disappear

Core copies the list to the Cluster on every reconcile. If the list is missing once,
core empties the list of the Cluster, and a control plane places its next machine
anywhere.`,
	Roles: []roles.Role{roles.InfraCluster}, Contract: ContractV1Beta2,
	Object: func(p *pass, o providerObject) {
		seen := map[string]bool{}
		for i, domain := range decoded.Maps(o.raw, "status", "failureDomains") {
			name := decoded.Text(domain, "name")
			at := lint.Path{"status", "failureDomains", i, "name"}
			switch {
			case name == "" || len(name) > 256:
				p.ForObject(o.index).Report(lint.Finding{
					Path:       at,
					Message:    "a failure domain has no name of 1 to 256 characters",
					Suggestion: "name it",
				})
			case seen[name]:
				p.ForObject(o.index).Report(lint.Finding{
					Path:       at,
					Message:    "the failure domain " + quote(name) + " is in the list twice",
					Suggestion: "list each name once",
				})
			}
			seen[name] = true
		}
		if cluster, ok := p.graph.user(o); ok && len(seen) == 0 && o.initialized() && len(decoded.List(cluster, "status", "failureDomains")) > 0 {
			p.reportObject(o, "status.failureDomains", "the Cluster has failure domains, but this object has none", "write them in every status")
		}
	},
}
