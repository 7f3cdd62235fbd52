package connection_test

import (
	"context"
	"fmt"
	"os"

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
