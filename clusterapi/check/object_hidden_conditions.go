package check

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var shadowed = &check{
	ID: "C-CO-1/object", Name: "hidden-conditions", Severity: severity.Warning,
	Doc: `the object has one list of conditions, and it is a list

If status.v1beta2.conditions is a list, even an empty one, core does not read
status.conditions. Core reads a value that is not a list as no conditions.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		_, hides := decoded.At(o.raw, "status", "v1beta2", "conditions").([]any)
		v, there := decoded.Map(o.raw, "status")["conditions"]
		items, isList := v.([]any)
		switch {
		case there && !isList:
			p.reportObject(o, "status.conditions", "status.conditions is "+article(typeOf(v))+", which core reads as no conditions", "write a list")
		case hides && o.contract == ContractV1Beta2 && isList && len(items) > 0:
			p.reportObject(o, "status.v1beta2.conditions", "status.v1beta2.conditions hides status.conditions from core", "remove it")
		}
	},
}
