package capi

import (
	"slices"

	"kstatus.dev/severity"
)

// addressTypes are those that core's MachineAddress takes.
var addressTypes = []string{"Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"}

var addresses = &check{
	ID: "C-IM-4", Name: "addresses", Severity: severity.Warning,
	Doc: `the items of status.addresses have a type that core knows, and an address

Core copies them to the Machine. The types are Hostname, ExternalIP, InternalIP,
ExternalDNS and InternalDNS.`,
	Roles: []Role{RoleInfraMachine},
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
		for i, item := range list(items.Property("type").Node, "enum") {
			if s, ok := item.(string); ok && !slices.Contains(addressTypes, s) {
				p.report(k, items.Property("type").Path.With("enum", i), "core knows no type "+quote(s)+" of addresses", "use one of Hostname, ExternalIP, InternalIP, ExternalDNS, InternalDNS", nil)
			}
		}
	},
}
