// Package managers runs the controllers of tests, with managers of controller-runtime.
package managers

import (
	"context"
	"errors"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"kstatus.dev/test/lib/stutter"
)

// As returns a copy of a configuration with the permissions of a service account, and with the name
// of the program.
func As(config *rest.Config, namespace, account, program string) *rest.Config {
	as := rest.CopyConfig(config)
	as.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + namespace + ":" + account,
		Groups:   []string{"system:serviceaccounts", "system:authenticated"}, // as every service account
	}
	as.UserAgent = program
	return as
}

// New creates a manager of controllers for some namespaces, without servers. Its scheme has the kinds
// of Kubernetes, and those that addKinds adds.
func New(config *rest.Config, addKinds func(*runtime.Scheme) error, namespaces ...string) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), addKinds(scheme)); err != nil {
		return nil, err
	}
	watched := map[string]cache.Config{}
	for _, ns := range namespaces {
		watched[ns] = cache.Config{}
	}
	plan, err := stutter.FromEnvironment()
	if err != nil {
		return nil, err
	}
	again := true // a process runs the same controllers several times
	return ctrl.NewManager(plan.Requests(config), ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
		Cache:      cache.Options{DefaultNamespaces: watched},
		Controller: ctrlconfig.Controller{SkipNameValidation: &again},
	})
}

// Run runs managers until the test ends, or until stop, which waits for their end. The test fails if
// one ends with an error, and the message begins with name.
func Run(t testing.TB, name string, all ...ctrl.Manager) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for _, mgr := range all {
		group.Go(func() {
			if err := mgr.Start(ctx); err != nil {
				t.Errorf("%s ended: %v", name, err)
			}
		})
	}
	stop = sync.OnceFunc(func() {
		cancel()
		group.Wait()
	})
	t.Cleanup(stop)
	return stop
}
