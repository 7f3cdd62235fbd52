package preflight

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/decoded"
)

// providers is the inventory that clusterctl keeps of the installed providers.
var providers = schema.GroupVersionResource{Group: "clusterctl.cluster.x-k8s.io", Version: "v1alpha3", Resource: "providers"}

// checkProviders compares the providers that clusterctl has installed. Without its inventory in
// the source, the definitions alone are compared.
func (c *Checks) checkProviders(ctx context.Context) error {
	source, err := listProviders(ctx, c.Source)
	if err != nil || len(source) == 0 {
		return err
	}
	target, err := listProviders(ctx, c.Target)
	if err != nil {
		return err
	}
	for name, want := range source {
		p := plan.Problem{Check: "providers", Severity: severity.Error, Accept: "providers"}
		have, installed := target[name]
		switch {
		case !installed:
			p.Message = fmt.Sprintf("provider %s %s is not installed in the target", name, want)
			p.Fix = "clusterctl init"
		case isOlder(have, want):
			p.Message = fmt.Sprintf("provider %s is %s in the target, older than %s in the source", name, have, want)
			p.Fix = "clusterctl upgrade apply"
		default:
			continue
		}
		c.add(p)
	}
	return nil
}

// listProviders returns the versions of the installed providers by type and name.
func listProviders(ctx context.Context, client *management.Client) (map[string]string, error) {
	list, err := client.Objects.Resource(providers).List(ctx, metav1.ListOptions{})
	switch {
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("list providers: %w", err)
	}
	all := map[string]string{}
	for _, item := range list.Items {
		all[decoded.Text(item.Object, "type")+"/"+decoded.Text(item.Object, "providerName")] = decoded.Text(item.Object, "version")
	}
	return all, nil
}

// isOlder compares versions. Versions that cannot be parsed are never older.
func isOlder(have, want string) bool {
	h, err := version.ParseSemantic(have)
	if err != nil {
		return false
	}
	w, err := version.ParseSemantic(want)
	return err == nil && h.LessThan(w)
}

// checkState checks what the objects of the source show.
func (c *Checks) checkState(context.Context) error {
	for _, i := range c.Inventory.Plan.Selected() {
		o := c.Inventory.Objects[i]
		c.checkReadiness(i, o)
		c.checkPause(i, o)
		if _, blocked := o.GetAnnotations()[management.BlockMoveAnnotation]; blocked {
			c.add(plan.Problem{
				Check: "block-move", Severity: severity.Info, Object: i.Key(),
				Message: "it has the annotation block-move; the move waits until its controller removes it",
			})
		}
		if missing := planner.MissingIdentity(o); missing != "" {
			c.add(plan.Problem{
				Check: planner.AcceptMissingIdentity, Severity: severity.Error, Object: i.Key(), Accept: planner.AcceptMissingIdentity,
				Message: fmt.Sprintf("it is provisioned, but %s is empty, so the target would provision it again", missing),
			})
		}
	}
	return nil
}

// checkPause checks that no other move has paused an object.
func (c *Checks) checkPause(i *plan.Item, o *management.Object) {
	if move := management.ReadPauseRecord(o.GetAnnotations()).Move(); move != "" && move != c.Move {
		c.add(plan.Problem{
			Check: "other-move", Severity: severity.Error, Object: i.Key(),
			Message: fmt.Sprintf("move %s has paused it, and is not complete", move), Fix: "resume that move, or roll it back",
		})
	}
}

// checkReadiness checks that Clusters and Machines are provisioned: what is being created may
// change while it is moved.
func (c *Checks) checkReadiness(i *plan.Item, o *management.Object) {
	if i.Decision != plan.Move {
		return
	}
	p := plan.Problem{Check: "not-ready", Severity: severity.Error, Object: i.Key(), Accept: "not-ready", Fix: "wait until it is ready"}
	switch o.Kind.GroupKind() {
	case management.Cluster:
		switch {
		case !isTrue(o, "infrastructureProvisioned", "infrastructureReady"):
			p.Message = "its infrastructure is not provisioned yet"
		case !isTrue(o, "controlPlaneInitialized", "controlPlaneReady"):
			p.Message = "its control plane is not initialized yet"
		default:
			return
		}
	case management.Machine:
		switch {
		case decoded.Text(o.Object, "status", "nodeRef", "name") != "":
			return
		case decoded.Text(o.Object, "status", "phase") == "Failed":
			p.Severity, p.Fix = severity.Warning, ""
			p.Message = "it has failed, and has no Node"
		default:
			p.Message = "it has no Node yet"
		}
	default:
		return
	}
	c.add(p)
}

// isTrue reports whether a field of status.initialization, or its predecessor in v1beta1, is true.
func isTrue(o *management.Object, field, old string) bool {
	return decoded.Bool(o.Object, "status", "initialization", field) || decoded.Bool(o.Object, "status", old)
}
