package main

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const customGroup = "bench.kstatus.dev"

// customResource returns the resource of a custom kind.
func customResource(kind string) resource {
	return resource{Group: customGroup, Version: "v1", Resource: strings.ToLower(kind) + "s"}
}

// define creates a custom kind. Its status is an ordinary field, so the creator of an object can
// write it, and each write of it increments the generation.
func (s *environment) define(ctx context.Context, kind string) error {
	plural := strings.ToLower(kind) + "s"
	if err := s.create(ctx, definitions, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": plural + "." + customGroup},
		"spec": map[string]any{
			"group": customGroup, "scope": "Namespaced",
			"names": map[string]any{"kind": kind, "plural": plural, "singular": strings.ToLower(kind)},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			}},
		},
	}}); err != nil {
		return err
	}
	return eventually(ctx, func() error {
		_, err := s.objects.Resource(customResource(kind)).List(ctx, metav1.ListOptions{})
		return err
	})
}
