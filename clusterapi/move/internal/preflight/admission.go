package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
)

// isRejection reports whether the server has refused a request because of its content or its user.
func isRejection(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsInternalError(err) || apierrors.IsNotAcceptable(err)
}

// rejection returns the problem of an object that the target has refused in a dry run. A webhook
// with side effects refuses every dry run, which shows nothing.
func rejection(i *plan.Item, err error) plan.Problem {
	if apierrors.IsBadRequest(err) && strings.Contains(err.Error(), "does not support dry run") {
		return plan.Problem{Check: "admission", Severity: severity.Warning, Object: i.Key(), Message: "the target cannot tell whether it accepts it: " + err.Error()}
	}
	return plan.Problem{Check: "admission", Severity: severity.Error, Object: i.Key(), Message: "the target rejects it: " + err.Error()}
}

// admissions are the resources of what a server may ask before it deletes an object.
var admissions = []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies"}

// deletionRules returns the rules of all webhooks and policies of the source. It reports false if it
// may not read them, or the source is too old to have one of these resources.
func (c *Checks) deletionRules(ctx context.Context) (rules []any, known bool) {
	for _, name := range admissions {
		r := schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: name}
		list, err := c.Source.Objects.Resource(r).List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, false
		}
		for i := range list.Items {
			for _, webhook := range decoded.Maps(list.Items[i].Object, "webhooks") {
				rules = append(rules, decoded.List(webhook, "rules")...)
			}
			rules = append(rules, decoded.List(list.Items[i].Object, "spec", "matchConstraints", "resourceRules")...)
		}
	}
	return rules, true
}

// isAboutDeletion reports whether a rule may select the deletion of an object of a kind. It ignores
// the version, since a rule for one selects all of them.
func isAboutDeletion(rule any, k *management.Kind) bool {
	r, _ := rule.(map[string]any)
	has := func(field string, wanted ...any) bool {
		return slices.ContainsFunc(decoded.List(r, field), func(v any) bool { return slices.Contains(wanted, v) })
	}
	return has("operations", "DELETE", "*") && has("apiGroups", k.Group, "*") && has("resources", k.Resource, k.Resource+"/*", "*", "*/*")
}

// checkDeletion deletes each object of the source that moves, as a dry run, if a webhook or a policy
// may refuse that. A refusal is only a warning, because a webhook may allow the deletion of an object
// with the mark. Core refuses to delete a ClusterClass as long as its Clusters exist.
func (c *Checks) checkDeletion(ctx context.Context) error {
	rules, known := c.deletionRules(ctx)
	items := slices.DeleteFunc(c.Inventory.Plan.Selected(), func(i *plan.Item) bool {
		k := c.Inventory.Objects[i].Kind
		mayBeRefused := !known || slices.ContainsFunc(rules, func(rule any) bool { return isAboutDeletion(rule, k) })
		return i.Decision != plan.Move || k.GroupKind() == management.ClusterClass || !mayBeRefused
	})
	errs := make([]error, len(items))
	crash.Each(len(items), c.Concurrency, func(n int) {
		i, o := items[n], c.Inventory.Objects[items[n]]
		uid := o.GetUID()
		err := c.Source.Resource(o.Kind, i.Namespace).Delete(ctx, i.Name, metav1.DeleteOptions{
			DryRun: []string{metav1.DryRunAll}, Preconditions: &metav1.Preconditions{UID: &uid},
		})
		switch {
		case err == nil, apierrors.IsNotFound(err), apierrors.IsConflict(err):
		case isRejection(err):
			c.add(plan.Problem{
				Check: "deletion", Severity: severity.Warning, Object: i.Key(), Message: "the source rejects its deletion: " + err.Error(),
				Fix: "make sure that the webhook allows it with the annotation " + management.DeleteForMoveAnnotation,
			})
		default:
			errs[n] = fmt.Errorf("dry run of the deletion of %s: %w", i.Key(), err)
		}
	})
	return errors.Join(errs...)
}
