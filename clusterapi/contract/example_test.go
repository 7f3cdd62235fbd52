package contract_test

import (
	"context"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/contract"
)

// A test of a provider that runs in the cluster of KUBECONFIG.
func ExampleRun() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	cluster := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "ShelfCluster",
		"spec": map[string]any{"region": "north"},
	}}
	report, err := contract.Run(context.Background(), config, contract.Provider{
		InfraCluster: cluster,
		Scenarios:    []string{"orphan", "owner"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range report.Findings {
		fmt.Println(finding)
	}
}

func ExampleFinding_String() {
	fmt.Println(contract.Finding{Rule: "C-ALL-6", Severity: severity.Error, Scenario: "owner", Role: "InfraCluster",
		Object: "ShelfCluster web", Evidence: "it was provisioned before it had an owner"})
	// Output: error: C-ALL-6: owner: InfraCluster ShelfCluster web: it was provisioned before it had an owner
}
