// Package real plays situations of package gallery on a Node with real containers. The first causes
// must be those of the simulated Nodes.
//
// An annotation selects how a simulated Node plays a Pod. This package translates it into arguments
// of the program in all images; see package image. Faults of images, references and volumes need no
// arguments. The folder testdata has situations that only a real Node can play.
package real

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/node/image"
)

// The annotations that select how a simulated Node plays a Pod.
const (
	faultAnnotation     = "kstatus.dev/pod"
	containerAnnotation = "kstatus.dev/container"
	logAnnotation       = "kstatus.dev/log"
	textAnnotation      = "kstatus.dev/says"
)

// templates are the paths of the metadata and the spec of Pods, by the kind of their object.
var templates = map[string][]string{
	"Pod": nil, "Deployment": {"spec", "template"}, "StatefulSet": {"spec", "template"},
	"DaemonSet": {"spec", "template"}, "Job": {"spec", "template"}, "CronJob": {"spec", "jobTemplate", "spec", "template"},
}

// workload changes the Pods of an object so that real containers behave like the simulated ones. It
// returns the images that the registry must have.
func workload(o *unstructured.Unstructured) ([]string, error) {
	path, ok := templates[o.GetKind()]
	if !ok {
		return nil, nil
	}
	pod := o.Object
	if len(path) > 0 {
		var found bool
		var err error
		if pod, found, err = unstructured.NestedMap(o.Object, path...); err != nil || !found {
			return nil, fmt.Errorf("no Pod template: %w", err)
		}
	}
	annotations, _, err := unstructured.NestedStringMap(pod, "metadata", "annotations")
	if err != nil {
		return nil, err
	}
	images, err := changeContainers(pod, annotations)
	if err != nil || len(path) == 0 {
		return images, err
	}
	return images, unstructured.SetNestedMap(o.Object, pod, path...)
}

// changeContainers sets the arguments of the containers of a Pod.
func changeContainers(pod map[string]any, annotations map[string]string) ([]string, error) {
	var images []string
	for _, field := range []string{"initContainers", "containers"} {
		list, found, err := unstructured.NestedSlice(pod, "spec", field)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		for i, entry := range list {
			container, ok := entry.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("spec.%s[%d] is no object", field, i)
			}
			name := annotations[containerAnnotation]
			change(container, annotations, name == container["name"] || name == "" && field == "containers" && i == 0)
			if reference, ok := container["image"].(string); ok && served(reference, annotations) {
				images = append(images, reference)
			}
		}
		if err := unstructured.SetNestedSlice(pod, list, "spec", field); err != nil {
			return nil, err
		}
	}
	return images, nil
}

// change sets the arguments of one container. Only the faulty container of a Pod has the fault.
func change(container map[string]any, annotations map[string]string, faulty bool) {
	if !faulty {
		return
	}
	if args := arguments(container, annotations); args != nil {
		delete(container, "command")
		container["args"] = args
	}
}

var (
	exitCode   = regexp.MustCompile(`exit ([1-9]\d*)`)
	statusCode = regexp.MustCompile(`statuscode: (5\d\d)`)
)

// arguments returns the arguments with which the program behaves as the annotations select, and nil
// if the fault needs none.
func arguments(container map[string]any, annotations map[string]string) []any {
	fault, code := annotations[faultAnnotation], "1"
	if m := exitCode.FindStringSubmatch(fmt.Sprint(container["command"])); m != nil {
		code = m[1]
		if fault == "" {
			fault = "crash"
		}
	}
	log := strings.TrimSuffix(annotations[logAnnotation], "\n")
	switch fault {
	case "crash":
		return []any{"exit", code, log}
	case "crash-signal":
		return []any{"exit", "139", log}
	case "crash-memory":
		return []any{"eat", "200"}
	case "unready":
		if m := statusCode.FindStringSubmatch(annotations[textAnnotation]); m != nil {
			return []any{"serve", m[1]}
		}
	case "":
		if strings.HasPrefix(fmt.Sprint(container["command"]), "[sleep ") {
			return []any{"wait"}
		}
	}
	return nil
}

// served reports whether the registry must have an image. The fault of some Pods is that it does not.
func served(reference string, annotations map[string]string) bool {
	return strings.HasPrefix(reference, image.Host+"/") && !strings.HasPrefix(annotations[faultAnnotation], "image-")
}
