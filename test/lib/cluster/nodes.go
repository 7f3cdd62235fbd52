package cluster

import (
	"context"
	_ "embed"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/test/lib/apply"
)

//go:embed objects.yaml
var baseObjects []byte

// createBaseObjects creates Nodes, storage classes and an ingress class in the new cluster and
// waits until the Nodes are ready.
func (c *Cluster) createBaseObjects(ctx context.Context, nodes int) error {
	objects, err := apply.Parse(baseObjects)
	if err != nil {
		return err
	}
	for i := range nodes {
		objects = append(objects, simulatedNode(i))
	}
	if err := apply.To(ctx, c.config, "default", objects, nil); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		return err
	}
	return until(ctx, pause, func() error {
		list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		if have, want := readyNodes(list.Items), nodes+c.layout.realNodes; have < want {
			return fmt.Errorf("%d of %d Nodes are ready", have, want)
		}
		return nil
	})
}

// simulatedNode returns the Node with a number: node-1, node-2, … in the zones a, b and c in turn.
func simulatedNode(i int) *unstructured.Unstructured {
	name := fmt.Sprintf("node-%d", i+1)
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1",
		"kind":       "Node",
		"metadata": map[string]any{
			"name": name,
			"labels": map[string]any{
				"kubernetes.io/hostname":        name,
				"kubernetes.io/os":              "linux",
				"kubernetes.io/arch":            "amd64",
				"topology.kubernetes.io/region": "test",
				"topology.kubernetes.io/zone":   string(rune('a' + i%3)),
			},
			// A field that a kubelet sets: the controller manager attaches its volumes.
			"annotations": map[string]any{"volumes.kubernetes.io/controller-managed-attach-detach": "true"},
		},
	}}
}

// readyNodes counts the schedulable Nodes: ready, and without the taints of new Nodes.
func readyNodes(nodes []corev1.Node) int {
	n := 0
	for _, node := range nodes {
		ready := false
		for _, condition := range node.Status.Conditions {
			ready = ready || condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue
		}
		if ready && len(node.Spec.Taints) == 0 {
			n++
		}
	}
	return n
}
