package capi

import (
	"strconv"

	"kstatus.dev/lint"
)

// A bound is how long a text or a list of the contract may be.
type bound struct {
	Role     Role
	Path     string
	Min, Max int64
}

var bounds = []bound{
	{InfraMachine, "spec.providerID", 1, 512},
	{InfraMachine, "status.failureDomain", 1, 256},
	{InfraMachinePool, "spec.providerIDList", 0, 10000},
	{InfraMachinePool, "spec.providerIDList[]", 1, 512},
	{BootstrapConfig, "status.dataSecretName", 1, 253},
	{ControlPlane, "status.versions", 1, 100},
}

var fieldBounds = &check{
	ID: "L-38", Name: "field-bounds", Severity: lint.Hint,
	Doc: `fields of the contract v1beta2 have its bounds

They are those of the fields of Cluster and Machine that core copies the values to.
A value that fits the provider's field and not core's makes the copy fail.`,
	Roles: []Role{InfraMachine, InfraMachinePool, BootstrapConfig, ControlPlane}, Contract: V1Beta2,
	Kind: func(p *pass, k kind) {
		for _, b := range bounds {
			s := k.field(b.Path)
			if b.Role != k.role || !s.There() {
				continue
			}
			least, most := "minLength", "maxLength"
			switch s.Type() {
			case "array":
				least, most = "minItems", "maxItems"
			case "string":
			default:
				continue // field-types
			}
			p.bound(k, s, b, least, b.Min, func(n int64) bool { return n >= b.Min })
			p.bound(k, s, b, most, b.Max, func(n int64) bool { return n <= b.Max })
		}
	},
}

func (p *pass) bound(k kind, s lint.Schema, b bound, name string, want int64, holds func(int64) bool) {
	if n, ok := whole(s.Node[name]); want == 0 || ok && holds(n) {
		return
	}
	p.report(k, s.Path, b.Path+" has no "+name+" as core's own field has it", name+": "+strconv.FormatInt(want, 10),
		&lint.Fix{Edits: []lint.Edit{{Op: lint.Add, Path: s.Path.With(name), Value: want}}, Unsafe: true, Note: "stored objects may not keep to it"})
}
