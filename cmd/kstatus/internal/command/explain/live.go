package explain

import (
	"context"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
	"kstatus.dev/status"
)

// explainLive explains objects of clusters. It judges the objects first, and then reads the
// facts for the objects to explain.
func (x *command) explainLive(ctx context.Context, args []string, by output.Criteria) error {
	wanted, clusters, unread, err := x.Connect(ctx, args, by)
	if err != nil {
		return err
	}
	s := &subject{named: wanted.ByName() && !x.Selection.Expand}
	errs := []error{unread}
	scopes := make([]explainer.Scope, len(clusters))
	for i, c := range clusters {
		found, err := x.Selection.List(ctx, c, wanted)
		scopes[i], errs = explainer.Scope{Cluster: c, Homes: found.Homes()}, append(errs, err)
		verdicts, err := snapshot.Reader{
			Cluster: c, Judge: c.Judge(by, output.DetailObject), Pods: true, OwnText: true, FirstStatus: snapshot.DefaultFirstStatus,
		}.LookUp(ctx, found.Objects)
		if err != nil {
			return err
		}
		s.objects = append(s.objects, verdicts...)
	}
	if err := x.ReportPartial(errs, len(s.objects) > 0, &s.tally); err != nil {
		return err
	}
	for _, v := range s.objects {
		s.tally.Add(v)
		if v.Status == status.UnknownStatus {
			x.AddNamed(v)
		}
	}
	x.whyFlags.ShowSecrets = x.ShowSecrets
	if !s.named {
		if err := x.whyFlags.AddCaveats(ctx, clusters, by, s.objects); err != nil {
			return err
		}
	}
	explained, _ := s.explained()
	x.whyFlags.Everywhere = x.whyFlags.Everywhere || x.Selection.AllNamespaces
	if s.facts, err = x.whyFlags.Collect(ctx, scopes, by, explained); err != nil {
		return err
	}
	return x.print(by, s)
}
