package check

import (
	"strconv"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/integer"
)

// A bound is the longest text or list that a field of the contract allows.
type bound struct {
	Role     roles.Role
	Path     string
	Min, Max int64
}

var bounds = []bound{
	{roles.InfraMachine, "spec.providerID", 1, 512},
	{roles.InfraMachine, "status.failureDomain", 1, 256},
	{roles.InfraMachinePool, "spec.providerIDList", 0, 10000},
	{roles.InfraMachinePool, "spec.providerIDList[]", 1, 512},
	{roles.BootstrapConfig, "status.dataSecretName", 1, 253},
	{roles.ControlPlane, "status.versions", 1, 100},
}

var fieldBounds = &check{
	ID: "L-38", Name: "field-bounds", Severity: severity.Info,
	Doc: `fields of the contract v1beta2 have its bounds

They are the bounds of the fields of Cluster and Machine that core copies the values
to. If a value fits the provider's field but not core's, the copy fails.`,
	Roles: []roles.Role{roles.InfraMachine, roles.InfraMachinePool, roles.BootstrapConfig, roles.ControlPlane}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		for _, b := range bounds {
			s := k.field(b.Path)
			if b.Role != k.role || !s.Exists() {
				continue
			}
			least, most := "minLength", "maxLength"
			switch s.Type() {
			case "array":
				least, most = "minItems", "maxItems"
			case "string":
			default:
				continue // see field-types
			}
			var names, values []string
			fix := &lint.Fix{Unsafe: true, Risk: "stored objects may exceed it", Note: "stored objects may exceed it"}
			missing := func(name string, want int64) {
				names, values = append(names, name), append(values, name+": "+strconv.FormatInt(want, 10))
				fix.Edits = append(fix.Edits, lint.Edit{Op: lint.OpAdd, Path: s.Path.With(name), Value: want})
			}
			if n, ok := integer.Of(s.Node[least]); b.Min > 0 && (!ok || n < b.Min) {
				missing(least, b.Min)
			}
			if n, ok := integer.Of(s.Node[most]); !ok || n > b.Max {
				missing(most, b.Max)
			}
			if names != nil {
				p.report(k, s.Path, b.Path+" has no "+strings.Join(names, " and no ")+"; core's own field has them", strings.Join(values, ", "), fix)
			}
		}
	},
}
