package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var addressTypesKnown = &check{
	ID: "C-IM-4/object", Name: "address-types", Severity: severity.Warning,
	Doc: `the addresses of a machine have a type that core accepts, and an address

Core copies the list to the Machine, whose schema rejects other types.`,
	Roles: []roles.Role{roles.InfraMachine},
	Object: func(p *pass, o providerObject) {
		for i, address := range decoded.Maps(o.raw, "status", "addresses") {
			if address == nil {
				continue
			}
			at := lint.Path{"status", "addresses", i}
			if !oneOf(decoded.Text(address, "type"), addressTypes) {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       at.With("type"),
					Message:    "core does not accept the address type " + quote(decoded.Text(address, "type")),
					Suggestion: "use Hostname, ExternalIP, InternalIP, ExternalDNS or InternalDNS",
				})
			}
			if decoded.Text(address, "address") == "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       at.With("address"),
					Message:    "the address is empty",
					Suggestion: "leave it out until it is known",
				})
			}
		}
	},
}
