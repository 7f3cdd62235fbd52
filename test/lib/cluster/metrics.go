package cluster

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/test/lib/apply"
)

// metrics is the metrics API: every container of a running Pod uses half of its requests. It
// replaces metrics-server, which would query the kubelets.
type metrics struct{ client kubernetes.Interface }

// serveMetrics starts the metrics API and registers it with the API server.
func (c *Cluster) serveMetrics(ctx, life context.Context) error {
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		return err
	}
	listener, err := listen()
	if err != nil {
		return err
	}
	if err := c.startServer(life, "the metrics API", listener, metrics{client}.handler()); err != nil {
		return err
	}
	return c.register(ctx, int64(portOf(listener)))
}

// register registers the metrics API at a port of this machine with the API server, and waits
// until it is available.
func (c *Cluster) register(ctx context.Context, port int64) error {
	service := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Service",
		"metadata": map[string]any{"namespace": "kube-system", "name": "metrics"},
		"spec":     map[string]any{"type": "ExternalName", "externalName": "localhost"},
	}}
	registration := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
		"metadata": map[string]any{"name": "v1beta1.metrics.k8s.io"},
		"spec": map[string]any{
			"group": "metrics.k8s.io", "version": "v1beta1",
			"groupPriorityMinimum": int64(100), "versionPriority": int64(100),
			"insecureSkipTLSVerify": true,
			"service":               map[string]any{"namespace": "kube-system", "name": "metrics", "port": port},
		},
	}}
	if err := apply.To(ctx, c.config, "kube-system", []*unstructured.Unstructured{service, registration}, nil); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		return err
	}
	return until(ctx, pause, func() error {
		_, err := client.Discovery().ServerResourcesForGroupVersion("metrics.k8s.io/v1beta1")
		return err
	})
}

func (m metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, metav1.APIResourceList{
			TypeMeta:     metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
			GroupVersion: "metrics.k8s.io/v1beta1",
			APIResources: []metav1.APIResource{{Name: "pods", Kind: "PodMetrics", Namespaced: true, Verbs: []string{"get", "list"}}},
		})
	})
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1/pods", m.list)
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1/namespaces/{namespace}/pods", m.list)
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1/namespaces/{namespace}/pods/{name}", m.get)
	return mux
}

func (m metrics) list(w http.ResponseWriter, req *http.Request) {
	options := metav1.ListOptions{LabelSelector: req.URL.Query().Get("labelSelector")}
	pods, err := m.client.CoreV1().Pods(req.PathValue("namespace")).List(req.Context(), options)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	items := []any{}
	for i := range pods.Items {
		if pods.Items[i].Status.Phase == corev1.PodRunning {
			items = append(items, usage(&pods.Items[i]))
		}
	}
	answer(w, map[string]any{
		"apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetricsList",
		"metadata": map[string]any{}, "items": items,
	})
}

func (m metrics) get(w http.ResponseWriter, req *http.Request) {
	pod, err := m.client.CoreV1().Pods(req.PathValue("namespace")).Get(req.Context(), req.PathValue("name"), metav1.GetOptions{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	answer(w, usage(pod))
}

// usage returns the metrics of a Pod.
func usage(pod *corev1.Pod) map[string]any {
	containers := []any{}
	for _, c := range pod.Spec.Containers {
		cpu, memory := c.Resources.Requests.Cpu(), c.Resources.Requests.Memory()
		containers = append(containers, map[string]any{"name": c.Name, "usage": map[string]any{
			"cpu":    resource.NewMilliQuantity(cpu.MilliValue()/2, resource.DecimalSI).String(),
			"memory": resource.NewQuantity(memory.Value()/2, resource.BinarySI).String(),
		}})
	}
	return map[string]any{
		"apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetrics",
		"metadata":  map[string]any{"name": pod.Name, "namespace": pod.Namespace, "labels": pod.Labels},
		"timestamp": metav1.NewTime(time.Now()), "window": "1s",
		"containers": containers,
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	// An error here means that the client has closed the connection.
	_ = json.NewEncoder(w).Encode(v)
}
