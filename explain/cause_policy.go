package explain

import "kstatus.dev/status"

var (
	signingRequest = status.Kind{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}
	quota          = status.Kind{Kind: "ResourceQuota"}
	budget         = status.Kind{Group: "policy", Kind: "PodDisruptionBudget"}
)

// unsigned tells whom a request for a certificate waits for.
func unsigned(n *node) []found {
	if n.has("status.certificate") || n.has("status.conditions[Denied]") || n.has("status.conditions[Failed]") {
		return nil
	}
	signer := n.fields.evidence("spec.signerName")
	if !n.has("status.conditions[Approved]") {
		return []found{{
			kind: "ApprovalPending", text: "nobody has approved it", evidence: []Evidence{signer, n.fields.evidence("status.conditions")},
			next: []string{n.everywhere("certificate approve " + bounded(n.ID.Name))},
		}}
	}
	return []found{{kind: "ControllerSilent", text: "it is approved, and its signer " + signer.Value + " has not signed it", evidence: []Evidence{signer, n.fields.evidence("status.certificate")}}}
}

// quotaExhausted tells what a quota leaves nothing of.
func quotaExhausted(n *node) (all []found) {
	hard := n.labels("status.hard")
	for _, what := range sortedKeys(hard) {
		if text := n.text("status.used[" + what + "]"); text == "" || text != hard[what] || text == "0" {
			continue
		}
		all = append(all, found{
			kind: "QuotaExhausted", text: "quota " + n.called() + " has no " + bounded(what) + " left: " + bounded(hard[what]) + " are used",
			evidence: []Evidence{n.fields.evidence("status.hard[" + what + "]"), n.fields.evidence("status.used[" + what + "]")},
			next:     []string{n.kubectl("describe resourcequota " + n.ID.Name)},
		})
	}
	return all
}

// evictionBlocked tells that a budget lets no Pod be evicted.
func evictionBlocked(n *node) []found {
	if n.whole("status.disruptionsAllowed", 0) > 0 || n.whole("status.expectedPods", 0) == 0 {
		return nil
	}
	return []found{{
		kind: "EvictionBlocked", text: "budget " + n.called() + " lets no Pod be evicted",
		evidence: []Evidence{n.fields.evidence("status.disruptionsAllowed"), n.fields.evidence("status.currentHealthy"), n.fields.evidence("status.desiredHealthy")},
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
	return n.whole("status.currentHealthy", 0) < n.whole("status.desiredHealthy", 0) &&
		len(n.labels("spec.selector.matchLabels")) > 0 && !n.has("spec.selector.matchExpressions")
}
