package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/status"
)

const (
	fluxSources = "source.toolkit.fluxcd.io"
	fluxHelm    = "helm.toolkit.fluxcd.io"
	fluxApply   = "kustomize.toolkit.fluxcd.io"
)

var (
	kustomization = status.Kind{Group: fluxApply, Kind: "Kustomization"}
	helmRelease   = status.Kind{Group: fluxHelm, Kind: "HelmRelease"}
	helmChart     = status.Kind{Group: fluxSources, Kind: "HelmChart"}
)

// fluxRefs returns what an object of Flux depends on: its source, its dependencies and
// its values. While its health checks fail, it also returns the applied objects.
func fluxRefs(o *object) (all []objectRef) {
	for _, path := range [...]string{"spec.sourceRef", "spec.chart.spec.sourceRef", "spec.chartRef"} {
		at := o.Under(path)
		if name := at.Text("name"); name != "" {
			id := o.refer(status.Kind{Group: cmp.Or(groupOf(at.Text("apiVersion")), fluxSources), Kind: at.Text("kind")}, cmp.Or(at.Text("namespace"), o.ID.Namespace), name)
			all = append(all, objectRef{Path: at.Path + "name", ID: id})
		}
	}
	if namespace, name, ok := strings.Cut(o.Text("status.helmChart"), "/"); ok {
		all = append(all, objectRef{Path: "status.helmChart", ID: o.refer(helmChart, namespace, name), Optional: true})
	}
	for on := range o.Each("spec.dependsOn") {
		if name := on.Text("name"); name != "" {
			all = append(all, objectRef{Path: on.Path + "name", ID: o.refer(o.ID.Kind, cmp.Or(on.Text("namespace"), o.ID.Namespace), name)})
		}
	}
	for _, list := range [...]string{"spec.valuesFrom", "spec.postBuild.substituteFrom"} {
		for from := range o.Each(list) {
			if kind := from.Text("kind"); kind == "Secret" || kind == "ConfigMap" {
				all = append(all, objectRef{Path: from.Path + "name", ID: o.refer(status.Kind{Kind: kind}, o.ID.Namespace, from.Text("name")), Optional: from.Is("optional")})
			}
		}
	}
	for _, path := range [...]string{"spec.secretRef.name", "spec.certSecretRef.name", "spec.decryption.secretRef.name", "spec.verify.secretRef.name", "spec.kubeConfig.secretRef.name"} {
		if name := o.Text(path); name != "" {
			all = append(all, objectRef{Path: path, ID: o.refer(secret, o.ID.Namespace, name)})
		}
	}
	return append(all, o.inventory()...)
}

// inventory returns the objects that Flux has applied, while it waits for their health:
// those in its message, or else all.
func (o *object) inventory() (all []objectRef) {
	if o.Has("spec.kubeConfig") {
		return nil // the objects are in another cluster
	}
	if reason := o.Text("status.conditions[Ready].reason"); reason != "HealthCheckFailed" && reason != "Progressing" && o.ID.Kind == kustomization {
		return nil
	}
	var named []objectRef
	for e := range o.Each("status.inventory.entries") {
		id, ok := inventoryID(e.Text("id"))
		if !ok {
			continue
		}
		id.Cluster = o.ID.Cluster
		r := objectRef{Path: e.Path + "id", ID: id, isOutput: true}
		all = append(all, r)
		if o.mentions(id) {
			named = append(named, r)
		}
	}
	for check := range o.Each("spec.healthChecks") {
		at := section{fields.Section{Map: map[string]any{"check": check.Map}, Path: check.Path}, o}
		if r, ok := at.reference("check"); ok && o.mentions(r.ID) {
			r.Path = check.Path + "name"
			named = append(named, r)
		}
	}
	if len(named) > 0 {
		return named
	}
	return all
}

// The kinds in a release for which Helm waits.
var releaseKinds = [...]status.Kind{deployment, statefulSet, daemonSet, job}

// releaseLists returns the lists of the workloads of a HelmRelease that is not ready.
// They have labels of Flux, since the status does not name them.
func releaseLists(o *object) (all []List) {
	if o.isDone() || o.Has("spec.kubeConfig") || o.Has("status.inventory.entries") {
		return nil
	}
	for _, kind := range releaseKinds {
		all = append(all, o.list(kind, cmp.Or(o.Text("spec.targetNamespace"), o.ID.Namespace), map[string]string{
			"helm.toolkit.fluxcd.io/name":      o.ID.Name,
			"helm.toolkit.fluxcd.io/namespace": o.ID.Namespace,
		}))
	}
	return all
}

// releasedWorkloads returns the known workloads of a HelmRelease.
func (o *object) releasedWorkloads() (all []*object) {
	for _, l := range releaseLists(o) {
		all = append(all, o.index.objectsIn(l)...)
	}
	return all
}

// inventoryID parses an entry of an inventory: namespace_name_group_Kind. The name may
// have double underscores for colons.
func inventoryID(text string) (id status.ID, ok bool) {
	namespace, rest, ok := strings.Cut(text, "_")
	if !ok {
		return id, false
	}
	i := strings.LastIndexByte(rest, '_')
	if i < 0 {
		return id, false
	}
	kind, rest := rest[i+1:], rest[:i]
	if i = strings.LastIndexByte(rest, '_'); i < 0 {
		return id, false
	}
	group, name := rest[i+1:], strings.ReplaceAll(rest[:i], "__", ":")
	return status.ID{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}, kind != "" && name != ""
}

// The meanings of the reasons of the condition Ready in Flux.
var fluxReasons = map[string]string{
	"BuildFailed":          "BuildFailed",
	"ReconciliationFailed": "ApplyFailed", "InstallFailed": "ApplyFailed", "UpgradeFailed": "ApplyFailed", "RollbackFailed": "ApplyFailed",
	"TestFailed": "ApplyFailed", "PruneFailed": "ApplyFailed", "UninstallFailed": "ApplyFailed",
	"GitOperationFailed": "SourceFailed", "AuthenticationFailed": "SourceFailed", "URLInvalid": "SourceFailed", "OCIArtifactPullFailed": "SourceFailed",
	"OCIArtifactLayerOperationFailed": "SourceFailed", "BucketOperationFailed": "SourceFailed", "FetchFailed": "SourceFailed", "IndexationFailed": "SourceFailed",
	"ChartPullError": "SourceFailed", "ChartPackageError": "SourceFailed", "VerificationError": "SourceFailed", "StatOperationFailed": "SourceFailed",
}

// fluxFailed finds why Flux has failed. An object that it refers to may have the better
// explanation.
func fluxFailed(o *object) []finding {
	c := o.condition("Ready")
	kind := fluxReasons[c.Text("reason")]
	if kind == "" || c.Text("status") != "False" {
		return nil
	}
	f := finding{kind: kind, text: c.conditionText(), weak: true, evidence: c.conditionEvidence()}
	o.addAPIErrorKind(&f, messages.Head(c.Text("message")))
	return []finding{f}
}
