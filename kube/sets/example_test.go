package sets_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Find the objects of an ApplySet, and a Helm release that does not exist.
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

func ExampleParseOwner() {
	for _, text := range []string{"helm/web", "deployment/web"} {
		owner, ok := sets.ParseOwner(text, "shop")
		fmt.Println(ok, owner.Type, owner.Namespace, owner.Name)
	}
	// Output:
	// true helm shop web
	// false deployment shop web
}

// All objects of an app in a namespace, but not those that a controller has made for them.
func ExampleCluster_FindAll() {
	_ = func(ctx context.Context, cluster sets.Cluster) error {
		set, err := cluster.FindAll(ctx, "shop", "app=web")
		if err != nil {
			return err
		}
		for _, note := range set.Notes {
			fmt.Println(note) // such as kinds that may not be listed
		}
		fmt.Println(set.Objects)
		return nil
	}
}

// What a Kustomization of Flux has applied.
func ExampleCluster_Expand() {
	_ = func(ctx context.Context, cluster sets.Cluster) error {
		app := observe.Target{Kind: status.Kind{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}, Namespace: "flux-system", Name: "app"}
		set, err := cluster.Expand(ctx, app)
		for _, object := range set.Objects {
			fmt.Println(object, "owned by", set.Owners[object])
		}
		return err // names what may not be read
	}
}

// The releases in a namespace, for completion.
func ExampleCluster_Names() {
	_ = func(ctx context.Context, cluster sets.Cluster) ([]string, error) {
		return cluster.Names(ctx, sets.TypeHelm, "shop")
	}
}

// Whether Helm is done with a release, and why it has failed.
func ExampleCluster_Revisions() {
	_ = func(ctx context.Context, cluster sets.Cluster) error {
		owner, _ := sets.ParseOwner("helm/web", "shop")
		all, err := cluster.Revisions(ctx, owner)
		if err != nil {
			fmt.Println(cluster.DescribeMissing(ctx, owner)) // such as in another namespace
			return err
		}
		last := all[len(all)-1]
		fmt.Println("revision", last.Number, "began at", last.Began, "and is", last.Status)
		why, err := cluster.Failure(ctx, owner, last.Number)
		fmt.Println(why)
		return err
	}
}

// A revision as text.
func ExampleRevision_String() {
	r := sets.Revision{Number: 3, Status: "pending-upgrade", Since: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	if r.IsPending() {
		fmt.Println("Helm is at work:", r)
	}
	fmt.Println("the release", r.StatusText())
	// Output:
	// Helm is at work: revision 3 is pending-upgrade since 2026-03-01T12:00:00Z
	// the release is pending-upgrade since 2026-03-01T12:00:00Z
}

func ExampleTypes() {
	fmt.Println(sets.Types())
	// Output: [helm applyset kapp kpt]
}
