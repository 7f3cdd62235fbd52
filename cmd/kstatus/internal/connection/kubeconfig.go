package connection

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/text"
	"kstatus.dev/internal/typo"
)

// checkContext returns an error if a flag names a context that the kubeconfig does not have. It
// also returns an error if neither a kubeconfig nor a flag names a cluster.
func checkContext(env cli.Env, access clientcmd.ConfigAccess, flags *genericclioptions.ConfigFlags, config api.Config) error {
	if name := stringOf(flags.Context); name != "" && len(config.Contexts) > 0 && config.Contexts[name] == nil {
		return noSuchContext(name, config)
	}
	if !namesNothing(config) || stringOf(flags.APIServer) != "" || env.Getenv("KUBERNETES_MASTER") != "" {
		return nil
	}
	if _, err := rest.InClusterConfig(); err == nil || stringOf(flags.KubeConfig) != "" {
		return nil
	}
	return noKubeconfig(env, access.GetLoadingPrecedence())
}

func stringOf(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}

// namesNothing reports whether a kubeconfig has neither clusters nor contexts.
func namesNothing(config api.Config) bool {
	return len(config.Clusters) == 0 && len(config.Contexts) == 0
}

// noSuchContext returns an error with the names of the existing contexts.
func noSuchContext(name string, config api.Config) error {
	names := slices.Sorted(maps.Keys(config.Contexts))
	if meant := typo.Find(name, names); meant != "" {
		return fmt.Errorf("context %q does not exist in the kubeconfig; did you mean %s?", name, meant)
	}
	return fmt.Errorf("context %q does not exist in the kubeconfig; it has %s", name, enumerate(names))
}

// enumerate joins words into a text. It lists all words if they are few.
func enumerate(words []string) string {
	const most = 5
	if more := len(words) - most; more > 0 {
		words = append(words[:most:most], fmt.Sprintf("%d more", more))
	}
	return text.And(words)
}

// A MissingConfigError is the error for a kubeconfig that does not exist or has no cluster.
type MissingConfigError struct{ text string }

// Error returns the text with the names of the files.
func (e *MissingConfigError) Error() string { return e.text }

// noKubeconfig returns an error with the names of the files without a cluster.
func noKubeconfig(env cli.Env, files []string) error {
	if env.Getenv(clientcmd.RecommendedConfigPathEnvVar) == "" {
		if len(files) == 0 {
			files = []string{clientcmd.RecommendedHomeFile}
		}
		return &MissingConfigError{fmt.Sprintf("no kubeconfig: neither --kubeconfig nor $KUBECONFIG is set, and %s %s", files[0], fileState(files[0], "does not exist", "names no cluster"))}
	}
	for i, file := range files {
		files[i] += " (" + fileState(file, "no such file", "it names no cluster") + ")"
	}
	return &MissingConfigError{fmt.Sprintf("no kubeconfig: --kubeconfig is not set, and $KUBECONFIG is %s", strings.Join(files, string(os.PathListSeparator)))}
}

// fileState returns missing if a file does not exist, otherwise present.
func fileState(file, missing, present string) string {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return missing
	}
	return present
}
