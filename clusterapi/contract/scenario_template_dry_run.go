package contract

import (
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/decoded"
)

// templateDryRun is the dry run by which the topology controller compares
// templates.
var templateDryRun = &Scenario{
	Name:  "template-dry-run",
	Rules: []string{"C-IM-8"},
	Doc: "A machine template is changed in a dry run with the annotation topology.cluster.x-k8s.io/dry-run, as the topology controller does: " +
		"that is accepted. Without the dry run it is rejected, because templates are immutable.",
	lacks: func(p Provider) string {
		switch {
		case p.InfraMachineTemplate == nil:
			return "the provider has no InfraMachineTemplate"
		case p.TemplatePatch == "":
			return "the provider has no TemplatePatch"
		}
		return ""
	},
	run: func(f *fixture) error {
		a := f.newSubject(infraTemplate, f.env.provider.InfraMachineTemplate)
		created, err := f.create(a.Unstructured)
		if err != nil {
			return err
		}
		a.Unstructured = created
		resource, err := f.env.resource(a.GroupVersionKind())
		if err != nil {
			return err
		}
		_, err = resource.Patch(f.ctx, a.GetName(), types.MergePatchType, asTopology(f.env.provider.TemplatePatch),
			metav1.PatchOptions{FieldManager: manager, DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			f.report("C-IM-8", a, "the dry run of the topology controller is rejected: %v", err)
		}
		_, err = resource.Patch(f.ctx, a.GetName(), types.MergePatchType, []byte(f.env.provider.TemplatePatch), metav1.PatchOptions{FieldManager: manager})
		switch {
		case err == nil:
			f.report("C-IM-8", a, "%s changed its spec, and was accepted", f.env.provider.TemplatePatch)
		case !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) && !apierrors.IsBadRequest(err):
			return err
		}
		return nil
	},
}

// asTopology adds the topology controller's annotation to a patch.
func asTopology(edit string) []byte {
	patch := map[string]any{}
	if err := json.Unmarshal([]byte(edit), &patch); err != nil {
		return []byte(edit) // the server reports its error
	}
	metadata := decoded.Map(patch, "metadata")
	if metadata == nil {
		metadata = map[string]any{}
	}
	annotations := decoded.Map(metadata, "annotations")
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[dryRunAnnotation] = ""
	metadata["annotations"], patch["metadata"] = annotations, metadata
	data, err := json.Marshal(patch)
	if err != nil {
		return []byte(edit)
	}
	return data
}
