package main

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// followBare only lists and watches each kind and decodes the responses: the minimum for any
// client. It watches kinds with several namespaces in all namespaces.
func followBare(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	config = rest.CopyConfig(config)
	config.QPS = -1
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	objects, err := dynamic.NewForConfigAndClient(config, http)
	if err != nil {
		return err
	}
	known, err := discovery.NewDiscoveryClientForConfigAndClient(config, http)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	places := map[status.Kind]string{}
	for _, t := range targets {
		if in, ok := places[t.Kind]; ok && in != t.Namespace {
			places[t.Kind] = ""
		} else {
			places[t.Kind] = t.Namespace
		}
	}
	ended := make(chan error, len(places))
	for kind, namespace := range places {
		mapping, err := mapper.RESTMapping(schema.GroupKind(kind))
		if err != nil {
			return err
		}
		resource := objects.Resource(mapping.Resource).Namespace(namespace)
		go func() { ended <- bareWatch(ctx, resource, kind, hear) }()
	}
	var all error
	for range places {
		err := <-ended
		if err != nil {
			stop()
		}
		all = errors.Join(all, err)
	}
	return all
}

func bareWatch(ctx context.Context, resource dynamic.ResourceInterface, kind status.Kind, hear func(update)) error {
	tell := func(u *unstructured.Unstructured) {
		hear(update{observe.Target{Kind: kind, Namespace: u.GetNamespace(), Name: u.GetName()}, status.UnknownStatus, u.GetGeneration()})
	}
	list, err := resource.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list %s: %w", kind, err)
	}
	for i := range list.Items {
		tell(&list.Items[i])
	}
	w, err := resource.Watch(ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion(), AllowWatchBookmarks: true})
	if err != nil {
		return fmt.Errorf("watch %s: %w", kind, err)
	}
	defer w.Stop()
	for e := range w.ResultChan() {
		if u, ok := e.Object.(*unstructured.Unstructured); ok {
			tell(u)
		}
	}
	if ctx.Err() == nil {
		return fmt.Errorf("watch %s: it ended", kind)
	}
	return nil
}
