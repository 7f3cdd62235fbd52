package connection_test

import (
	"context"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/connection"
)

// List the kinds that a cluster serves, also if one of its API services does not answer.
func ExampleNew() {
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
	lists, err := connection.ServedResources(context.Background(), config, server.Discovery)
	if err != nil {
		fmt.Println("not complete:", err)
	}
	for _, list := range lists {
		fmt.Println(list.GroupVersion, len(list.APIResources))
	}
}

// Count the ConfigMaps of a cluster, page by page.
func ExampleEachPage() {
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
	configMaps, count := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, 0
	err = connection.EachPage(context.Background(), metav1.ListOptions{}, server.Objects.Resource(configMaps).List, func(page *unstructured.UnstructuredList, isFirst bool) error {
		if isFirst {
			count = 0
		}
		count += len(page.Items)
		return nil
	})
	switch {
	case connection.IsRefused(err):
		fmt.Println("this user may not list ConfigMaps")
	case connection.IsTransient(err):
		fmt.Println("try again later:", err)
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(count)
	}
}
