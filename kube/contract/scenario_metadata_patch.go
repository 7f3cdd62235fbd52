package contract

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// metadataPatch is what the core manager does to every object before it reads anything.
var metadataPatch = &Scenario{
	Name:  "metadata-patch",
	Rules: []string{"C-ALL-5"},
	Doc: "Owners and labels are written to objects, in a dry run: to fresh ones, while their Cluster is paused, and while they are " +
		"being deleted. No webhook rejects that.",
	play: func(s *fixture) error {
		f, err := s.createCluster(false, nil)
		if err != nil {
			return err
		}
		if err := s.acceptMetadata(f, "fresh"); err != nil {
			return err
		}
		if err := s.provision(f); err != nil {
			return err
		}
		if err := s.pause(s.ctx, f.cluster, true); err != nil {
			return err
		}
		if err := s.acceptMetadata(f, "paused"); err != nil {
			return err
		}
		for _, a := range f.subjects() {
			if err := s.remove(s.ctx, a.Unstructured); err != nil {
				return err
			}
		}
		if err := s.acceptMetadata(f, "being deleted while paused"); err != nil {
			return err
		}
		return s.pause(s.ctx, f.cluster, false)
	},
}

// acceptMetadata holds the provider to accepting what core writes. An object that is gone accepts nothing.
func (s *fixture) acceptMetadata(f *clusterMachines, state string) error {
	patch := `{"metadata": {"labels": {%q: %q, "kstatus.dev/contract": "x"}, "annotations": {"kstatus.dev/contract": "x"}}}`
	for _, subj := range f.subjects() {
		resource, err := s.env.resource(subj.GroupVersionKind())
		if err != nil {
			return err
		}
		_, err = resource.Patch(s.ctx, subj.GetName(), types.MergePatchType, fmt.Appendf(nil, patch, clusterNameLabel, f.cluster.GetName()),
			metav1.PatchOptions{FieldManager: manager, DryRun: []string{metav1.DryRunAll}})
		switch {
		case err == nil, apierrors.IsNotFound(err):
		case s.ctx.Err() != nil:
			return context.Cause(s.ctx)
		default:
			s.report("C-ALL-5", subj, "a patch of labels and annotations is rejected while it is %s: %v", state, err)
		}
	}
	return nil
}
