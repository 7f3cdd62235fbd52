package explain

import (
	"regexp"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/status"
)

// Errors of the API server, as controllers repeat them in conditions and events.
var (
	webhookFailed        = regexp.MustCompile(`failed calling webhook "([^"]{1,253})"(?:, [^:]{1,100})?: (.+)`)
	conversionFailed     = regexp.MustCompile(`conversion webhook for ([A-Za-z0-9./=, -]{1,300}) failed: (.+)`)
	webhookHost          = regexp.MustCompile(`https?://([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc[:/"]`)
	kindUnmatched        = regexp.MustCompile(`no matches for kind "([A-Za-z0-9]{1,100})" in versions? \[?"([A-Za-z0-9./-]{1,300})"`)
	budgetMessage        = regexp.MustCompile(`disruption budget ([a-z0-9.-]{1,253}) needs ([0-9]+) healthy pods and has ([0-9]+) currently`)
	namespaceMissing     = regexp.MustCompile(`namespaces "([a-z0-9-]{1,63})" not found`)
	namespaceTerminating = regexp.MustCompile(`unable to create new content in namespace ([a-z0-9-]{1,63}) because it is being terminated`)
)

// apiErrors returns a finding for each distinct error of the API server that a controller
// repeats.
func apiErrors(o *object) (all []finding) {
	seen := map[string]bool{}
	for s := range o.statements() {
		f, next := parseAPIError(s)
		if f.kind == "" || seen[f.kind+f.text] {
			continue
		}
		seen[f.kind+f.text] = true
		f.evidence = []Evidence{s.evidence()}
		if to := o.index.find(o.calledService(s)); to != nil && to.Object == nil && to.Result.Status == status.NotFoundStatus {
			f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: to.ID, Value: "not found"})
		}
		if len(next) > 0 {
			f.next = []string{commandForAll(o.ID, next...)}
		}
		all = append(all, f)
	}
	return all
}

// parseAPIError reads one statement. It also returns the words of a command that shows
// more. The finding has no kind if the statement is not a known error.
func parseAPIError(s statement) (f finding, next []kubectl.Word) {
	if expiredWords.MatchString(s.text) {
		return f, nil // certificateError explains it better
	}
	if m := webhookFailed.FindStringSubmatch(s.text); m != nil {
		f.kind, f.text = "WebhookUnavailable", "webhook "+m[1]+" cannot be called: "+withoutCall(m[2])
		return f, []kubectl.Word{"get", "validatingwebhookconfigurations,mutatingwebhookconfigurations"}
	}
	if m := conversionFailed.FindStringSubmatch(s.text); m != nil {
		f.kind, f.text = "WebhookUnavailable", "the conversion webhook of "+m[1]+" cannot be called: "+withoutCall(m[2])
		return f, nil
	}
	if m := kindUnmatched.FindStringSubmatch(s.text); m != nil {
		f.kind, f.text = "KindNotServed", "the cluster does not serve "+m[1]+" in "+m[2]
		return f, []kubectl.Word{"api-resources", kubectl.Word("--api-group=").With(kubectl.Group(groupOf(m[2])))}
	}
	if m := namespaceMissing.FindStringSubmatch(s.text); m != nil {
		f.kind, f.text = "NamespaceMissing", "namespace "+m[1]+" does not exist"
		return f, []kubectl.Word{"create", "namespace", kubectl.Label(m[1])}
	}
	if m := budgetMessage.FindStringSubmatch(s.text); m != nil {
		f.kind, f.text = "EvictionBlocked", "PodDisruptionBudget "+m[1]+" allows no eviction: it needs "+m[2]+" healthy Pods and has "+m[3]
		return f, nil
	}
	if m := namespaceTerminating.FindStringSubmatch(s.text); m != nil {
		f.kind, f.text = "NamespaceTerminating", "namespace "+m[1]+" is being deleted, so no object can be created in it"
	}
	return f, nil
}

// withoutCall removes the called method and URL from an error, and keeps the cause.
func withoutCall(text string) string {
	text = strings.TrimPrefix(text, "failed to call webhook: ")
	if rest, ok := strings.CutPrefix(text, `Post "`); ok {
		if _, after, ok := strings.Cut(rest, `": `); ok {
			return after
		}
	}
	return text
}

// calledService returns the Service that was called, if the statement names one.
func (o *object) calledService(s statement) (id status.ID) {
	if m := webhookHost.FindStringSubmatch(s.text); m != nil {
		return o.refer(service, m[2], m[1])
	}
	return id
}

// statementRefs returns the objects that block a controller, as named in its messages. Such an
// object is the Service of a webhook, a budget, a namespace that is being deleted, or the definition
// of a kind.
func statementRefs(o *object) (all []objectRef) {
	for s := range o.statements() {
		switch {
		case webhookFailed.MatchString(s.text) || conversionFailed.MatchString(s.text):
			if to := o.calledService(s); to.Name != "" {
				all = append(all, objectRef{ID: to, FollowCurrent: true, Optional: true})
			}
		case budgetMessage.MatchString(s.text):
			m := budgetMessage.FindStringSubmatch(s.text)
			all = append(all, objectRef{ID: o.refer(budget, o.ID.Namespace, m[1]), FollowCurrent: true, Optional: true})
		case namespaceTerminating.MatchString(s.text):
			m := namespaceTerminating.FindStringSubmatch(s.text)
			all = append(all, objectRef{ID: o.refer(namespace, "", m[1]), Optional: true})
		}
	}
	return all
}
