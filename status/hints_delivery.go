package status

import "kstatus.dev/status/internal/word"

// Delivery of applications and infrastructure, except Argo and Flux.
var hintsDelivery = hintTable{
	// GitOps Promoter: https://gitops-promoter.readthedocs.io/en/stable/crd-specs/
	{Group: "promoter.argoproj.io"}: {Summary: ready},

	// A CommitStatus is Current when its phase has been sent to the Git host, whatever that phase
	// is.
	{Group: "promoter.argoproj.io", Kind: "CommitStatus"}: {Summary: ready, Ignore: []string{"phase"}},

	{Group: "promoter.argoproj.io", Kind: "ControllerConfiguration"}: {StatusOptional: true},

	// Kargo: https://docs.kargo.io/ and its api/v1alpha1. A Promotion runs to completion; its steps
	// share data in status.state.
	{Group: "kargo.akuity.io", Kind: "Stage"}:     {Summary: ready},
	{Group: "kargo.akuity.io", Kind: "Warehouse"}: {Summary: ready},
	{Group: "kargo.akuity.io", Kind: "Project"}:   {Summary: ready},
	{Group: "kargo.akuity.io", Kind: "Promotion"}: {Required: []string{"status.phase"}, Finite: conditionTrue, Ignore: []string{"state"}},
	{Group: "kargo.akuity.io", Kind: "Freight"}:   {StatusOptional: true},

	// Numaplane: https://github.com/numaproj/numaplane/tree/main/pkg/apis/numaplane/v1alpha1.
	// Deployed means that the resource was applied, also during an upgrade.
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
	// A failed Update is complete too.
	{Group: "pulumi.com", Kind: "Stack"}:          {Summary: ready},
	{Group: "auto.pulumi.com", Kind: "Workspace"}: {Summary: ready},
	{Group: "auto.pulumi.com", Kind: "Update"}:    {Summary: []string{"Complete"}},

	// HCP Terraform: https://developer.hashicorp.com/terraform/cloud-docs/run/states.
	// A run pauses for approvals and checks in states whose names look final.
	{Group: "app.terraform.io", Kind: "Module"}: {
		Required: []string{"status.run"},
		States:   []string{"status.run.status"},
		Words: wordTable{
			"planned_and_finished": word.Ready, "discarded": word.Failing,
			"fetching_completed": word.Progressing, "pre_plan_completed": word.Progressing, "post_plan_completed": word.Progressing, "pre_apply_completed": word.Progressing,
			"cost_estimated": word.Progressing, "policy_checked": word.Progressing, "policy_override": word.Progressing, "confirmed": word.Progressing, "planned_and_saved": word.Progressing,
		},
	},

	// Carvel: https://carvel.dev/kapp-controller/docs/latest/app-spec/. The
	// conditions exist only while they are True.
	{Group: "kappctrl.k14s.io"}:     {Summary: reconcileSucceeded, Suspend: []string{"spec.paused", "spec.canceled"}},
	{Group: "packaging.carvel.dev"}: {Summary: reconcileSucceeded, Suspend: []string{"spec.paused", "spec.canceled"}},
	{Group: "secretgen.carvel.dev"}: {Summary: reconcileSucceeded},
	{Group: "secretgen.k14s.io"}:    {Summary: reconcileSucceeded},
}

var reconcileSucceeded = []string{"ReconcileSucceeded"}
