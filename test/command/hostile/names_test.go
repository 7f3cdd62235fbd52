package hostile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// badPod is a Pod that is not ready, and whose volumes have paths as names.
const badPod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "shop", "uid": "1", "resourceVersion": "7"},
	"spec": {"nodeName": "../namespaces/kube-system/secrets/node", "serviceAccountName": "../services/evil:80/proxy/account",
		"imagePullSecrets": [{"name": "../services/evil:80/proxy/pull"}],
		"volumes": [
			{"name": "a", "secret": {"secretName": "../services/evil:80/proxy/shutdown?x=1"}},
			{"name": "b", "configMap": {"name": "../../../nodes/n1/proxy/run"}},
			{"name": "c", "persistentVolumeClaim": {"claimName": "..%2fservices%2fevil:80%2fproxy"}}],
		"containers": [{"name": "main", "image": "x", "envFrom": [{"secretRef": {"name": ".."}}, {"configMapRef": {"name": "../services/evil:80/proxy/cm"}}]}]},
	"status": {"phase": "Pending", "containerStatuses": [{"name": "main", "ready": false, "state": {"waiting": {"reason": "ContainerCreating"}}}]}}`

func TestNamesOfObjectsAreNoPaths(t *testing.T) {
	t.Parallel()
	s := serve(t, badPod)
	_, out := kstatus(t, "explain", "pod/p", "--kubeconfig", s.kubeconfig())
	s.onlyExpected(t)
	for _, want := range []string{`no object can have the name "../services/evil:80/proxy/shutdown?x=1": it contains "/"`} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in the explanation, have\n%s", want, out)
		}
	}
	if strings.Contains(out, "does not serve") {
		t.Errorf("the explanation blames the cluster:\n%s", out)
	}
}

func TestNamesOfManifestsAreNoPaths(t *testing.T) {
	t.Parallel()
	s := serve(t, `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "good", "namespace": "shop", "uid": "1", "resourceVersion": "7"}}`)
	file := filepath.Join(t.TempDir(), "m.yaml")
	manifests := []string{
		`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "../services/evil:80/proxy/x"}}`,
		`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "../nodes/n1/proxy"}}`,
		`{"apiVersion": "../../api/v1/nodes/n1/proxy/v1", "kind": "Run", "metadata": {"name": "x"}}`,
		`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "good"}}`,
	}
	if err := os.WriteFile(file, []byte(strings.Join(manifests, "\n---\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out := kstatus(t, "wait", "-f", file, "--timeout", "3s", "--kubeconfig", s.kubeconfig())
	s.onlyExpected(t)
	for _, want := range []string{
		`no object can have the name "../services/evil:80/proxy/x": it contains "/"`,
		`no namespace can have the name "../nodes/n1/proxy": it contains "/"`,
		`no group can have the name ".."`,
		"Current     ConfigMap/shop/good",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in the log, have\n%s", want, out)
		}
	}
	if code == 0 {
		t.Error("the wait succeeds")
	}
}

// Arguments of a user or of a foreign script are not taken as paths either.
func TestNamesOfArgumentsAreNoPaths(t *testing.T) {
	t.Parallel()
	const path = "../../nodes/n1/proxy/run"
	for _, args := range [][]string{
		{"get", "pod/p", "-n", path},
		{"get", "secrets", "-n", path},
		{"get", "pods,secrets", "-n", ".."},
		{"wait", "pods", "-n", path, "--timeout", "2s"},
		{"wait", "secret/a", "-n", path, "--timeout", "2s"},
		{"wait", "secret/..", "--timeout", "2s"},
		{"wait", "secret", "..%2fx", "--timeout", "2s"},
		{"explain", "pod/p", "-n", path},
		{"explain", "secret/" + "..", "-n", path},
		{"get", "helm/web", "-n", path},
		{"get", "applyset/" + path},
		{"get", "kapp/" + path},
		{"get", "kpt/" + path},
		{"get", "all", "-n", path},
		{"get", "pods." + path},
		{"get", "secrets.v1." + path},
		{"audit", "pods", "-n", path, "--for", "1s"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			s := serve(t, badPod)
			code, out := kstatus(t, append(args, "--kubeconfig", s.kubeconfig())...)
			s.onlyExpected(t)
			if fails := args[0] == "wait" || args[0] == "audit"; fails && code == 0 || code == 2 && !strings.Contains(out, ": want ") {
				t.Errorf("have exit code %d\n%s", code, out)
			}
		})
	}
}

// onlyExpected fails the test after an unexpected request. Expected are discovery, schemas, and
// objects of the served kinds in the namespaces of the test.
func (s *server) onlyExpected(t *testing.T) {
	t.Helper()
	for _, request := range s.log() {
		_, uri, _ := strings.Cut(request, " ")
		path, _, _ := strings.Cut(uri, "?")
		if !isExpected(path) {
			t.Errorf("unexpected request: %s", request)
		}
	}
}

// isExpected reports whether kstatus may request a path.
func isExpected(path string) bool {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, part := range parts {
		if part == "" || strings.ContainsAny(part, `%\`) || strings.Trim(part, ".") == "" {
			return false
		}
	}
	if parts[0] == "openapi" || path == "/version" || path == "/api" || path == "/apis" {
		return true
	}
	for _, k := range kinds {
		if path == k.path() || path == "/apis/"+k.group {
			return true
		}
		rest, found := strings.CutPrefix(path, k.path()+"/")
		if !found {
			continue
		}
		rest = strings.TrimPrefix(rest, "namespaces/shop/")
		if name, named := strings.CutPrefix(rest, k.resource+"/"); rest == k.resource || named && !strings.Contains(name, "/") {
			return true
		}
	}
	// Kinds that the server does not serve, but that kstatus may request.
	return slices.Contains([]string{
		"/apis/apiextensions.k8s.io", "/apis/authentication.k8s.io/v1/selfsubjectreviews",
	}, path) || strings.HasPrefix(path, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/")
}
