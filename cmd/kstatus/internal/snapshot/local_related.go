package snapshot

import (
	"regexp"
	"runtime"
	"slices"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// relatedKinds are the kinds of objects whose caveats depend on other objects, and of these others.
var relatedKinds = map[status.Kind]bool{
	{Kind: "Service"}: true, {Kind: "Pod"}: true, {Kind: "Secret"}: true,
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}: true,
	{Group: "networking.k8s.io", Kind: "Ingress"}:      true, {Group: "networking.k8s.io", Kind: "IngressClass"}: true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}: true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:   true,
	{Group: "batch", Kind: "CronJob"}:                                               true, {Group: "batch", Kind: "Job"}: true,
	{Group: "apps", Kind: "Deployment"}: true, {Group: "apps", Kind: "StatefulSet"}: true,
}

// relatedWords are in the texts of all objects of these kinds.
var relatedWords = []string{"Service", "Pod", "Secret", "EndpointSlice", "Ingress", "Job", "Deployment", "StatefulSet", "Webhook"}

// caveatKind matches the kind of an object whose caveats depend on other objects.
var caveatKind = regexp.MustCompile(`kind["']?\s*:\s*["']?(Service|Ingress|CronJob|ValidatingWebhookConfiguration|MutatingWebhookConfiguration)(?:["'\s,}]|$)`)

// Related returns the facts on which the caveats of objects depend. It decodes the documents that may
// have them once more, and keeps only what explanations read.
func (s *Files) Related() *explain.Facts {
	facts := &explain.Facts{Now: s.judge.Evaluator.Now()}
	mayHaveCaveats := func(p manifest.Document) bool { return p.Items != nil || caveatKind.Match(p.Text) }
	if !slices.ContainsFunc(s.Documents, mayHaveCaveats) {
		return facts
	}
	for some := range manifest.InOrder(s.Documents, runtime.GOMAXPROCS(0), s.related) {
		facts.Objects, facts.Events = append(facts.Objects, some.Objects...), append(facts.Events, some.Events...)
	}
	facts.Lists = wholeLists(facts.Objects)
	return facts
}

// related returns the facts of a document on which caveats depend. It changes neither the document
// nor its objects.
func (s *Files) related(p *manifest.Document) (some explain.Facts) {
	if p.Items == nil && !containsAny(p.Text, relatedWords) {
		return some
	}
	var redactor explain.Redactor
	for _, it := range p.Objects() {
		if it.Err != nil {
			continue
		}
		if e, ok := explain.EventFromObject(it.Content); ok && (e.About.Kind.Kind == "CronJob" || e.About.Kind.Kind == "Ingress") {
			some.Events = append(some.Events, redactor.Event(e))
		}
		if !relatedKinds[output.IDOf(it.Content).Kind] {
			continue
		}
		if v := s.judge.Verdict(it.Content); !v.Unjudged {
			some.Objects = append(some.Objects, redactor.Brief(explain.ObjectFact{ID: v.ID, Object: it.Content, Result: v.Result}))
		}
	}
	return some
}

// AddCaveats adds caveats to the verdicts on the objects that have them.
func (s *Files) AddCaveats(all []output.Verdict) {
	s.caveats = map[status.ID]string{}
	for _, v := range all {
		if v.Caveat != "" {
			s.caveats[v.ID] = v.Caveat
		}
	}
}

// wholeKinds are kinds of which files have all objects of a namespace if they have one of them.
var wholeKinds = map[status.Kind]bool{
	{Kind: "Pod"}: true, {Kind: "Service"}: true, {Group: "discovery.k8s.io", Kind: "EndpointSlice"}: true,
	{Group: "networking.k8s.io", Kind: "IngressClass"}: true, {Group: "storage.k8s.io", Kind: "StorageClass"}: true,
	{Group: "apiregistration.k8s.io", Kind: "APIService"}: true, {Group: "gateway.networking.k8s.io", Kind: "GatewayClass"}: true,
}

// wholeLists returns the lists of which the objects of files are all objects.
func wholeLists(objects []explain.ObjectFact) (all []explain.List) {
	known := map[explain.List]bool{}
	for _, o := range objects {
		l := explain.List{Group: o.ID.Group, Kind: o.ID.Kind.Kind, Namespace: o.ID.Namespace}
		if wholeKinds[o.ID.Kind] && !known[l] {
			known[l] = true
			all = append(all, l)
		}
	}
	return all
}
