// cert-manager runs the controllers of cert-manager that issue certificates. The module of its own
// program cannot be required.
package main

import (
	"context"
	"flag"
	"log"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/acmechallenges"
	_ "github.com/cert-manager/cert-manager/pkg/controller/acmeorders"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/acme"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/acme"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

func main() {
	// The names and meanings are those of cert-manager's own flags.
	var o controller.ContextOptions
	flag.StringVar(&o.Kubeconfig, "kubeconfig", "", "path of the kubeconfig")
	flag.StringVar(&o.ClusterResourceNamespace, "cluster-resource-namespace", "kube-system", "namespace of the Secrets of ClusterIssuers")
	flag.DurationVar(&o.CertificateRequestMinimumBackoffDuration, "certificate-request-minimum-backoff-duration", time.Hour, "delay after a failed request")
	flag.Parse()
	o.CertificateRequestMaximumBackoffDuration = 32 * time.Hour
	o.MaxConcurrentChallenges = 60
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		log.Fatal(err)
	}
}

// run runs all controllers that are linked, as cert-manager's own program does.
func run(ctx context.Context, o controller.ContextOptions) error {
	factory, err := controller.NewContextFactory(ctx, o)
	if err != nil {
		return err
	}
	shared, err := factory.Build()
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	for name, build := range controller.Known() {
		built, err := build(factory)
		if err != nil {
			return err
		}
		group.Go(func() {
			if err := built.Run(5, ctx); err != nil {
				log.Printf("%s: %v", name, err)
			}
		})
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	group.Wait()
	return nil
}
