package cluster

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// LogAnnotation is the annotation of a Pod with the log of each of its containers, in its last
// run.
const LogAnnotation = "kstatus.dev/log"

// logs simulates the log endpoint of the kubelets of all Nodes.
type logs struct{ client kubernetes.Interface }

// serveLogs serves the logs of Pods at the kubelet addresses of the Nodes.
func (c *Cluster) serveLogs(life context.Context) error {
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /containerLogs/{namespace}/{pod}/{container}", logs{client})
	return c.startServer(life, "the server of logs", c.kubelet, mux)
}

func (l logs) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	pod, err := l.client.CoreV1().Pods(req.PathValue("namespace")).Get(req.Context(), req.PathValue("pod"), metav1.GetOptions{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	text, err := logOf(pod, req.PathValue("container"), req.FormValue("previous") == "true")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if most, err := strconv.Atoi(req.FormValue("tailLines")); err == nil {
		lines := strings.SplitAfter(text, "\n")
		text = strings.Join(lines[max(0, len(lines)-1-most):], "")
	}
	if most, err := strconv.Atoi(req.FormValue("limitBytes")); err == nil {
		text = text[:min(len(text), most)]
	}
	// An error here means that the client has closed the connection.
	_, _ = fmt.Fprint(w, text)
}

// logOf returns the log of a container's last run or of the run before. A container that waits
// for a restart has only the log of its ended run. A container that never ran has none.
func logOf(pod *corev1.Pod, container string, previous bool) (string, error) {
	text := pod.Annotations[LogAnnotation]
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for _, c := range list {
			switch ended := c.LastTerminationState.Terminated != nil; {
			case c.Name != container:
			case previous && !ended:
				return "", fmt.Errorf("previous terminated container %q in pod %q not found", container, pod.Name)
			case !previous && !ended && c.State.Waiting != nil:
				return "", fmt.Errorf("container %q in pod %q is waiting to start: %s", container, pod.Name, c.State.Waiting.Reason)
			default:
				return text, nil
			}
		}
	}
	return "", fmt.Errorf("container %q in pod %q is not available", container, pod.Name)
}
