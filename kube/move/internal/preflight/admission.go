package preflight

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/plan"
	"kstatus.dev/severity"
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

// checkDeletion deletes each object of the source that moves, as a dry run. A refusal is only a
// warning, because a webhook may allow the deletion of an object with the mark. Core refuses to
// delete a ClusterClass as long as its Clusters exist.
func (c *Checks) checkDeletion(ctx context.Context) error {
	items := c.Inventory.Plan.Selected()
	errs := make([]error, len(items))
	clusterapi.Each(len(items), c.Concurrency, func(n int) {
		i, o := items[n], c.Inventory.Objects[items[n]]
		if i.Decision != plan.Move || o.Kind.GroupKind() == clusterapi.ClusterClass {
			return
		}
		uid := o.GetUID()
		err := c.Source.Resource(o.Kind, i.Namespace).Delete(ctx, i.Name, metav1.DeleteOptions{
			DryRun: []string{metav1.DryRunAll}, Preconditions: &metav1.Preconditions{UID: &uid},
		})
		switch {
		case err == nil, apierrors.IsNotFound(err), apierrors.IsConflict(err):
		case isRejection(err):
			c.add(plan.Problem{
				Check: "deletion", Severity: severity.Warning, Object: i.Key(), Message: "the source rejects its deletion: " + err.Error(),
				Fix: "make sure that the webhook allows it with the annotation " + clusterapi.DeleteForMoveAnnotation,
			})
		default:
			errs[n] = fmt.Errorf("dry run of the deletion of %s: %w", i.Key(), err)
		}
	})
	return errors.Join(errs...)
}
