package tree_test

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/explain"
	"kstatus.dev/kube/source"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// Explain why a Service has no ready endpoints.
func ExampleReader_Collect() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := client.CoreV1().Services("default").Create(context.Background(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "lonely"},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "lonely"}, Ports: []corev1.ServicePort{{Port: 80}}},
	}, metav1.CreateOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	id := status.ID{Kind: status.Kind{Kind: "Service"}, Namespace: "default", Name: "lonely"}
	facts, err := tree.Reader{Config: config, Logs: true}.Collect(context.Background(), []status.ID{id})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range explain.Explain(facts, id).Causes {
		fmt.Println(c.Text)
	}
}

// A Deployment with its ReplicaSets and their Pods, by the cluster's own definitions of kinds.
func ExampleReader_Tree() {
	_ = func(ctx context.Context, config *rest.Config, client *source.Client) error {
		reader := tree.Reader{Config: config, Client: client}
		id := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
		facts, err := reader.Tree(ctx, []status.ID{id})
		if err != nil {
			return err
		}
		for _, t := range facts.Trees(nil, id) {
			fmt.Println(t.ID, len(t.Parts))
		}
		return nil
	}
}

// The kinds of which a reader lists objects to find the parts of a custom one.
func ExampleReader_LikelyParts() {
	_ = func(ctx context.Context, config *rest.Config, widgets *meta.RESTMapping) error {
		kinds, err := tree.Reader{Config: config}.LikelyParts(ctx, widgets)
		for _, m := range kinds {
			fmt.Println(m.Resource)
		}
		return err
	}
}

// Explain why a Service that is Current may have no endpoints, with fewer requests than for an explanation.
func ExampleReader_Caveats() {
	_ = func(ctx context.Context, config *rest.Config) error {
		id := status.ID{Kind: status.Kind{Kind: "Service"}, Namespace: "shop", Name: "web"}
		facts, err := tree.Reader{Config: config}.Caveats(ctx, []status.ID{id})
		if err != nil {
			return err
		}
		fmt.Println(explain.Explain(facts, id).Subjects[0].Caveat)
		return nil
	}
}
