package capi

import "kstatus.dev/lint"

var addressTypesKnown = &check{
	ID: "C-IM-4/object", Name: "address-types", Severity: lint.Warning,
	Doc: `the addresses of a machine have a type that core knows, and an address

Core copies the list to the Machine, whose schema takes no others.`,
	Roles: []Role{RoleInfraMachine},
	Object: func(p *pass, o providerObject) {
		for i, item := range list(o.raw, "status", "addresses") {
			address, isObject := item.(map[string]any)
			if !isObject {
				continue
			}
			at := lint.Path{"status", "addresses", i}
			if !oneOf(text(address, "type"), addressTypes) {
				p.ReportOn(o.index, at.With("type"), "core knows no type "+quote(text(address, "type"))+" of addresses", "use Hostname, ExternalIP, InternalIP, ExternalDNS or InternalDNS", nil)
			}
			if text(address, "address") == "" {
				p.ReportOn(o.index, at.With("address"), "the address is empty", "leave it out until it is known", nil)
			}
		}
	},
}
