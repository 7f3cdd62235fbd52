// Command openstack is an infrastructure provider for Cluster API. It creates networks, load
// balancers and servers in OpenStack for OpenStackClusters and OpenStackMachines.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/examples/openstack/controller"
)

func main() {
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, "openstack:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	namespace := flag.String("namespace", "", "the only namespace to look at; empty means all")
	filter := flag.String("watch-filter", "", "the label cluster.x-k8s.io/watch-filter of the objects to look at; empty means all objects")
	elect := flag.Bool("leader-elect", false, "act only while no other instance does")
	health := flag.String("health-addr", ":9440", "where /healthz and /readyz are served")
	metrics := flag.String("metrics-addr", "0", "where metrics are served; 0 means nowhere")
	observe := flag.Duration("observe", 5*time.Minute, "the interval at which healthy objects are read from the cloud")
	timeout := flag.Duration("request-timeout", 30*time.Second, "the timeout of one request to the cloud")
	perSecond := flag.Float64("requests-per-second", 20, "the number of requests to one project of a cloud")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1beta1.AddToScheme(scheme)); err != nil {
		return err
	}
	options := ctrl.Options{
		Scheme: scheme, LeaderElection: *elect, LeaderElectionID: "infrastructure.openstack.kstatus.dev",
		HealthProbeBindAddress: *health, Metrics: metricsserver.Options{BindAddress: *metrics},
	}
	if *namespace != "" {
		options.Cache.DefaultNamespaces = map[string]cache.Config{*namespace: {}}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.UserAgent = "openstack-provider"
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	clouds := cloud.NewDirectory(cloud.Options{
		Timeout: *timeout, Rate: rate.Limit(*perSecond), Burst: int(2 * *perSecond), UserAgent: config.UserAgent,
	})
	ok := func(*http.Request) error { return nil }
	err = errors.Join(mgr.AddHealthzCheck("ping", ok), mgr.AddReadyzCheck("ping", ok),
		controller.Setup(mgr, clouds, controller.Options{WatchFilter: *filter, Observe: *observe}))
	if err != nil {
		return err
	}
	return mgr.Start(ctx)
}
