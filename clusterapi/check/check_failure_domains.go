package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var failureDomains = &check{
	ID: "L-39", Name: "failure-domains", Severity: severity.Error,
	Doc: `status.failureDomains has the shape of the labelled contract (C-IC-5)

Under v1beta2 it is a list of items with a name, under v1beta1 a map by name. Once
the cluster is provisioned, core reads it on every reconcile, and the other shape is
an error each time.`,
	Roles: []roles.Role{roles.InfraCluster},
	Kind: func(p *pass, k kind) {
		s := k.field("status.failureDomains")
		want := "array"
		if k.contract == ContractV1Beta1 {
			want = "object"
		}
		if !s.Exists() {
			return
		}
		if have := s.Type(); have != want {
			p.report(k, s.Path.With("type"), "status.failureDomains is "+article(have)+"; under "+string(k.contract)+" core wants "+article(want), "type: "+want, nil)
			return
		}
		for _, f := range fieldsOf(roles.InfraCluster, k.contract) {
			if part := k.field(f.Path); f.Rule == "C-IC-5" && part.Exists() && part.Type() != f.Type {
				p.report(k, part.Path.With("type"), f.Path+" is "+article(part.Type())+"; core wants "+article(f.Type), "type: "+f.Type, nil)
			}
		}
		if k.contract == ContractV1Beta2 && !k.field("status.failureDomains[].name").Exists() {
			p.report(k, s.Path, "the items of status.failureDomains have no name", "add the field name, a string of 1 to 256 characters", nil)
		}
	},
}
