package contract

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// metadataPatch is the core manager's first write of every object.
var metadataPatch = &Scenario{
	Name:  "metadata-patch",
	Rules: []string{"C-ALL-5"},
	Doc: "Owners and labels are written to objects, in a dry run: to new ones, while their Cluster is paused, and during their " +
		"deletion. No webhook rejects that.",
	run: func(f *fixture) error {
		machines, err := f.createCluster(false, nil)
		if err != nil {
			return err
		}
		if err := f.expectMetadataAccepted(machines, "fresh"); err != nil {
			return err
		}
		if err := f.provision(machines); err != nil {
			return err
		}
		if err := f.pause(f.ctx, machines.cluster, true); err != nil {
			return err
		}
		if err := f.expectMetadataAccepted(machines, "paused"); err != nil {
			return err
		}
		for _, a := range machines.subjects() {
			if err := f.remove(f.ctx, a.Unstructured); err != nil {
				return err
			}
		}
		if err := f.expectMetadataAccepted(machines, "being deleted while paused"); err != nil {
			return err
		}
		return f.pause(f.ctx, machines.cluster, false)
	},
}

// expectMetadataAccepted checks that the provider accepts core's writes. It does not
// check objects that are deleted.
func (f *fixture) expectMetadataAccepted(machines *clusterMachines, state string) error {
	patch := `{"metadata": {"labels": {%q: %q, "kstatus.dev/contract": "x"}, "annotations": {"kstatus.dev/contract": "x"}}}`
	for _, s := range machines.subjects() {
		resource, err := f.env.resource(s.GroupVersionKind())
		if err != nil {
			return err
		}
		_, err = resource.Patch(f.ctx, s.GetName(), types.MergePatchType, fmt.Appendf(nil, patch, clusterNameLabel, machines.cluster.GetName()),
			metav1.PatchOptions{FieldManager: manager, DryRun: []string{metav1.DryRunAll}})
		switch {
		case err == nil, apierrors.IsNotFound(err):
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		default:
			f.report("C-ALL-5", s, "a patch of labels and annotations is rejected while it is %s: %v", state, err)
		}
	}
	return nil
}
