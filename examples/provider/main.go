// Command provider is an infrastructure provider for Cluster API. It creates load balancers and
// servers for ShelfClusters and ShelfMachines in the cloud of package cloud. With --serve-cloud
// it runs the cloud instead.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	"kstatus.dev/examples/provider/controller"
)

func main() {
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, "provider:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	serve := flag.String("serve-cloud", "", "serve a cloud at this address, in memory, and do nothing else")
	where := flag.String("cloud", "http://127.0.0.1:8080", "where the cloud is")
	namespace := flag.String("namespace", "", "the only namespace to look at; empty means all")
	filter := flag.String("watch-filter", "", "the label cluster.x-k8s.io/watch-filter of the objects to look at; empty means all objects")
	elect := flag.Bool("leader-elect", false, "act only while no other instance does")
	health := flag.String("health-addr", ":9440", "where /healthz and /readyz are served")
	metrics := flag.String("metrics-addr", "0", "where metrics are served; 0 means nowhere")
	poll := flag.Duration("poll", 5*time.Second, "the interval of requests to the cloud during slow operations")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if *serve != "" {
		return serveCloud(ctx, *serve)
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1beta1.AddToScheme(scheme)); err != nil {
		return err
	}
	options := ctrl.Options{
		Scheme: scheme, LeaderElection: *elect, LeaderElectionID: "shelf.infrastructure.cluster.x-k8s.io",
		HealthProbeBindAddress: *health, Metrics: metricsserver.Options{BindAddress: *metrics},
	}
	if *namespace != "" {
		options.Cache.DefaultNamespaces = map[string]cache.Config{*namespace: {}}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.UserAgent = "shelf-provider"
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	ok := func(*http.Request) error { return nil }
	err = errors.Join(mgr.AddHealthzCheck("ping", ok), mgr.AddReadyzCheck("ping", ok),
		controller.Setup(mgr, &cloud.Client{URL: *where}, controller.Options{WatchFilter: *filter, Poll: *poll}))
	if err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// serveCloud serves an empty cloud until ctx ends.
func serveCloud(ctx context.Context, address string) error {
	server := &http.Server{Addr: address, Handler: &cloud.Cloud{Duration: 2 * time.Second}, ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
