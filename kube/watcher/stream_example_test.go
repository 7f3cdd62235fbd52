package watcher_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/watcher"
)

// A counter counts the Pods that exist.
type counter struct{ pods map[string]bool }

func (c *counter) Begin() { c.pods = map[string]bool{} }

func (c *counter) Object(o metav1.Object, _ bool) error {
	c.pods[o.GetNamespace()+"/"+o.GetName()] = true
	return nil
}

func (c *counter) Deleted(o metav1.Object) error {
	delete(c.pods, o.GetNamespace()+"/"+o.GetName())
	return nil
}

func (c *counter) End(version string) { fmt.Println(len(c.pods), "pods at version", version) }

func (c *counter) Lost(bool) {} // a list follows, and Begin forgets what was counted

// Fail ends the Stream if the user may not read Pods.
func (c *counter) Fail(f watcher.Failure) watcher.Reaction {
	switch {
	case connection.IsRefused(f.Err):
		return watcher.ReactionEnd
	case f.IsResumable():
		return watcher.ReactionResume
	}
	return watcher.ReactionList
}

// Count the Pods of the cluster. The connection may break, or the API server may be restored from a
// backup.
func ExampleStream() {
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
	pods := server.Metadata.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"})
	s := watcher.Stream{
		Requests:   watcher.RequestsFor(watcher.Metadata{ResourceInterface: pods}),
		Sink:       &counter{},
		Unstreamed: new(atomic.Bool),
		Verifier:   watcher.OnSilence(time.Minute, func(context.Context) bool { return true }), // lists again
	}
	var pause watcher.Pause
	for ctx.Err() == nil {
		if err := s.Run(ctx); err != nil {
			fmt.Println("this user may not read Pods:", err)
		}
		pause.Wait(ctx, watcher.LastPause)
	}
}
