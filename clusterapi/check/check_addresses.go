package check

import (
	"slices"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

// addressTypes are the types that core's MachineAddress accepts.
var addressTypes = []string{"Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"}

var addresses = &check{
	ID: "C-IM-4", Name: "addresses", Severity: severity.Warning,
	Doc: `the items of status.addresses have an address and a type that core accepts

Core copies the addresses to the Machine. The types are Hostname, ExternalIP,
InternalIP, ExternalDNS and InternalDNS.`,
	Roles: []roles.Role{roles.InfraMachine},
	Kind: func(p *pass, k kind) {
		items := k.field("status.addresses[]")
		if !items.Exists() || items.Node["x-kubernetes-preserve-unknown-fields"] == true {
			return
		}
		for _, name := range []string{"type", "address"} {
			if !items.Property(name).Exists() {
				p.report(k, items.Path, "the items of status.addresses have no "+name, "add it, as a string", nil)
			}
		}
		for i, item := range decoded.List(items.Property("type").Node, "enum") {
			if s, ok := item.(string); ok && !slices.Contains(addressTypes, s) {
				p.report(k, items.Property("type").Path.With("enum", i), "core does not accept the address type "+quote(s), "use one of Hostname, ExternalIP, InternalIP, ExternalDNS, InternalDNS", nil)
			}
		}
	},
}
