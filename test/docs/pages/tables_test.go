package pages

import "strings"

// A row of a table is one command of a page.
type row struct{ page, command string }

// name returns the text of a command without its comment, in one line.
func (c commandLine) name() string {
	text, _, _ := strings.Cut(c.text, "  #")
	return strings.TrimSpace(strings.ReplaceAll(text, "\\\n", ""))
}

// shared lists the objects of the cluster that several pages name, with the command that removes
// each after a page. These pages run one after the other.
var shared = map[string]string{
	"shop": "kubectl -n shop scale deployments,statefulsets --all --replicas 0; " +
		"until [ -z \"$(kubectl -n shop get replicasets -o jsonpath='{.items[?(@.spec.replicas>0)].metadata.name}')\" ]; do sleep 0.1; done; " +
		"kubectl -n shop delete pods --all --force --grace-period 0; kubectl delete namespace shop --timeout 4m",
	"lamps": "kubectl delete crd lamps.example.com --timeout 4m",
}

// sharing lists the pages that name a shared object.
var sharing = map[string]string{
	"docs/guides/explain.md": "shop",
	"docs/guides/sets.md":    "shop",
	"README.md":              "shop", // of examples/shop
	"docs/guides/audit.md":   "lamps",
	"docs/guides/lint.md":    "lamps",
}

// An exit is the exit code of a command that does not end with 0.
type exit struct {
	code   int
	reason string
}

// exits lists the exit codes that are not 0.
var exits = map[row]exit{
	{"docs/guides/audit.md", "kstatus audit lamps.example.com -A --for 10m"}:                   {7, "the page shows an error"},
	{"docs/guides/reports.md", "kstatus wait -f shop/ --report json=- | jq '.causes[0].text'"}: {3, "a Job fails, so that there is a cause"},
	{"docs/guides/reports.md", "kstatus wait -f shop/ --record run.ndjson"}:                    {3, "the Job still fails"},
	{"docs/guides/reports.md", "kstatus wait --local -f run.ndjson --report html=wait.html"}:   {3, "the exit code is that of the recorded wait"},
	{"docs/guides/wait-in-ci.md", "kstatus wait -f shop/ --record run.ndjson"}:                 {3, "a Job fails, so that there is something to explain"},
	{"README.md", "kstatus wait -k examples/shop-broken --timeout 3m"}:                         {3, "the page shows a wait that fails"},
}

// An exception is a command that runs here in another form.
type exception struct{ instead, reason string }

// needsClusters is for the commands that need two management clusters.
var needsClusters = exception{
	"kstatus capi move --help | grep -e --to-context", "no management clusters run here; TestMoveGuides of test/clusterapi/move runs this command with two",
}

// needsCore is for the commands that need Clusters of Cluster API.
var needsCore = exception{
	"kstatus capi pause --help | grep -e --strict && kstatus capi unpause --help | grep -e --wake-after",
	"no Cluster API runs here; TestGuide of test/clusterapi/pause runs this command with the core manager and a provider",
}

// exceptions lists the commands that cannot run here as the page shows them.
var exceptions = map[row]exception{
	{"docs/guides/cluster-api.md", `kstatus capi check --scenarios test/lib/cluster.yaml --machine-edit '{"spec":{"size":"large"}}'`}: {
		"kstatus capi check --help | grep -e --scenarios && kstatus capi check --help | grep -e --machine-edit",
		"no provider runs here; TestCapiCheckOfACluster of test/clusterapi/provider runs this command with one",
	},
	{"docs/guides/move.md", "kstatus capi move -n shop --to-context new --dry-run --plan plan.json"}:                                                               needsClusters,
	{"docs/guides/move.md", "kubectl apply -f roles.yaml"}:                                                                                                         needsClusters,
	{"docs/guides/move.md", "kubectl create namespace kstatus --context new"}:                                                                                      needsClusters,
	{"docs/guides/move.md", "kubectl create namespace shop --context new"}:                                                                                         needsClusters,
	{"docs/guides/move.md", "kubectl apply -f roles.yaml --context new"}:                                                                                           needsClusters,
	{"docs/guides/move.md", "kstatus capi move -n shop --to-context new --plan plan.json --journal move.json --journal-namespace kstatus --report html=move.html"}: needsClusters,
	{"docs/guides/interrupted-move.md", "kubectl get configmaps -n kstatus --context new"}:                                                                         needsClusters,
	{"docs/guides/pause.md", "kstatus capi pause --all -n shop && velero backup create shop-1 --include-namespaces shop --wait"}:                                   needsCore,
	{"docs/guides/pause.md", "kstatus capi unpause --all -n shop"}:                                                                                                 needsCore,
	{"docs/guides/pause.md", "velero restore create --from-backup shop-1 --include-namespaces shop --wait"}:                                                        needsCore,
	{"docs/guides/pause.md", "kstatus rbac --serviceaccount shop:nightly -- capi pause --all -n shop | kubectl apply -f -"}:                                        needsCore,
	{"docs/guides/move.md", "kstatus capi move status --journal move.json"}:                                                                                        needsClusters,
	{"docs/guides/move.md", "kstatus wait clusters.cluster.x-k8s.io -n shop --context new --for condition=Available --timeout 10m"}:                                needsClusters,
	{"docs/guides/move.md", "kstatus capi move -n shop --to-directory backup"}:                                                                                     needsClusters,
	{"docs/guides/move.md", "kstatus capi move --from-directory backup --to-context new --dry-run"}:                                                                needsClusters,
	{"docs/guides/interrupted-move.md", "kstatus capi move status --journal move.json"}:                                                                            needsClusters,
	{"docs/guides/interrupted-move.md", "kstatus capi move rollback --to-context new --journal move.json"}:                                                         needsClusters,
	{"docs/guides/interrupted-move.md", "kstatus capi move resume --to-context new --journal move.json"}:                                                           needsClusters,
	{"docs/guides/interrupted-move.md", "kstatus capi move status --to-context new --journal-namespace kstatus --id 1a2b3c4d"}:                                     needsClusters,
	{"docs/guides/interrupted-move.md", "kstatus capi move resume --to-context new --journal-namespace kstatus --id 1a2b3c4d"}:                                     needsClusters,
	{"docs/guides/pause.md", "kstatus capi pause east -n shop"}:                                                                                                    needsCore,
	{"docs/guides/pause.md", "kstatus capi unpause east -n shop"}:                                                                                                  needsCore,
	{"docs/guides/pause.md", "kstatus capi pause east -n shop --quiet"}:                                                                                            needsCore,
	{"docs/guides/pause.md", `kubectl wait cluster/east -n shop --for=jsonpath='{.metadata.annotations.kstatus\.dev/pause-state}'=Paused --timeout 10m`}:           needsCore,
	{"docs/guides/pause.md", "kstatus capi unpause east -n shop --quiet"}:                                                                                          needsCore,
	{"docs/guides/pause.md", "kstatus capi pause machine/east-0 -n shop"}:                                                                                          needsCore,
	{"docs/guides/pause.md", "kstatus capi unpause machine/east-0 -n shop"}:                                                                                        needsCore,
	{"docs/guides/helm-command.md", "helm plugin install dropin/helm-plugin"}: {
		`helm plugin install "$ROOT/dropin/helm-plugin"`, "the folder of the page is no clone of the repository",
	},
	{"docs/guides/flux-controllers.md", "docker build -t registry.example.com/kustomize-controller:kstatus ."}: {
		"grep 'replace github.com/fluxcd/cli-utils => kstatus.dev/dropin/fluxcd v1.3.0' go.mod", "no container engine runs here",
	},
	{"docs/guides/audit.md", "kstatus audit lamps.example.com -A --for 10m"}: {
		"kstatus audit lamps.example.com -A --for 20s", "a test cannot take ten minutes; the writes are made in some seconds",
	},
}
