package connection

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

// The token in the environment counts as that of --token, which comes first.
func TestTokenVariable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	const config = `{"apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
"users": [{"name": "c", "user": {"token": "of the file"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}`
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ it, flag, variable, want string }{
		{"uses the kubeconfig", "", "", "of the file"},
		{"uses the variable", "", "of the variable", "of the variable"},
		{"uses the flag", "of the flag", "of the variable", "of the flag"},
	} {
		t.Run(row.it, func(t *testing.T) {
			flags := genericclioptions.NewConfigFlags(true)
			flags.KubeConfig, flags.BearerToken = &file, &row.flag
			c, err := Connect(t.Context(), cli.Env{Environ: []string{"KSTATUS_TOKEN=" + row.variable}}, flags)
			if err != nil {
				t.Fatal(err)
			}
			if have := c.Config.BearerToken; have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
