package controllers

import (
	"context"
	"fmt"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/test/lib/cluster"
)

// argoRollouts is Argo Rollouts, without a traffic router.
func argoRollouts() *controller {
	return &controller{
		name: "Argo Rollouts", folder: "rollouts", module: "github.com/argoproj/argo-rollouts", tool: "rollouts-controller",
		// It has no flag for the address of its servers, and would listen on all addresses.
		patches:     []cluster.Patch{{File: "controller/controller.go", Old: `= "0.0.0.0:%d"`, New: `= "127.0.0.1:%d"`}},
		definitions: []string{"github.com/argoproj/argo-rollouts:manifests/crds/*-crd.yaml"},
		arguments: func(s *setting) []string {
			return []string{"--kubeconfig=" + s.kubeconfig, "--metricsPort=" + s.port(), "--healthzPort=" + s.port(), "--leader-elect=false", "--loglevel=error"}
		},
		scenarios: []scenario{
			{it: "is created", target: rollout, apply: webRollout(1, plainCanary), truth: rolledOut(1)},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: rollout, apply: webRollout(1, plainCanary), truth: rolledOut(1)},
			{it: "has slow Pods", target: rollout, apply: slowPods(webRollout(1, plainCanary)), truth: rolledOut(1)},
			{it: "gets another image", target: rollout, first: webRollout(1, plainCanary), apply: webRollout(2, plainCanary), truth: rolledOut(2)},
			{it: "gets another image while its controller is stopped", late: true, waits: "InProgress", target: rollout, first: webRollout(1, plainCanary), apply: webRollout(2, plainCanary), truth: rolledOut(2)},
			{it: "gets another image in two steps with a pause of 3 s", target: rollout, first: webRollout(1, timedSteps), apply: webRollout(2, timedSteps), truth: rolledOut(2)},
			{it: "gets another image and waits to be promoted", target: rollout, first: webRollout(1, openSteps), apply: webRollout(2, openSteps),
				waits: "InProgress waits until it is promoted", act: promote, truth: rolledOut(2)},
			{it: "gets an image that cannot be pulled", target: rollout, first: webRollout(1, plainCanary), apply: unpullable(webRollout(2, plainCanary)),
				waits: "Failed", fix: webRollout(3, plainCanary), truth: rolledOut(3)},
			{it: "has a strategy that is not valid", target: rollout, apply: webRollout(1, "canary: {steps: [{setWeight: 500}]}"), waits: "Failed", fix: webRollout(1, plainCanary), truth: rolledOut(1)},
			{it: "has an analysis that fails", target: rollout, given: analysis, first: webRollout(1, analyzed), apply: webRollout(2, analyzed), waits: "Failed", fix: webRollout(3, plainCanary), truth: rolledOut(3)},
			{it: "is blue-green and waits to be promoted", target: rollout, given: webService, first: webRollout(1, blueGreen), apply: webRollout(2, blueGreen),
				waits: "InProgress waits until it is promoted", act: promote, truth: serves(2)},
			{it: "has no Service for its strategy yet", target: rollout, apply: webRollout(1, blueGreen), waits: "Failed", fix: webService, truth: serves(1)},
			{it: "succeeds", target: analysisRun, apply: jobAnalysis("sleep 3"), truth: jobSucceeded},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: analysisRun, apply: jobAnalysis("sleep 3"), truth: jobSucceeded},
			{it: "fails", target: analysisRun, apply: jobAnalysis("exit 3"), waits: "Failed", never: true, truth: jobSucceeded},
		},
	}
}

const (
	rollout     = "Rollout.argoproj.io/web"
	analysisRun = "AnalysisRun.argoproj.io/web"

	plainCanary = "canary: {maxSurge: 1}"
	timedSteps  = "canary: {steps: [{setWeight: 50}, {pause: {duration: 3s}}]}"
	openSteps   = "canary: {steps: [{setWeight: 50}, {pause: {}}]}"
	analyzed    = "canary: {steps: [{setWeight: 50}, {analysis: {templates: [{templateName: fails}]}}]}"
	blueGreen   = "blueGreen: {activeService: web, autoPromotionEnabled: false, scaleDownDelaySeconds: 2}"
	webService  = "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}\n"
)

var analysis = "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: fails}\nspec:\n" + jobMetric("exit 3")

func webRollout(tag int, strategy string) string {
	return fmt.Sprintf(`apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec:
  replicas: 2
  progressDeadlineSeconds: 8
  selector: {matchLabels: {app: web}}
  strategy: {%s}
  template:
    metadata: {labels: {app: web}, annotations: {}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: web, image: 'registry.example.com/web:%d'}]}
`, strategy, tag)
}

// slowPods lets the Pods become ready after eight seconds, which is within the deadline of the Rollout.
func slowPods(text string) string {
	return strings.NewReplacer("annotations: {}", "annotations: {kstatus.dev/pod: slow}", "progressDeadlineSeconds: 8", "progressDeadlineSeconds: 60").Replace(text)
}

func unpullable(text string) string {
	return strings.Replace(text, "registry.example.com", "registry.invalid", 1)
}

func jobMetric(command string) string {
	return `  metrics:
  - name: job
    provider:
      job:
        spec:
          backoffLimit: 0
          template: {spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/check, command: [sh, -c, '` + command + `']}]}}
`
}

func jobAnalysis(command string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisRun\nmetadata: {name: web}\nspec:\n" + jobMetric(command)
}

// rolledOut is the truth that two ready Pods have an image, and that no other Pods exist.
func rolledOut(tag int) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		return w.onlyPods(ctx, "app=web", fmt.Sprintf("image: registry.example.com/web:%d", tag), 2)
	}
}

// serves is the truth that the Service selects two ready Pods of an image.
func serves(tag int) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		s, err := w.client.CoreV1().Services(w.ns).Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		return w.onlyPods(ctx, metav1.FormatLabelSelector(metav1.SetAsLabelSelector(s.Spec.Selector)), fmt.Sprintf("image: registry.example.com/web:%d", tag), 2)
	}
}

// promote ends the pause of an update, as the plugin of kubectl does.
func promote(ctx context.Context, w *world) error {
	return w.report(ctx, rollout, `{"status": {"pauseConditions": null}}`)
}

// jobSucceeded is the truth that the Job of the analysis has succeeded.
func jobSucceeded(ctx context.Context, w *world) error {
	jobs, err := w.client.BatchV1().Jobs(w.ns).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if !succeeded(jobs.Items) {
		return fmt.Errorf("of %d Jobs none has succeeded", len(jobs.Items))
	}
	return nil
}

func succeeded(jobs []batchv1.Job) bool { return len(jobs) == 1 && jobs[0].Status.Succeeded == 1 }
