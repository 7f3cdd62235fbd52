package main

// A suite is the tests of one importer.
type suite struct {
	name     string
	module   string // of the importer
	version  string
	packages []string // with the tests, below the module
	only     string   // the tests to run, as for go test -run; empty: all
	skip     string   // as for go test -skip
	place    place
	envtest  bool // the tests start an API server
	docker   bool // the tests start containers, which the selected tests do not use
	// Environment variables for the tests, in all variants.
	variables []string
	// The package with the function main to build for the sizes, below the module. The constant
	// importing is for libraries. Empty: none.
	program string
	// The module graph is too large for go mod tidy. So requirements that are no longer needed remain.
	untidy bool
	// What readers of the page need to know about the suite.
	note string
	// The files with tests that cannot be compiled beside a façade. They use names that the original
	// does not export.
	unexported []string
	// Files for the tests beside a façade, by path. They have declarations of the files above that
	// other tests need.
	added map[string]string
	// Requirements on modules in all variants, so that these differ in nothing else. They are for
	// importers with Kubernetes libraries that are older than those of kstatus.dev/dropin.
	least []string
	// Packages of the original that the tests beside a façade need, and that the façade lacks.
	copied []string
	// Why tests fail.
	reasons []reason
	// Files of other modules that the tests in a copy need, by path in the copy.
	files map[string]moduleFile
}

// A moduleFile is a file in the module cache.
type moduleFile struct{ module, version, path string }

// A place says where the tests of a suite run.
type place string

const (
	inModule place = "in the module cache" // by their import paths
	inCopy   place = "in a copy"           // of a main module, without the replacement of its nested module
	// in a copy of the façade, to which the tests of the original are added
	beside place = "beside the façade"
)

// originals are the modules that a façade replaces, and the folders of the façades.
var originals = map[string]string{
	"github.com/fluxcd/cli-utils": "dropin/fluxcd",
	"sigs.k8s.io/cli-utils":       "dropin/sigs",
}

var suites = []suite{
	{
		name: "cliutils", module: "github.com/fluxcd/cli-utils", version: "v1.3.0", place: beside,
		reasons: append(inRight, reason{
			variantRight, []string{
				"pkg/kstatus/watcher TestDefaultStatusWatcher", "pkg/kstatus/watcher TestEventHandlerConcurrency", "pkg/kstatus/watcher TestResourceNotFoundError",
			},
			syncFirst + " TestDefaultStatusWatcher then waits until the timeout, and the others do not run after it.",
		}),
		packages:   kstatusPackages,
		unexported: internalTests,
		added:      declarations,
	},
	{
		name: "sigs", module: "sigs.k8s.io/cli-utils", version: "v0.37.2", place: beside,
		note: "The fake clients of the tests send no bookmarks after a list. So client-go from v0.35 on waits for " +
			"them, and TestDefaultStatusWatcher fails with the original too. The tests run without " +
			"the feature WatchListClient, as with the client-go that the original requires.",
		variables:  []string{"KUBE_FEATURE_WatchListClient=false"},
		reasons:    sigsReasons,
		packages:   append([]string{"pkg/object/dependson", "pkg/object/validation", "pkg/object/mutation"}, kstatusPackages...),
		unexported: internalTests,
		copied:     []string{"pkg/multierror"},
		least:      newest,
		added:      declarations,
	},
	{
		name: "helm", module: "helm.sh/helm/v4", version: "v4.3.1", place: inModule,
		reasons:  helmInRight,
		program:  "cmd/helm",
		packages: []string{"pkg/kube", "internal/statusreaders"},
	},
	{
		name: "helm-actions", module: "helm.sh/helm/v4", version: "v4.3.1", place: inModule,
		reasons:  helmActions,
		packages: []string{"pkg/action", "pkg/cmd"},
	},
	{
		name: "zarf", module: "github.com/zarf-dev/zarf", version: "v0.84.0", place: inModule,
		reasons:  zarfInRight,
		program:  ".",
		packages: []string{"src/internal/healthchecks"},
	},
	{
		name: "runtime", module: "github.com/fluxcd/pkg/runtime", version: "v0.110.3", place: inModule, envtest: true,
		program:  importing,
		packages: []string{"statusreaders", "cel", "client"},
	},
	{
		name: "ssa", module: "github.com/fluxcd/pkg/ssa", version: "v0.78.0", place: inModule, envtest: true,
		reasons:  ssaInRight,
		program:  importing,
		packages: []string{".", "utils"},
	},
	{
		name: "kustomize-controller", module: "github.com/fluxcd/kustomize-controller", version: "v1.9.5", place: inCopy, envtest: true, docker: true,
		note: "Before the first test, the tests start Vault in Docker for encrypted values. No selected test uses it. " +
			"The runner answers in place of Docker and Vault. The definitions of sources are files of source-controller.",
		program:  ".",
		packages: []string{"internal/controller"},
		files: map[string]moduleFile{
			"config/crd/bases/gitrepositories.yaml":   sourceDefinition("gitrepositories"),
			"config/crd/bases/buckets.yaml":           sourceDefinition("buckets"),
			"config/crd/bases/ocirepositories.yaml":   sourceDefinition("ocirepositories"),
			"config/crd/bases/externalartifacts.yaml": sourceDefinition("externalartifacts"),
		},
		only: "^TestKustomizationReconciler_(WaitConditions|WaitIgnoresSkippedObjects|WaitsForCustomHealthChecks|RESTMapper|CancelHealthCheckOnNewRevision|HealthCheckExprs_GroupOnly)",
	},
	{
		name: "kustomize-inventory", module: "github.com/fluxcd/kustomize-controller", version: "v1.9.5", place: inCopy,
		packages: []string{"internal/inventory"},
	},
	{
		name: "helm-controller", module: "github.com/fluxcd/helm-controller", version: "v1.6.4", place: inCopy,
		program:  ".",
		packages: []string{"internal/action"}, only: "^TestGetWaitStrategy",
	},
	{
		name: "skaffold", module: "github.com/GoogleContainerTools/skaffold/v2", version: "v2.24.0", place: inCopy,
		reasons:  skaffoldInRight,
		note:     "The go.mod file of skaffold selects Kubernetes v0.33.4 with its own replace lines.",
		program:  importing,
		untidy:   true,
		packages: []string{"pkg/diag/validator"}, only: "^TestConfigConnectorValidator",
	},
	graftSuite,
}

// kstatusPackages are the packages with tests that both originals have.
var kstatusPackages = []string{
	"pkg/kstatus/status",
	"pkg/kstatus/watcher",
	"pkg/kstatus/polling/engine",
	"pkg/kstatus/polling/event",
	"pkg/kstatus/polling/collector",
	"pkg/kstatus/polling/aggregator",
	"pkg/kstatus/polling/statusreaders",
	"pkg/object",
	"pkg/flowcontrol",
}

// sourceDefinition returns the file with the definition of a kind of source-controller.
func sourceDefinition(resource string) moduleFile {
	return moduleFile{"github.com/fluxcd/source-controller", "v1.9.0", "config/crd/bases/source.toolkit.fluxcd.io_" + resource + ".yaml"}
}

// newest lists the versions of the module of these tests.
var newest = []string{
	"k8s.io/api@v0.37.2", "k8s.io/apimachinery@v0.37.2", "k8s.io/cli-runtime@v0.37.0", "k8s.io/client-go@v0.37.2",
	"k8s.io/kubectl@v0.37.0", "sigs.k8s.io/controller-runtime@v0.25.2",
}

var internalTests = []string{
	"pkg/kstatus/polling/statusreaders/common_test.go",
	"pkg/kstatus/polling/statusreaders/generic_test.go",
	"pkg/kstatus/polling/statusreaders/pod_controller_test.go",
}

var declarations = map[string]string{
	"pkg/kstatus/polling/statusreaders/declarations_test.go": `package statusreaders

import appsv1 "k8s.io/api/apps/v1"

var (
	deploymentGVK = appsv1.SchemeGroupVersion.WithKind("Deployment")
	deploymentGVR = appsv1.SchemeGroupVersion.WithResource("deployments")
	replicaSetGVK = appsv1.SchemeGroupVersion.WithKind("ReplicaSet")
)
`,
}

func suiteNames() (names []string) {
	for _, s := range suites {
		names = append(names, s.name)
	}
	return names
}
