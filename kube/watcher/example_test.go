package watcher_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/watcher"
)

// Follow each version of the ConfigMaps of a namespace for a minute.
func ExampleWatcher_Run() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := connection.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	w := watcher.Watcher{
		Kind:     schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
		Resource: server.Objects.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default"),
		Name:     "configmaps",
		Report: func(e watcher.Event) {
			if e.Object != nil {
				fmt.Println(e.Type, e.Object.GetName(), e.Object.GetResourceVersion())
			}
		},
	}
	if err := w.Run(ctx); connection.IsRefused(err) {
		fmt.Println("this user may not watch ConfigMaps:", err)
	}
}
