package rack

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// configs reconciles RackConfigs: each gets a Secret of its name.
type configs struct{ client.Client }

// Reconcile creates the Secret of a RackConfig.
func (r *configs) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	o, err := get(ctx, r, configKind, req.Namespace, req.Name)
	if o == nil || o.GetDeletionTimestamp() != nil {
		return reconcile.Result{}, err
	}
	cluster, err := get(ctx, r, clusterKind, req.Namespace, o.GetLabels()[clusterNameLabel])
	if err != nil || cluster == nil {
		return reconcile.Result{}, err
	}
	if isPaused(cluster, o) {
		return reconcile.Result{}, writePaused(ctx, r, o)
	}
	if field(cluster, "status", "initialization", "infrastructureProvisioned") != true {
		return reconcile.Result{}, nil
	}
	if err := createSecret(ctx, r, o, cluster, o.GetName(), []byte("#cloud-config\n")); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, writeStatus(ctx, r, o, map[string]any{
		"dataSecretName": o.GetName(),
		"initialization": map[string]any{"dataSecretCreated": true},
		"conditions":     []any{condition(o, "Paused", false, "NotPaused"), condition(o, "Ready", true, "Ready")},
	})
}
