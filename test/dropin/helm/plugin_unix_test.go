//go:build unix

package helm_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a program that prints its name, its arguments and its token. It exits with the number in the
// variable of its name.
const recorder = `#!/bin/sh
name=${0##*/}
echo "$name $*"
[ -z "${KSTATUS_TOKEN:-}" ] || echo "token $KSTATUS_TOKEN"
eval "exit \${EXIT_$name:-0}"
`

// The plugin passes the arguments to helm, and then waits. The tests of test/docs/pages run it with the
// real helm and the real kstatus.
func TestPlugin(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"helm", "kstatus"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(recorder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	const wait = "kstatus wait helm/web --namespace shop --timeout 5m --profile started --missing=fail\n"
	for _, row := range []struct {
		it, arguments string
		environment   []string
		want          string
		code          int
	}{
		{"upgrades and waits", "upgrade web ./web --install", nil, "helm upgrade --wait=hookOnly web ./web --install\n" + wait, 0},
		{"rolls back and waits", "rollback web 1", nil, "helm rollback --wait=hookOnly web 1\n" + wait, 0},
		{"passes the timeout", "upgrade web ./web --timeout 10m", nil,
			"helm upgrade --wait=hookOnly web ./web --timeout 10m\n" + strings.Replace(wait, "5m", "10m", 1), 0},
		{"passes the timeout after an equals sign", "install web ./web --timeout=90s", nil,
			"helm install --wait=hookOnly web ./web --timeout=90s\n" + strings.Replace(wait, "5m", "90s", 1), 0},
		{"waits for Jobs", "install web ./web --wait-for-jobs", nil,
			"helm install --wait=hookOnly web ./web --wait-for-jobs\n" + strings.Replace(wait, "started", "default", 1), 0},
		{"does not wait after a dry run", "upgrade web ./web --dry-run=server", nil, "helm upgrade --wait=hookOnly web ./web --dry-run=server\n", 0},
		{"uses the connection of helm", "upgrade web ./web", []string{"HELM_KUBECONTEXT=my context", "HELM_KUBEASUSER=ci", "HELM_KUBEASGROUPS=a,b c", "HELM_KUBEINSECURE_SKIP_TLS_VERIFY=true"},
			"helm upgrade --wait=hookOnly web ./web\n" + strings.Replace(wait, "\n", " --context my context --as ci --insecure-skip-tls-verify --as-group a --as-group b c\n", 1), 0},
		{"passes the token of helm outside of the arguments", "upgrade web ./web", []string{"HELM_KUBETOKEN=abc.def"}, "helm upgrade --wait=hookOnly web ./web\n" + wait + "token abc.def\n", 0},
		{"ends with the exit code of helm", "upgrade web ./web", []string{"EXIT_helm=7"}, "helm upgrade --wait=hookOnly web ./web\n", 7},
		{"ends with the exit code of the wait", "upgrade web ./web", []string{"EXIT_kstatus=3"}, "helm upgrade --wait=hookOnly web ./web\n" + wait, 3},
		{"does not wait after the help of a command", "upgrade web --help", nil, "helm upgrade --wait=hookOnly web --help\n", 0},
		{"uses the namespace of the short flag", "upgrade web ./web -nother", nil,
			"helm upgrade --wait=hookOnly web ./web -nother\n" + strings.Replace(wait, "shop", "other", 1), 0},
		{"uses the namespace after an equals sign", "upgrade web ./web -n=other", nil,
			"helm upgrade --wait=hookOnly web ./web -n=other\n" + strings.Replace(wait, "shop", "other", 1), 0},
		{"does not start helm without kstatus", "upgrade web ./web", []string{"PATH=/nowhere"}, "", 127},
		{"prints its usage", "--help", nil, "usage: helm kstatus upgrade|install|rollback RELEASE [arguments and flags of helm]\n", 0},
		{"refuses a wait of helm", "upgrade web ./web --rollback-on-failure", nil, "", 2},
		{"refuses a flag before the name", "upgrade --install web ./web", nil, "", 2},
		{"refuses other commands", "list", nil, "", 2},
		{"refuses to run without a command", "", nil, "", 2},
	} {
		t.Run(row.it, func(t *testing.T) {
			cmd := exec.Command(shell, append([]string{"../../../dropin/helm-plugin/kstatus.sh"}, strings.Fields(row.arguments)...)...)
			cmd.Env = append(append(os.Environ(), "HELM_BIN="+filepath.Join(bin, "helm"), "HELM_NAMESPACE=shop",
				"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH")), row.environment...)
			out, err := cmd.Output()
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				code = exit.ExitCode()
				if code == 2 && !strings.Contains(string(exit.Stderr), "usage: helm kstatus") {
					t.Errorf("standard error is %q, want the usage", exit.Stderr)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if string(out) != row.want || code != row.code {
				t.Errorf("have the exit code %d and\n%swant %d and\n%s", code, out, row.code, row.want)
			}
		})
	}
}
