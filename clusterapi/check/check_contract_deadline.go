package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var contractDeadline = &check{
	ID: "L-29", Name: "contract-deadline", Severity: severity.Warning,
	Doc: `the provider follows the contract v1beta2

Core still reads v1beta1, and ` + v1beta1Ends + `.
After that, objects of a kind with only the label of v1beta1 no longer work. A provider
may carry both labels; core prefers v1beta2.`,
	Contract: ContractV1Beta1,
	Kind: func(p *pass, k kind) {
		if k.role == roles.IPPool || k.Labels[ContractV1Beta2.Label()] != "" {
			return
		}
		p.Report(lint.Finding{
			Path:       lint.Path{"metadata", "labels"},
			Message:    "the kind follows only the contract v1beta1: " + v1beta1Ends,
			Suggestion: "implement v1beta2, then add the label " + ContractV1Beta2.Label(),
		})
	},
}
