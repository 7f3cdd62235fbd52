package controllers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/test/lib/fluxsource"
)

const fluxSources = fluxsource.Module + ":" + fluxsource.Definitions

func fluxArguments(s *setting) []string {
	return []string{"--metrics-addr=" + s.address(), "--health-addr=" + s.address(), "--enable-leader-election=false",
		"--requeue-dependency=2s", "--http-retry=0", "--log-level=error"}
}

func kustomizeController() *controller {
	slow := deployment("image: registry.example.com/web:1", "kstatus.dev/pod: slow")
	unpullable := deployment("image: registry.invalid/web:1", "")
	return &controller{
		name: "Flux kustomize-controller", folder: "flux", module: "github.com/fluxcd/kustomize-controller", tool: "kustomize-controller",
		definitions: []string{"github.com/fluxcd/kustomize-controller:config/crd/bases/*.yaml", fluxSources},
		arguments:   fluxArguments,
		scenarios: []scenario{
			{it: "applies a ConfigMap", target: kustomization, given: repository, before: artifact(repositoryName, "1", settings("1")), apply: shopKustomization("."), truth: hasSetting("1")},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: kustomization, given: repository, before: artifact(repositoryName, "1", settings("1")),
				apply: shopKustomization("."), truth: hasSetting("1")},
			{it: "has no source yet", target: kustomization, apply: shopKustomization("."), waits: "InProgress Ready is False", fix: repository, act: artifact(repositoryName, "1", settings("1")), truth: hasSetting("1")},
			{it: "has a source without an artifact", target: kustomization, given: repository, apply: shopKustomization("."), waits: "Failed artifact not found",
				act: artifact(repositoryName, "1", settings("1")), truth: hasSetting("1")},
			{it: "gets another path", target: kustomization, given: repository, before: artifact(repositoryName, "1", twoSettings()), first: shopKustomization("./a"), apply: shopKustomization("./b"), truth: hasSetting("b")},
			{it: "gets another path while its controller is stopped", late: true, waits: "InProgress", target: kustomization, given: repository,
				before: artifact(repositoryName, "1", twoSettings()), first: shopKustomization("./a"), apply: shopKustomization("./b"), truth: hasSetting("b")},
			{it: "gets a path that does not exist yet", target: kustomization, given: repository, before: artifact(repositoryName, "1", twoSettings()), first: shopKustomization("./a"),
				apply: shopKustomization("./c"), waits: "Failed", act: artifact(repositoryName, "2", map[string]string{"c/settings.yaml": setting1("c")}), truth: hasSetting("c")},
			{it: "has an artifact that cannot be built", target: kustomization, given: repository, before: artifact(repositoryName, "1", map[string]string{"kustomization.yaml": "resources: [missing.yaml]"}),
				apply: shopKustomization("."), waits: "Failed", act: artifact(repositoryName, "2", settings("2")), truth: hasSetting("2")},
			{it: "has an artifact that cannot be built, and is retried all the time", target: kustomization, given: repository,
				before: artifact(repositoryName, "1", map[string]string{"kustomization.yaml": "resources: [missing.yaml]"}),
				apply:  shopKustomization(".", "retryInterval: 2s"), waits: "InProgress Ready is False: kustomize build failed", act: artifact(repositoryName, "2", settings("2")), truth: hasSetting("2")},
			{it: "waits for slow Pods", target: kustomization, given: repository, before: artifact(repositoryName, "1", map[string]string{"web.yaml": slow}),
				apply: shopKustomization(".", "wait: true"), truth: hasPods("image: registry.example.com/web:1")},
			{it: "waits for Pods whose image cannot be pulled", target: kustomization, given: repository, before: artifact(repositoryName, "1", map[string]string{"web.yaml": unpullable}),
				apply: shopKustomization(".", "wait: true", "timeout: 5s"), waits: "Failed", act: artifact(repositoryName, "2", map[string]string{"web.yaml": deployment("image: registry.example.com/web:2", "")}),
				truth: hasPods("image: registry.example.com/web:2")},
			{it: "depends on another that does not exist yet", target: kustomization, given: repository, before: artifact(repositoryName, "1", twoSettings()),
				apply: shopKustomization("./b", "dependsOn: [{name: other}]"), waits: "InProgress", fix: otherKustomization, truth: hasSetting("b")},
		},
	}
}

func helmController() *controller {
	slow := chart("1.0.0", deployment("image: registry.example.com/web:{{ .Values.tag }}", "kstatus.dev/pod: slow"))
	good := chart("1.0.0", deployment("image: {{ .Values.registry }}/web:{{ .Values.tag }}", ""))
	return &controller{
		name: "Flux helm-controller", folder: "flux", module: "github.com/fluxcd/helm-controller", tool: "helm-controller",
		definitions: []string{"github.com/fluxcd/helm-controller:config/crd/bases/*.yaml", fluxSources},
		arguments:   fluxArguments,
		scenarios: []scenario{
			{it: "installs a chart", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", good), apply: shopRelease("1"), truth: released("1")},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", good),
				apply: shopRelease("1"), truth: released("1")},
			{it: "has no chart yet", target: helmRelease, apply: shopRelease("1"), waits: "Failed not found", fix: helmChart, act: artifact(helmChartName, "1.0.0", good), truth: released("1")},
			{it: "has a chart without an artifact", target: helmRelease, given: helmChart, apply: shopRelease("1"), waits: "InProgress is not ready", act: artifact(helmChartName, "1.0.0", good), truth: released("1")},
			{it: "installs slow Pods", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", slow), apply: shopRelease("1"), truth: released("1")},
			{it: "gets other values", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", slow), first: shopRelease("1"), apply: shopRelease("2"), truth: released("2")},
			{it: "gets other values while its controller is stopped", late: true, waits: "InProgress", target: helmRelease, given: helmChart,
				before: artifact(helmChartName, "1.0.0", good), first: shopRelease("1"), apply: shopRelease("2"), truth: released("2")},
			{it: "has a chart that does not render", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", chart("1.0.0", "{{ fail \"no tag\" }}")),
				apply: shopRelease("1"), waits: "Failed no tag", act: artifact(helmChartName, "1.0.1", chart("1.0.1", deployment("image: registry.example.com/web:{{ .Values.tag }}", ""))), truth: released("1")},
			{it: "has values in a Secret that does not exist yet", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", good),
				apply: shopRelease("1", "valuesFrom: [{kind: Secret, name: values}]"), waits: "Failed", fix: "{apiVersion: v1, kind: Secret, metadata: {name: values}, stringData: {values.yaml: 'replicas: 1'}}", truth: released("1")},
			{it: "installs Pods whose image cannot be pulled", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", good),
				apply: shopRelease("1", "timeout: 5s", "values: {registry: registry.invalid}"), waits: "Failed", fix: shopRelease("2"), truth: released("2")},
			{it: "upgrades to Pods whose image cannot be pulled, and rolls back", target: helmRelease, given: helmChart, before: artifact(helmChartName, "1.0.0", good), first: shopRelease("1"),
				apply: shopRelease("2", "timeout: 5s", "upgrade: {remediation: {retries: 0, remediateLastFailure: true}}", "values: {registry: registry.invalid}"), waits: "Failed", fix: shopRelease("3"), truth: released("3")},
		},
	}
}

const (
	kustomization  = "Kustomization.kustomize.toolkit.fluxcd.io/shop"
	helmRelease    = "HelmRelease.helm.toolkit.fluxcd.io/shop"
	repositoryName = "GitRepository.source.toolkit.fluxcd.io/shop"
	helmChartName  = "HelmChart.source.toolkit.fluxcd.io/shop"

	repository = "{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, metadata: {name: shop}, spec: {url: 'https://git.example.com/shop', interval: 10m}}\n"
	helmChart  = "{apiVersion: source.toolkit.fluxcd.io/v1, kind: HelmChart, metadata: {name: shop}, spec: {chart: shop, interval: 10m, sourceRef: {kind: HelmRepository, name: shop}}}\n"

	otherKustomization = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: other}, spec: " +
		"{interval: 10m, prune: true, path: ./a, targetNamespace: $NS-other, sourceRef: {kind: GitRepository, name: shop}}}\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: $NS-other}}\n"
)

func shopKustomization(path string, more ...string) string {
	return object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", append([]string{"interval: 10m", "prune: true", "path: " + path, "targetNamespace: $NS",
		"sourceRef: {kind: GitRepository, name: shop}"}, more...))
}

// shopRelease is a release with an image tag. A later value replaces an earlier one.
func shopRelease(tag string, more ...string) string {
	values := "values: {registry: registry.example.com, tag: '" + tag + "'}"
	for i, field := range more {
		if rest, ok := bytes.CutPrefix([]byte(field), []byte("values: {")); ok {
			more[i] = "values: {tag: '" + tag + "', " + string(rest)
			values = ""
		}
	}
	fields := []string{"interval: 10m", "chartRef: {kind: HelmChart, name: shop}"}
	if values != "" {
		fields = append(fields, values)
	}
	return object("helm.toolkit.fluxcd.io/v2", "HelmRelease", append(fields, more...))
}

// object is an object with the name shop.
func object(apiVersion, kind string, fields []string) string {
	text := "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: shop}\nspec:\n"
	for _, f := range fields {
		text += "  " + f + "\n"
	}
	return text
}

func setting1(value string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {value: '" + value + "'}}\n"
}

func settings(value string) map[string]string {
	return map[string]string{"settings.yaml": setting1(value)}
}

func twoSettings() map[string]string {
	return map[string]string{"a/settings.yaml": setting1("a"), "b/settings.yaml": setting1("b")}
}

// deployment is a Deployment of one Pod. image is the field, and annotation that of the Pod, or empty.
func deployment(image, annotation string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n" +
		"    metadata: {labels: {app: web}, annotations: {" + annotation + "}}\n    spec:\n      terminationGracePeriodSeconds: 0\n      containers:\n      - name: web\n        " + image + "\n"
}

func chart(version, template string) map[string]string {
	return map[string]string{"shop/Chart.yaml": "{apiVersion: v2, name: shop, version: " + version + "}\n", "shop/templates/web.yaml": template, "shop/values.yaml": "{}\n"}
}

// hasSetting is the truth that the ConfigMap has a value.
func hasSetting(value string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		m, err := w.client.CoreV1().ConfigMaps(w.ns).Get(ctx, "settings", metav1.GetOptions{})
		if err == nil && m.Data["value"] != value {
			err = fmt.Errorf("the ConfigMap has %q, want %q", m.Data["value"], value)
		}
		return err
	}
}

// hasPods is the truth that a ready Pod has an image, and that no other Pod exists.
func hasPods(image string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error { return w.onlyPods(ctx, "app=web", image, 1) }
}

// onlyPods returns an error unless the Pods of a selector are a number of ready ones with an image.
func (w *world) onlyPods(ctx context.Context, selector, image string, number int) error {
	pods, err := w.client.CoreV1().Pods(w.ns).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return err
	}
	ready := 0
	for _, p := range pods.Items {
		if p.DeletionTimestamp != nil {
			continue
		}
		if !slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return "image: "+c.Image == image }) {
			return fmt.Errorf("Pod %s has %s, want %s", p.Name, p.Spec.Containers[0].Image, image)
		}
		for _, c := range p.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	if ready != number {
		return fmt.Errorf("%d Pods are ready, want %d", ready, number)
	}
	return nil
}

// released is the truth that the storage of Helm has a deployed release, and that its Pod is ready.
func released(tag string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		s, err := w.client.CoreV1().Secrets(w.ns).List(ctx, metav1.ListOptions{LabelSelector: "owner=helm,name=shop,status=deployed"})
		if err == nil && len(s.Items) != 1 {
			err = errors.New("Helm has no deployed release")
		}
		if err == nil {
			err = w.onlyPods(ctx, "app=web", "image: registry.example.com/web:"+tag, 1)
		}
		return err
	}
}

// archives serves the archives of all sources.
var archives = sync.OnceValue(fluxsource.NewServer)

// artifact returns a function that reports an artifact with some files on a source, as Flux's
// source-controller does.
func artifact(source, revision string, files map[string]string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		a, err := archives().Publish(files)
		if err != nil {
			return err
		}
		if source == repositoryName {
			revision = a.GitRevision()
		}
		return w.report(ctx, source, a.Status(revision))
	}
}
