package explain

import (
	"slices"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var (
	signingRequest = status.Kind{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}
	quota          = status.Kind{Kind: "ResourceQuota"}
	budget         = status.Kind{Group: "policy", Kind: "PodDisruptionBudget"}
)

// requestNotSigned finds which signer or approver a CertificateSigningRequest waits for.
func requestNotSigned(o *object) []finding {
	if o.Has("status.certificate") || o.Has("status.conditions[Denied]") || o.Has("status.conditions[Failed]") {
		return nil
	}
	signer := o.evidence("spec.signerName")
	if !o.Has("status.conditions[Approved]") {
		return []finding{{
			kind: "ApprovalPending", text: "it has not been approved", evidence: []Evidence{signer, o.evidence("status.conditions")},
			next: []string{commandForAll(o.ID, "certificate", "approve", kubectl.Name(o.ID.Name))},
		}}
	}
	return []finding{{kind: "ControllerSilent", text: "it is approved, but signer " + signer.Value + " has not signed it", evidence: []Evidence{signer, o.evidence("status.certificate")}}}
}

// quotaExhausted finds which resources of a quota are used up.
func quotaExhausted(o *object) (all []finding) {
	hard := o.Labels("status.hard")
	for _, what := range fields.Keys(hard) {
		if text := o.Text("status.used[" + what + "]"); text == "" || text != hard[what] || text == "0" {
			continue
		}
		all = append(all, finding{
			kind: "QuotaExhausted", text: "ResourceQuota " + o.fullName() + " has no " + show.Line(what) + " left: all " + show.Line(hard[what]) + " are used",
			evidence: []Evidence{o.evidence("status.hard[" + what + "]"), o.evidence("status.used[" + what + "]")},
			next:     []string{commandFor(o.ID, "describe", "resourcequota", kubectl.Name(o.ID.Name))},
		})
	}
	return all
}

// evictionBlocked finds that a PodDisruptionBudget allows no eviction.
func evictionBlocked(o *object) []finding {
	if o.Int("status.disruptionsAllowed", 0) > 0 || o.Int("status.expectedPods", 0) == 0 {
		return nil
	}
	return []finding{{
		kind: "EvictionBlocked", text: "PodDisruptionBudget " + o.fullName() + " allows no eviction",
		evidence: []Evidence{o.evidence("status.disruptionsAllowed"), o.evidence("status.currentHealthy"), o.evidence("status.desiredHealthy")},
		next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
	}}
}

// budgetLists returns the list of the Pods of a budget, if too few of them are healthy.
func budgetLists(o *object) []List {
	if !o.lacksHealthyPods() {
		return nil
	}
	return []List{o.selectedBy("spec.selector.matchLabels")}
}

// lacksHealthyPods reports whether a budget has too few healthy Pods.
func (o *object) lacksHealthyPods() bool {
	return o.Int("status.currentHealthy", 0) < o.Int("status.desiredHealthy", 0) && o.Has("spec.selector")
}

// budgetPods returns the known living Pods that a budget selects.
func (o *object) budgetPods() []*object {
	return slices.DeleteFunc(o.index.livePods(o.selectedBy("spec.selector.matchLabels")), func(p *object) bool {
		return !podspec.Selects(o.Under("spec.selector").Section, p.Labels("metadata.labels"))
	})
}
