package gallery

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/test/lib/poll"
)

// waitForFaults waits until the controllers, the scheduler and the kubelets have written all of a
// fault. The steps of a situation wait only for a part of it. For example, a Deployment counts
// unavailable replicas before their Pods exist.
func (p *Player) waitForFaults(ctx context.Context) error {
	return poll.Until(ctx, func() error {
		pods, err := p.client.CoreV1().Pods(p.Namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		owned := map[types.UID]int{} // Pods by their controllers
		for i := range pods.Items {
			if err := checkPod(&pods.Items[i]); err != nil {
				return err
			}
			if owner := metav1.GetControllerOf(&pods.Items[i]); owner != nil && pods.Items[i].DeletionTimestamp == nil {
				owned[owner.UID]++
			}
		}
		for _, check := range []func(context.Context, map[types.UID]int) error{p.checkReplicaSets, p.checkStatefulSets, p.checkDaemonSets} {
			if err := check(ctx, owned); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkPod returns an error while a Pod is neither bound nor reported as unschedulable. It also does
// while a Pod with a simulated fault has no status of its kubelet.
func checkPod(pod *corev1.Pod) error {
	unscheduled := slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse
	})
	switch {
	case unscheduled:
		return nil
	case pod.Spec.NodeName == "":
		return fmt.Errorf("no status of the scheduler at Pod %s", pod.Name)
	case pod.Annotations["kstatus.dev/pod"] != "" && pod.Status.StartTime == nil:
		return fmt.Errorf("no status of a kubelet at Pod %s", pod.Name)
	}
	return nil
}

// checkReplicaSets returns an error while a ReplicaSet or its Deployment does not count all Pods. One
// that cannot create Pods must have an event. Its controller writes the event after the status, and
// from another goroutine.
func (p *Player) checkReplicaSets(ctx context.Context, pods map[types.UID]int) error {
	sets, err := p.client.AppsV1().ReplicaSets(p.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	counted := map[types.UID]int32{} // Pods by Deployments
	for i := range sets.Items {
		set := &sets.Items[i]
		if owner := metav1.GetControllerOf(set); owner != nil {
			counted[owner.UID] += set.Status.Replicas
		}
		refused := slices.ContainsFunc(set.Status.Conditions, func(c appsv1.ReplicaSetCondition) bool {
			return c.Type == appsv1.ReplicaSetReplicaFailure && c.Status == corev1.ConditionTrue
		})
		if refused {
			if err := p.checkRefusal(ctx, "ReplicaSet", set.Name); err != nil {
				return err
			}
			continue
		}
		if want := int(*set.Spec.Replicas); pods[set.UID] != want || int(set.Status.Replicas) != want {
			return fmt.Errorf("ReplicaSet %s has %d Pods and counts %d, want %d", set.Name, pods[set.UID], set.Status.Replicas, want)
		}
	}
	deployments, err := p.client.AppsV1().Deployments(p.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range deployments.Items {
		if d := &deployments.Items[i]; d.Status.ObservedGeneration != d.Generation || d.Status.Replicas != counted[d.UID] {
			return fmt.Errorf("deployment %s counts %d Pods in generation %d, want %d in %d",
				d.Name, d.Status.Replicas, d.Status.ObservedGeneration, counted[d.UID], d.Generation)
		}
	}
	return nil
}

// checkStatefulSets returns an error while a StatefulSet does not count its Pods.
func (p *Player) checkStatefulSets(ctx context.Context, pods map[types.UID]int) error {
	sets, err := p.client.AppsV1().StatefulSets(p.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range sets.Items {
		if set := &sets.Items[i]; set.Status.ObservedGeneration != set.Generation || int(set.Status.Replicas) != pods[set.UID] {
			return fmt.Errorf("StatefulSet %s counts %d Pods in generation %d, want %d in %d",
				set.Name, set.Status.Replicas, set.Status.ObservedGeneration, pods[set.UID], set.Generation)
		}
	}
	return nil
}

// checkDaemonSets returns an error while a DaemonSet has too few Pods, and no event that it cannot
// create them.
func (p *Player) checkDaemonSets(ctx context.Context, pods map[types.UID]int) error {
	sets, err := p.client.AppsV1().DaemonSets(p.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range sets.Items {
		set := &sets.Items[i]
		if have := pods[set.UID]; set.Status.ObservedGeneration == set.Generation && have == int(set.Status.DesiredNumberScheduled) && have == int(set.Status.CurrentNumberScheduled) {
			continue
		}
		if err := p.checkRefusal(ctx, "DaemonSet", set.Name); err != nil {
			return err
		}
	}
	return nil
}

// checkRefusal returns an error while no event reports that a controller cannot create Pods.
func (p *Player) checkRefusal(ctx context.Context, kind, name string) error {
	events, err := p.client.CoreV1().Events(p.Namespace).List(ctx, metav1.ListOptions{
		FieldSelector: "reason=FailedCreate,involvedObject.kind=" + kind + ",involvedObject.name=" + name})
	if err == nil && len(events.Items) == 0 {
		err = fmt.Errorf("no event about the Pods that %s %s does not have", kind, name)
	}
	return err
}
