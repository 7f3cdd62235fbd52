package status

import "kstatus.dev/status/internal/word"

// What delivers applications and infrastructure, besides Argo and Flux.
var hintsDelivery = hintTable{
	// GitOps Promoter: https://gitops-promoter.readthedocs.io/en/stable/crd-specs/
	{Group: "promoter.argoproj.io"}: {Summary: ready},

	// A CommitStatus is done once it has told its phase to where the code is kept,
	// whatever that phase is.
	{Group: "promoter.argoproj.io", Kind: "CommitStatus"}: {Summary: ready, Ignore: []string{"phase"}},

	{Group: "promoter.argoproj.io", Kind: "ControllerConfiguration"}: {Silent: true},

	// Kargo: https://docs.kargo.io/ and its api/v1alpha1. A Promotion runs to an
	// end; what its steps keep for each other stands in status.state.
	{Group: "kargo.akuity.io", Kind: "Stage"}:     {Summary: ready},
	{Group: "kargo.akuity.io", Kind: "Warehouse"}: {Summary: ready},
	{Group: "kargo.akuity.io", Kind: "Project"}:   {Summary: ready},
	{Group: "kargo.akuity.io", Kind: "Promotion"}: {Required: []string{"status.phase"}, Finite: conditionTrue, Ignore: []string{"state"}},
	{Group: "kargo.akuity.io", Kind: "Freight"}:   {Silent: true},

	// Numaplane: https://github.com/numaproj/numaplane/tree/main/pkg/apis/numaplane/v1alpha1.
	// Deployed says that what it describes was applied, also while it is upgraded.
	{Group: "numaplane.numaproj.io"}: {Required: []string{"status.phase"}, Working: []string{"status.upgradeInProgress"}},

	// Keptn: https://keptn.sh/stable/docs/reference/api-reference/
	{Group: "lifecycle.keptn.sh", Kind: "KeptnAppVersion"}:      {Required: []string{"status.status"}},
	{Group: "lifecycle.keptn.sh", Kind: "KeptnWorkloadVersion"}: {Required: []string{"status.status"}},
	{Group: "lifecycle.keptn.sh", Kind: "KeptnTask"}:            {Required: []string{"status.status"}},
	{Group: "lifecycle.keptn.sh", Kind: "KeptnEvaluation"}:      {Required: []string{"status.overallStatus"}},
	{Group: "metrics.keptn.sh", Kind: "KeptnMetric"}:            {Required: []string{"status.value|status.errMsg"}},

	// KubeVela: https://kubevela.io/docs/end-user/workflow/overview/
	{Group: "core.oam.dev", Kind: "Application"}: {Required: []string{"status.status"}},

	// Pulumi: https://www.pulumi.com/docs/iac/using-pulumi/continuous-delivery/pulumi-kubernetes-operator/.
	// An Update that has failed is complete as well.
	{Group: "pulumi.com", Kind: "Stack"}:          {Summary: ready},
	{Group: "auto.pulumi.com", Kind: "Workspace"}: {Summary: ready},
	{Group: "auto.pulumi.com", Kind: "Update"}:    {Summary: []string{"Complete"}},

	// HCP Terraform: https://developer.hashicorp.com/terraform/cloud-docs/run/states.
	// A run pauses for people and checks in states whose names sound done.
	{Group: "app.terraform.io", Kind: "Module"}: {
		Required: []string{"status.run"},
		States:   []string{"status.run.status"},
		Words: wordTable{
			"planned_and_finished": word.Ready, "discarded": word.Failing,
			"fetching_completed": word.Progressing, "pre_plan_completed": word.Progressing, "post_plan_completed": word.Progressing, "pre_apply_completed": word.Progressing,
			"cost_estimated": word.Progressing, "policy_checked": word.Progressing, "policy_override": word.Progressing, "confirmed": word.Progressing, "planned_and_saved": word.Progressing,
		},
	},

	// Carvel: https://carvel.dev/kapp-controller/docs/latest/app-spec/. Of what can
	// be said there is only what holds.
	{Group: "kappctrl.k14s.io"}:     {Summary: reconcileSucceeded, Suspend: []string{"spec.paused", "spec.canceled"}},
	{Group: "packaging.carvel.dev"}: {Summary: reconcileSucceeded, Suspend: []string{"spec.paused", "spec.canceled"}},
	{Group: "secretgen.carvel.dev"}: {Summary: reconcileSucceeded},
	{Group: "secretgen.k14s.io"}:    {Summary: reconcileSucceeded},
}

var reconcileSucceeded = []string{"ReconcileSucceeded"}
