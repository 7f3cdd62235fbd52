package cluster

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/jsonpath"
)

// checkField compares a field of an object, "{jsonpath}=value".
func checkField(t *testing.T, c *Cluster, ns, look, row string) error {
	path, want, ok := strings.Cut(row, "}=")
	if !ok {
		return fmt.Errorf("row %q: want {jsonpath}=value", row)
	}
	object, err := fetch(t, c, ns, look)
	if err != nil {
		return err
	}
	j := jsonpath.New(look).AllowMissingKeys(true)
	if err := j.Parse(path + "}"); err != nil {
		return err
	}
	var have bytes.Buffer
	if err := j.Execute(&have, object.Object); err != nil {
		return err
	}
	if have.String() != want {
		return fmt.Errorf("%s: %s} = %q, want %q; its status: %v", look, path, have.String(), want, object.Object["status"])
	}
	return nil
}

// fetch gets an object by "resource.group/name" in version v1. Autoscalers are read in v2.
func fetch(t *testing.T, c *Cluster, ns, look string) (*unstructured.Unstructured, error) {
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		return nil, err
	}
	kind, name, _ := strings.Cut(look, "/")
	resource, group, _ := strings.Cut(kind, ".")
	gvr := schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
	if group == "autoscaling" {
		gvr.Version = "v2"
	}
	return client.Resource(gvr).Namespace(ns).Get(t.Context(), name, metav1.GetOptions{})
}

func deployment(spec, container string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: d}}\n" +
		"  template: {metadata: {labels: {app: d}}, spec: {containers: [{name: c, " + container + "}]}}\n  " + spec + "\n"
}

func pod(fate, container, spec string) string {
	annotations := ""
	if fate != "" {
		annotations = ", annotations: {kstatus.dev/pod: " + fate + "}"
	}
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p" + annotations + "}\nspec:\n  containers: [{name: c, " + container + "}]\n  " + spec + "\n"
}

func job(command string) string {
	return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  backoffLimit: 0\n" +
		"  template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx, command: [sh, -c, \"" + command + "\"]}]}}\n"
}

func claim(spec string) string {
	return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n  " + spec + "\n"
}
