package sets_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/sets"
)

// What has been applied as an ApplySet, and a release of Helm that is not there.
func ExampleCluster_Find() {
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
	const id = "applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1"
	for _, cm := range []corev1.ConfigMap{
		{ObjectMeta: metav1.ObjectMeta{Name: "set", Labels: map[string]string{"applyset.kubernetes.io/id": id},
			Annotations: map[string]string{"applyset.kubernetes.io/contains-group-kinds": "ConfigMap", "applyset.kubernetes.io/tooling": "example/v1"}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "member", Labels: map[string]string{"applyset.kubernetes.io/part-of": id}}},
	} {
		if _, err := client.CoreV1().ConfigMaps("default").Create(context.Background(), &cm, metav1.CreateOptions{}); err != nil {
			fmt.Println(err)
			return
		}
	}
	cluster := sets.Cluster{
		Config: config,
		Mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery())),
	}
	for _, name := range []string{"applyset/set", "helm/web"} {
		owner, _ := sets.ParseOwner(name, "default")
		set, err := cluster.Find(context.Background(), owner)
		if missing, ok := errors.AsType[*sets.NotFoundError](err); ok {
			fmt.Println(missing.Text)
			continue
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, object := range set.Objects {
			fmt.Println(object)
		}
	}
}
