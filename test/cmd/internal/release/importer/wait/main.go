// Command wait is a program that uses client-go and imports package wait. Its server does not answer.
package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r := wait.Resolver{Config: &rest.Config{Host: "https://127.0.0.1:1"}}
	results, err := r.FetchAndResolve(ctx, observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "web"})
	if err != nil {
		panic(err)
	}
	for _, result := range results {
		fmt.Println(result.Result.Status, result.Result.Reason)
	}
}
