package move

import (
	"cmp"
	"context"
	"fmt"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/move/internal/archive"
	"kstatus.dev/clusterapi/move/internal/preflight"
	"kstatus.dev/clusterapi/move/plan"
)

// Preflight checks whether a plan can be carried out. It checks the permissions on both sides,
// definitions and versions, and the state of the objects. It finds what the target would reject,
// prune or overwrite. It changes no object: it creates them as a dry run only. The problems include
// those of the plan.
func (m *Mover) Preflight(ctx context.Context, p *plan.Plan) ([]plan.Problem, error) {
	if m.inv == nil || m.inv.Plan != p {
		inv, err := m.read(ctx)
		if err != nil {
			return nil, err
		}
		if lines := plan.Diff(p, inv.Plan); len(lines) > 0 {
			return nil, fmt.Errorf("the source has changed since the plan: %s", lines[0])
		}
		m.inv = inv
		if m.doc.Plan == p {
			m.doc.Plan = inv.Plan
		}
	}
	if len(p.Selected()) == 0 {
		return []plan.Problem{{Check: "empty", Severity: severity.Error, Message: "no object is selected"}}, nil
	}
	if m.target == nil {
		if err := archive.CheckEmpty(m.o.TargetFolder); err != nil {
			return nil, err
		}
	}
	checks := &preflight.Checks{
		Inventory: m.inv, Move: m.doc.ID, Concurrency: m.o.Concurrency, Original: m.original, Schema: m.copies.Schema,
	}
	if m.source != nil {
		checks.Source = m.source.Client
	}
	if m.target != nil {
		checks.Target = m.target.Client
	}
	var problems []plan.Problem
	err := m.retry(ctx, "preflight", func(ctx context.Context) (err error) {
		problems, err = checks.Run(ctx)
		return cmp.Or(err, context.Cause(ctx)) // some checks do without an answer
	})
	return problems, err
}
