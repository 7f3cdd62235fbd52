package witness

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// etcd and the API server return the same objects, and etcd returns every version and the
// deletion.
func TestHistoryAndLiveAgree(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	ctx, stop := context.WithCancel(t.Context())
	history := NewHistory(c.EtcdURL(), status.Evaluator{}, "/registry/deployments/"+ns+"/", "/registry/configmaps/"+ns+"/")
	var writing sync.WaitGroup
	writing.Go(func() {
		if err := history.Write(ctx, 1); err != nil {
			t.Error(err)
		}
	})
	defer writing.Wait()
	defer stop()
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs)+"---\n"+manifest.ConfigMap("settings"))
	reader, err := NewLive(c.Config(), status.Evaluator{})
	if err != nil {
		t.Fatal(err)
	}
	web := manifest.Target("apps", "Deployment", ns, "web")
	settings := manifest.Target("", "ConfigMap", ns, "settings")
	var uids []string
	for _, target := range []observe.Target{web, settings} {
		var now Version
		poll.Wait(t, "both say that "+target.String()+" is current", func() bool {
			if now, err = reader.Get(t.Context(), target); err != nil {
				t.Fatal(err)
			}
			was, known := history.Version(now.UID, now.Resource)
			told := observe.Update{Result: was.Result, Version: observe.Version{UID: was.UID, Generation: was.Generation, ObservedGeneration: was.Observed}}
			return known && now.Result.Status == status.CurrentStatus && Differs(told, now) == "" &&
				was.Result.Message == now.Result.Message
		})
		uids = append(uids, now.UID)
		if _, known := history.Version(now.UID, 1); known {
			t.Errorf("%s has a version that never was", target)
		}
	}
	dynamicClient, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	maps := dynamicClient.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(ns)
	if err := maps.Delete(t.Context(), "settings", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	poll.Wait(t, "the ConfigMap is gone", func() bool { gone, _ := history.Gone(uids[1]); return gone })
	if gone, known := history.Gone(uids[0]); gone || !known {
		t.Errorf("the Deployment is gone: %v, known: %v", gone, known)
	}
	if now, err := reader.Get(t.Context(), settings); err != nil || now.Resource != 0 {
		t.Errorf("Get of what is gone = %v, %v", now, err)
	}
}

// A history that starts at a compacted revision fails.
func TestHistoryReportsLostWatch(t *testing.T) {
	c := live.Cluster(t)
	if err := c.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := NewHistory(c.EtcdURL(), status.Evaluator{}, "/registry/").Write(ctx, 1); err == nil {
		t.Error("it does not")
	}
}
