package explainer

import (
	"context"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// needsLookup are the kinds whose caveats depend on other objects.
var needsLookup = map[status.Kind]bool{
	{Kind: "Service"}: true,
	{Group: "networking.k8s.io", Kind: "Ingress"}: true,
	{Group: "batch", Kind: "CronJob"}:             true,

	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}: true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:   true,
}

// MayHaveCaveat reports whether AddCaveats reads other objects for the caveat of an object.
func MayHaveCaveat(kind status.Kind, r status.Result) bool {
	return needsLookup[kind] && r.Status == status.CurrentStatus && r.Caveat == ""
}

// AddCaveats adds caveats to verdicts on Current objects. It also reads objects that have no
// contents yet. If a request fails, the objects have no caveat.
//
// In each namespace with Services it lists EndpointSlices, and Pods if a Service has no ready
// endpoint. In each namespace with CronJobs it lists Jobs. For each Ingress it gets the class, the
// Secrets and the backend Services, with their EndpointSlices. It also reads the Events about CronJobs
// and Ingresses.
func (f *Flags) AddCaveats(ctx context.Context, clusters []*connection.Cluster, by output.Criteria, all []output.Verdict) error {
	for _, c := range clusters {
		at := map[status.ID]int{}
		var ids []status.ID
		var known []explain.ObjectFact
		for i, v := range all {
			if v.ID.Cluster != c.Name || !MayHaveCaveat(v.ID.Kind, v.Result) {
				continue
			}
			at[v.ID] = i
			ids = append(ids, v.ID)
			if v.ObjectFact != nil && v.ObjectFact.Object != nil {
				known = append(known, *v.ObjectFact)
			}
		}
		if len(ids) == 0 {
			continue
		}
		facts, err := f.Reader(c, c.Judge(by, output.DetailObject)).Caveats(ctx, ids, known...)
		if err != nil {
			return err
		}
		f.setCaveats(all, at, explain.Explain(facts, ids...))
	}
	return nil
}

// AddCaveatsOf adds the caveats that depend on other objects to verdicts on Current objects, from
// facts that have been read.
func (f *Flags) AddCaveatsOf(facts *explain.Facts, all []output.Verdict) {
	at := map[status.ID]int{}
	var ids []status.ID
	for i, v := range all {
		if MayHaveCaveat(v.ID.Kind, v.Result) {
			at[v.ID] = i
			ids = append(ids, v.ID)
		}
	}
	if len(ids) > 0 {
		f.setCaveats(all, at, explain.Explain(facts, ids...))
	}
}

// setCaveats sets the caveats of verdicts, whose positions are given, to those of an explanation.
func (f *Flags) setCaveats(all []output.Verdict, at map[status.ID]int, why *explain.Explanation) {
	for _, s := range why.Subjects {
		v := &all[at[s.ID]]
		if v.Caveat = s.Caveat; !f.ShowSecrets {
			v.Caveat = redact.Text(v.Caveat)
		}
		if v.ObjectFact != nil {
			v.ObjectFact.Result.Caveat = v.Caveat
		}
	}
}
