package contract

import (
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// templateDryRun is how the controller of topologies asks whether a template would become another one.
var templateDryRun = &Scenario{
	Name:  "template-dry-run",
	Rules: []string{"C-IM-8"},
	Doc: "A machine template is changed in a dry run with the annotation topology.cluster.x-k8s.io/dry-run, as the controller of topologies does: " +
		"that is accepted. The same in earnest is rejected, since templates do not change.",
	lacks: func(p Provider) string {
		switch {
		case p.InfraMachineTemplate == nil:
			return "there is no InfraMachineTemplate"
		case p.TemplatePatch == "":
			return "there is no TemplateEdit"
		}
		return ""
	},
	run: func(f *fixture) error {
		a := f.newSubject(infraTemplate, f.env.provider.InfraMachineTemplate)
		made, err := f.create(a.Unstructured)
		if err != nil {
			return err
		}
		a.Unstructured = made
		resource, err := f.env.resource(a.GroupVersionKind())
		if err != nil {
			return err
		}
		_, err = resource.Patch(f.ctx, a.GetName(), types.MergePatchType, asTopology(f.env.provider.TemplatePatch),
			metav1.PatchOptions{FieldManager: manager, DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			f.report("C-IM-8", a, "the dry run of the controller of topologies is rejected: %v", err)
		}
		_, err = resource.Patch(f.ctx, a.GetName(), types.MergePatchType, []byte(f.env.provider.TemplatePatch), metav1.PatchOptions{FieldManager: manager})
		switch {
		case err == nil:
			f.report("C-IM-8", a, "its spec was changed by %s, and that was accepted", f.env.provider.TemplatePatch)
		case !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) && !apierrors.IsBadRequest(err):
			return err
		}
		return nil
	},
}

// asTopology is an edit with the annotation that the controller of topologies sets.
func asTopology(edit string) []byte {
	patch := map[string]any{}
	if err := json.Unmarshal([]byte(edit), &patch); err != nil {
		return []byte(edit) // the server says what is wrong with it
	}
	metadata, _ := patch["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	annotations, _ := metadata["annotations"].(map[string]any)
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
