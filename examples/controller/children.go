package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The label of all Deployments that this controller creates.
const managedBy, controllerName = "app.kubernetes.io/managed-by", "site-controller"

// Children watches the Deployments of all Sites with one watch. When the status of one changes,
// it sends an event with its Site. No worker of the controller ever waits.
type children struct {
	client  *source.Client
	changed chan event.GenericEvent

	mu   sync.Mutex
	last map[types.NamespacedName]observe.Update // the last status of each Deployment
}

// Start watches the Deployments until ctx ends. The manager calls it.
func (c *children) Start(ctx context.Context) error {
	watcher := observe.Watcher{Source: &source.Cluster{Client: c.client}}
	deployments := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, LabelSelector: managedBy + "=" + controllerName}
	for u, err := range watcher.Updates(ctx, deployments) {
		switch {
		case err != nil:
			return err
		case !u.Target.IsSelection():
			c.put(u)
			site := &Site{ObjectMeta: metav1.ObjectMeta{Namespace: u.Target.Namespace, Name: u.Target.Name}}
			c.changed <- event.GenericEvent{Object: site}
		case u.Err != nil:
			fmt.Fprintln(os.Stderr, "controller:", u.Err) // for example Forbidden; the watch continues
		}
	}
	return nil
}

func (c *children) put(u observe.Update) {
	key := types.NamespacedName{Namespace: u.Target.Namespace, Name: u.Target.Name}
	c.mu.Lock()
	defer c.mu.Unlock()
	if u.Removed {
		delete(c.last, key)
		return
	}
	c.last[key] = u
}

// status returns the status of a Deployment, if it is about the latest spec.
func (c *children) status(deployment *appsv1.Deployment) (u observe.Update, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u = c.last[types.NamespacedName{Namespace: deployment.Namespace, Name: deployment.Name}]
	return u, u.Version.UID == string(deployment.UID) && u.Version.Generation >= deployment.Generation
}
