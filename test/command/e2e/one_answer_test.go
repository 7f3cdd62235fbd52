package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/status"
	"kstatus.dev/test/lib/poll"
)

// A verdictLine contains the fields of -o json that the test reads.
type verdictLine struct {
	Type    string `json:"type"`
	ID      struct{ Kind string }
	Status  status.Status  `json:"status"`
	Failure status.Failure `json:"failure"`
	Reason  string         `json:"reason"`
}

// wordOf returns the printed status, and the reason, of the last line about an object of a
// kind.
func wordOf(t *testing.T, kind, out string) (word, reason string) {
	t.Helper()
	for line := range strings.Lines(out) {
		var v verdictLine
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if v.Type != "object" || v.ID.Kind != kind {
			continue
		}
		if word, reason = string(v.Status), v.Reason; v.Status == status.InProgressStatus && v.Failure == status.FailureRecoverable {
			word = "Failing"
		}
	}
	return word, reason
}

// All commands print the same verdict about a workload whose Pods fail.
func TestCommandsAgreeOnWorkload(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	faults := []struct{ name, container, annotations, reason string }{
		{"pull", unpullablePod, "", "ImagePullBackOff"},
		{"config", readyPod, `kstatus.dev/pod: config-error, kstatus.dev/says: secret "nope" not found, `, "ContainerError"},
		{"crash", crashingPod, "", "CrashLoop"},
		{"huge", unschedulablePod, "", "Unschedulable"},
	}
	kinds := []string{"Deployment", "StatefulSet"}
	for _, kind := range kinds {
		for _, a := range faults {
			text := workload(kind, a.name, "app: "+strings.ToLower(kind)+"-"+a.name, "replicas: 1", a.container)
			c.Apply(t, ns, strings.Replace(text, "annotations: {", "annotations: {"+a.annotations, 1))
		}
	}
	run := func(args ...string) commandOutput {
		return runAs(t, c.Kubeconfig(), "", append(args, "-n", ns)...)
	}
	for _, kind := range kinds {
		for _, a := range faults {
			t.Run(kind+" "+a.name, func(t *testing.T) {
				t.Parallel()
				name := kind + "/" + a.name
				poll.Check(t, func() error {
					if word, reason := wordOf(t, kind, run("get", name, "-o", "json").out); reason != a.reason {
						return fmt.Errorf("have %s, %s, want the reason %s", word, reason, a.reason)
					}
					return nil
				})
				ask := func(args ...string) string {
					have := run(append(args, "-o", "json")...)
					word, reason := wordOf(t, kind, have.out)
					if a.name == "crash" && word == "Failing" && slices.Contains(args, "3s") {
						word = "Failed" // its grace period is still running
					}
					return fmt.Sprintf("%s %s, exit %d", word, reason, have.code)
				}
				var answers []string
				// Failing is Failed once its grace period has passed. If that was between two
				// commands, they are compared again.
				for len(answers) == 0 || answers[0] != ask("get", name, "--exit-code") {
					answers = []string{
						ask("get", name, "--exit-code"), ask("get", name, "--exit-code", "--tree"),
						ask("wait", name, "--timeout", "0", "--explain", "none"), ask("wait", name, "--timeout", "3s", "--explain", "none"),
					}
				}
				if len(slices.Compact(slices.Clone(answers))) != 1 || !strings.HasSuffix(answers[0], ", exit 3") {
					t.Errorf("get, get --tree, wait --timeout 0 and wait --timeout 3s answer\n%s", strings.Join(answers, "\n"))
				}
				if plain := run("get", name, "--pods=false", "-o", "json"); !strings.Contains(plain.out, `"status":"InProgress"`) {
					t.Errorf("without Pods it is %s", plain.out)
				}
			})
		}
	}
}

// The roles for get without Pods permit less, and are sufficient.
func TestGetWithoutPodsNeedsNoPermissionOnThem(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	with := runAs(t, c.Kubeconfig(), "", "rbac", "--optional", "--", "get", "deployments", "-n", ns)
	without := runAs(t, c.Kubeconfig(), "", "rbac", "--", "get", "deployments", "-n", ns, "--pods=false")
	if !strings.Contains(with.out, "- pods\n") || !strings.Contains(with.out, "- replicasets\n") {
		t.Errorf("with Pods: have %+v, want rules for pods and replicasets", with)
	}
	if strings.Contains(without.out, "- pods\n") || strings.Contains(without.out, "- replicasets\n") || !strings.Contains(without.out, "- deployments\n") {
		t.Errorf("without Pods: have %+v, want a rule for deployments alone", without)
	}
}
