package explain

import (
	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var (
	signingRequest = status.Kind{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}
	quota          = status.Kind{Kind: "ResourceQuota"}
	budget         = status.Kind{Group: "policy", Kind: "PodDisruptionBudget"}
)

// unsigned tells whom a request for a certificate waits for.
func unsigned(n *node) []found {
	if n.Has("status.certificate") || n.Has("status.conditions[Denied]") || n.Has("status.conditions[Failed]") {
		return nil
	}
	signer := n.evidence("spec.signerName")
	if !n.Has("status.conditions[Approved]") {
		return []found{{
			kind: "ApprovalPending", text: "nobody has approved it", evidence: []Evidence{signer, n.evidence("status.conditions")},
			next: []string{n.everywhere("certificate approve " + show.Line(n.ID.Name))},
		}}
	}
	return []found{{kind: "ControllerSilent", text: "it is approved, and its signer " + signer.Value + " has not signed it", evidence: []Evidence{signer, n.evidence("status.certificate")}}}
}

// quotaExhausted tells what a quota leaves nothing of.
func quotaExhausted(n *node) (all []found) {
	hard := n.Labels("status.hard")
	for _, what := range fields.Keys(hard) {
		if text := n.Text("status.used[" + what + "]"); text == "" || text != hard[what] || text == "0" {
			continue
		}
		all = append(all, found{
			kind: "QuotaExhausted", text: "quota " + n.called() + " has no " + show.Line(what) + " left: " + show.Line(hard[what]) + " are used",
			evidence: []Evidence{n.evidence("status.hard[" + what + "]"), n.evidence("status.used[" + what + "]")},
			next:     []string{n.kubectl("describe resourcequota " + n.ID.Name)},
		})
	}
	return all
}

// evictionBlocked tells that a budget lets no Pod be evicted.
func evictionBlocked(n *node) []found {
	if n.Int("status.disruptionsAllowed", 0) > 0 || n.Int("status.expectedPods", 0) == 0 {
		return nil
	}
	return []found{{
		kind: "EvictionBlocked", text: "budget " + n.called() + " lets no Pod be evicted",
		evidence: []Evidence{n.evidence("status.disruptionsAllowed"), n.evidence("status.currentHealthy"), n.evidence("status.desiredHealthy")},
	}}
}

// budgetLists are the Pods of a budget, if too few of them are healthy.
func budgetLists(n *node) []List {
	if !n.short() {
		return nil
	}
	return []List{n.selectedBy("spec.selector.matchLabels")}
}

// short reports whether fewer Pods are healthy than a budget needs, and its
// selector is one of labels alone.
func (n *node) short() bool {
	return n.Int("status.currentHealthy", 0) < n.Int("status.desiredHealthy", 0) &&
		len(n.Labels("spec.selector.matchLabels")) > 0 && !n.Has("spec.selector.matchExpressions")
}
