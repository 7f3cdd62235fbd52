package readers

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
)

// revision is the annotation that numbers the ReplicaSets of a Deployment.
const revision = "deployment.kubernetes.io/revision"

// currentPods returns the Pods of the latest ReplicaSet of a Deployment.
func currentPods(deployment *unstructured.Unstructured, sets event.ResourceStatuses) event.ResourceStatuses {
	for _, rs := range sets {
		if rs.Resource != nil && metav1.IsControlledBy(rs.Resource, deployment) &&
			rs.Resource.GetAnnotations()[revision] == deployment.GetAnnotations()[revision] {
			return ownPods(rs.Resource, rs.GeneratedResources)
		}
	}
	return nil
}

// ownPods returns the Pods that a workload controls and that are not being deleted.
func ownPods(owner *unstructured.Unstructured, pods event.ResourceStatuses) (own event.ResourceStatuses) {
	for _, p := range pods {
		if p.Resource != nil && p.Resource.GetDeletionTimestamp() == nil && metav1.IsControlledBy(p.Resource, owner) {
			own = append(own, p)
		}
	}
	return own
}

// addProblem adds the worst problem of the Pods to the status of a workload that is not Current.
// The problem decides only about a workload in progress.
func addProblem(rs *event.ResourceStatus, pods event.ResourceStatuses) {
	if rs.Status != status.InProgressStatus && rs.Status != status.FailedStatus {
		return
	}
	worst, count := worstPod(pods)
	if worst == nil {
		return
	}
	reason, text := cutReason(worst.Message)
	_, own := cutReason(rs.Message)
	if rs.Status == status.InProgressStatus && worst.Status == status.FailedStatus {
		rs.Status = status.FailedStatus
	}
	rs.Message = fmt.Sprintf("[%s] %s: Pod %s: %s", reason, strings.TrimSuffix(own, "."), worst.Identifier.Name, text)
	if count > 1 {
		rs.Message = fmt.Sprintf("[%s] %s: %d Pods, such as %s: %s", reason, strings.TrimSuffix(own, "."), count, worst.Identifier.Name, text)
	}
}

// ordinary are the reasons of Pods that start without a problem.
var ordinary = map[string]bool{"": true, "NotReady": true, "Progressing": true, "Pending": true, "ContainerCreating": true, "NotScheduled": true, "Starting": true, "PodPending": true, "PodInitializing": true}

// worstPod returns the first Pod that has failed, or otherwise the first with a problem, and how
// many Pods have the same problem.
func worstPod(pods event.ResourceStatuses) (worst *event.ResourceStatus, count int) {
	for _, p := range pods {
		reason, _ := cutReason(p.Message)
		if p.Status != status.FailedStatus && (p.Status != status.InProgressStatus || ordinary[reason]) {
			continue
		}
		if worst == nil || p.Status == status.FailedStatus && worst.Status != status.FailedStatus {
			worst = p
		}
	}
	if worst == nil {
		return nil, 0
	}
	reason, _ := cutReason(worst.Message)
	for _, p := range pods {
		if same, _ := cutReason(p.Message); same == reason && p.Status == worst.Status {
			count++
		}
	}
	return worst, count
}

// cutReason splits a message into the reason in brackets and the text.
func cutReason(message string) (reason, text string) {
	if rest, ok := strings.CutPrefix(message, "["); ok {
		if reason, text, ok = strings.Cut(rest, "] "); ok {
			return reason, text
		}
	}
	return "", message
}
