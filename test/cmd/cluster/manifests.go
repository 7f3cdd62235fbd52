package main

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/test/lib/apply"
)

func applyManifests(ctx context.Context, args []string) error {
	return manifests(args, func(config *rest.Config, namespace string, objects []*unstructured.Unstructured) error {
		return apply.To(ctx, config, namespace, objects, func(o *unstructured.Unstructured) { printResult(o, "applied") })
	})
}

func deleteManifests(ctx context.Context, args []string) error {
	return manifests(args, func(config *rest.Config, namespace string, objects []*unstructured.Unstructured) error {
		return apply.Delete(ctx, config, namespace, objects, func(o *unstructured.Unstructured) { printResult(o, "deleted") })
	})
}

// manifests reads the manifests in the arguments and calls do with them, with the cluster of
// KUBECONFIG.
func manifests(args []string, do func(*rest.Config, string, []*unstructured.Unstructured) error) error {
	if len(args) != 2 {
		return errUsage
	}
	read := map[string]func(string) ([]*unstructured.Unstructured, error){"-f": apply.File, "-k": apply.Kustomization}[args[0]]
	if read == nil {
		return errUsage
	}
	objects, err := read(args[1])
	if err != nil {
		return err
	}
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	config, err := loaded.ClientConfig()
	if err != nil {
		return err
	}
	config.QPS = -1 // the server limits requests itself
	namespace, _, err := loaded.Namespace()
	if err != nil {
		return err
	}
	return do(config, namespace, objects)
}

func printResult(o *unstructured.Unstructured, done string) {
	fmt.Printf("%s/%s %s\n", strings.ToLower(o.GetKind()), o.GetName(), done)
}
