package kstatus

import "strings"

// A row lists what one package may import in addition to the standard library. It names packages of
// this repository by their folder, and packages of other modules by a prefix of their path.
type row struct {
	folder string
	may    string
	tests  string // what only its tests may import
	tables string // patterns of files with tables; they do not count for the package's size
}

// Groups of packages of other modules that belong together.
const (
	machinery = " k8s.io/api k8s.io/apimachinery "
	client    = machinery + " k8s.io/client-go k8s.io/klog/v2 "
	flags     = " github.com/spf13/cobra github.com/spf13/pflag k8s.io/cli-runtime "
	terminal  = " github.com/charmbracelet "
	manager   = machinery + " k8s.io/client-go sigs.k8s.io/controller-runtime "
	asserters = machinery + " github.com/google/go-cmp github.com/stretchr/testify "
	peers     = " github.com/fluxcd/cli-utils sigs.k8s.io/cli-utils sigs.k8s.io/kustomize/kstatus "
)

// shared lists the packages that every shipped package may import, whatever its row lists.
var shared = []string{"internal/annotation", "internal/condition", "internal/crash", "internal/decoded", "internal/directive", "internal/duration", "internal/expansion", "internal/integer", "internal/markdown", "internal/ruletest", "internal/surrogate", "internal/text", "internal/typo", "internal/sleep"}

// sharedByTests lists the packages that the tests of every package may import.
var sharedByTests = []string{"internal/bubble"}

// architecture lists every package of the repository, in the order of
// docs/contributing/architecture.md. First come the libraries, which import the standard
// library only, and kube, which imports Kubernetes' libraries. The command and the example
// follow, and then the tests, which may import all of them.
var architecture = append([]row{
	{folder: ".", tests: "internal/markdown"},
	{folder: "docs"},
	{folder: "internal/annotation", may: "internal/text"},
	{folder: "internal/condition", may: "internal/integer"},
	{folder: "internal/crash"},
	{folder: "internal/decoded"},
	{folder: "internal/directive"},
	{folder: "internal/duration"},
	{folder: "internal/guard", may: "internal/text"},
	{folder: "internal/expansion"},
	{folder: "internal/integer"},
	{folder: "internal/markdown"},
	{folder: "internal/bubble"},
	{folder: "internal/planted"},
	{folder: "internal/ruletest"},
	{folder: "internal/secretfield"},
	{folder: "internal/surrogate"},
	{folder: "internal/text"},
	{folder: "internal/turn"},
	{folder: "internal/typo"},
	{folder: "status/internal/field", may: under("status/internal/", "value word")},
	{folder: "status/internal/managedfields"},
	{folder: "status/internal/quantity"},
	{folder: "status/internal/value"},
	{folder: "status/internal/word"},
	{folder: "status/schema", may: under("status/internal/", "managedfields value word"), tests: "status"},
	{folder: "status", may: "status/schema" + under("status/internal/", "field managedfields quantity value word"), tables: "rule_*.go hint*.go compat_*.go reasons.go"},
	{folder: "observe/grace", may: "status", tests: "observe"},
	{folder: "observe/internal/applied", may: "internal/integer internal/text"},
	{folder: "observe/internal/evaluator", may: "status status/schema"},
	{folder: "observe/internal/object", may: "status"},
	{folder: "observe", may: "status status/schema observe/grace observe/internal/applied observe/internal/evaluator observe/internal/object", tests: "observe/goal"},
	{folder: "observe/goal", may: "internal/text status observe"},
	{folder: "redact/internal/naming", tables: "table_*.go"},
	{folder: "redact", may: "internal/text redact/internal/naming", tests: "internal/planted", tables: "table_*.go"},
	{folder: "explain", may: "status redact explain/layout" + under("explain/internal/", "brief controllers fields kubectl messages podspec problems reference show"), tables: "cause_*.go project_*.go finders.go kinds.go"},
	{folder: "explain/internal/brief", may: "status" + under("explain/internal/", "messages reference"), tables: "table_fields.go"},
	{folder: "explain/internal/controllers", may: under("explain/internal/", "show")},
	{folder: "explain/internal/fields"},
	{folder: "explain/internal/kubectl"},
	{folder: "explain/internal/messages", may: "status"},
	{folder: "explain/internal/podspec", may: under("explain/internal/", "fields show")},
	{folder: "explain/internal/problems", may: "status" + under("explain/internal/", "fields messages show")},
	{folder: "explain/internal/reference", may: "status" + under("explain/internal/", "fields")},
	{folder: "explain/internal/show"},
	{folder: "explain/layout", may: "explain/internal/show"},
	{folder: "report", may: "status observe explain explain/layout redact"},
	{folder: "report/casefile", may: "status status/schema redact", tests: "internal/planted"},

	{folder: "kube/celrule", may: "status status/schema" + under("kube/celrule/internal/", "expression") + " github.com/google/cel-go go.yaml.in/yaml/v3"},
	{folder: "kube/celrule/internal/expression", may: "github.com/google/cel-go"},
	{folder: "internal/sleep"},
	{folder: "kube/connection", may: "internal/guard" + client},
	{folder: "kube/watcher", may: "kube/connection" + client, tests: "kube/connection kube/internal/wiretest"},
	{folder: "kube/internal/wiretest", may: "status" + machinery + "k8s.io/client-go/rest", tests: "k8s.io/client-go/dynamic"},
	{folder: "kube/wiretest", may: "kube/internal/wiretest"},
	{folder: "kube/internal/trim", tests: "status/schema k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"},
	{folder: "kube/source/internal/evictions", may: "kube/connection internal/turn status" + client},
	{folder: "kube/source/internal/expect", may: "kube/connection internal/guard internal/turn status status/schema" + client},
	{folder: "kube/source/internal/client", may: "internal/guard internal/turn status status/schema observe kube/source/internal/expect kube/connection kube/internal/trim kube/watcher" + client, tests: "status/schema"},
	{folder: "kube/source/internal/listwatch", may: "kube/connection kube/watcher observe kube/source/internal/client" + client},
	{folder: "kube/source/internal/parts", may: "kube/connection kube/watcher status observe kube/internal/trim" + under("kube/source/internal/", "client listwatch") + client},
	{folder: "kube/source", may: "kube/connection kube/watcher internal/guard internal/turn status status/schema observe" + under("kube/source/internal/", "client evictions expect listwatch parts") + client, tests: "kube/internal/wiretest sigs.k8s.io/yaml"},
	{folder: "kube/sets/internal/release"},
	{folder: "kube/sets", may: "internal/guard internal/turn redact status observe kube/connection kube/sets/internal/release go.yaml.in/yaml/v3" + client},
	{folder: "kube/sets/follow", may: "internal/turn status observe observe/goal kube/sets" + client, tests: "kube/internal/wiretest kube/source sigs.k8s.io/yaml"},
	{folder: "kube/wait", may: "status observe observe/grace kube/sets/follow kube/source" + client, tests: "kube/internal/wiretest kube/sets observe/goal sigs.k8s.io/yaml"},
	{folder: "kube/tree", may: "internal/guard status explain redact kube/connection kube/internal/trim kube/source" + client, tests: "internal/planted kube/internal/wiretest kube/sets observe"},

	// For authors of controllers.
	{folder: "author/severity"},
	{folder: "author/lint", may: "status status/schema author/severity", tests: "author/lint/linttest", tables: "check_*.go tool_*.go"},
	{folder: "author/lint/linttest", may: "author/lint author/severity"},
	{folder: "author/roles"},
	{folder: "author/audit", may: "status redact author/severity author/roles", tests: "author/lint/linttest", tables: "rule_*.go"},
	{folder: "author/conditions/messages", tests: "k8s.io/apimachinery"},
	{folder: "author/conditions/metrics", may: "k8s.io/apimachinery"},
	{folder: "author/conditions/wellknown"},
	{folder: "author/conditions", may: "status k8s.io/apimachinery" + under("author/conditions/", "messages metrics wellknown"), tests: "author/conditions/conditionstest"},
	{folder: "author/conditions/conditionstest", may: "author/audit author/conditions k8s.io/apimachinery", tests: "author/conditions/wellknown"},
	{folder: "author/conditions/ctrl", may: "author/conditions k8s.io/apimachinery sigs.k8s.io/controller-runtime/pkg/client", tests: "author/conditions/wellknown k8s.io/client-go/rest"},
	{folder: "author/crd", may: "author/lint" + under("author/crd/internal/", "difference lines nodes rules split validation") + " k8s.io/apiextensions-apiserver k8s.io/apiserver k8s.io/apimachinery github.com/gobuffalo/flect go.yaml.in/yaml/v3 sigs.k8s.io/yaml", tests: "author/lint/linttest"},
	{folder: "author/crd/internal/difference", may: "author/lint k8s.io/apimachinery"},
	{folder: "author/crd/internal/lines"},
	{folder: "author/crd/internal/nodes", may: "go.yaml.in/yaml/v3"},
	{folder: "author/crd/internal/rules", may: "author/lint"},
	{folder: "author/crd/internal/split"},
	{folder: "author/crd/internal/validation", may: "github.com/google/cel-go k8s.io/apiextensions-apiserver k8s.io/apimachinery k8s.io/apiserver k8s.io/client-go k8s.io/utils", tables: "*validation.go webhook.go"}, // a copy
	{folder: "author/writes", may: "internal/guard author/audit author/severity kube/connection kube/watcher" + client},

	// For Cluster API.
	{folder: "clusterapi/check", may: "status author/lint author/roles author/severity internal/secretfield", tests: "author/lint/linttest", tables: "check_*.go object_*.go"},
	{folder: "clusterapi/contract", may: "author/lint author/severity kube/connection kube/watcher" + client, tests: "kube/wiretest", tables: "scenario_*.go"},
	{folder: "clusterapi/internal/management", may: "status kube/connection internal/secretfield" + client, tests: "clusterapi/internal/clusterapitest kube/wiretest"},
	{folder: "clusterapi/internal/clusterapitest", may: "clusterapi/internal/management kube/wiretest sigs.k8s.io/yaml" + machinery},
	{folder: "clusterapi/pause", may: "status kube/connection clusterapi/internal/management kube/watcher clusterapi/internal/facts" + client, tests: "clusterapi/internal/clusterapitest kube/wiretest sigs.k8s.io/yaml"},
	{folder: "clusterapi/internal/facts", may: "clusterapi/internal/management" + client},
	{folder: "clusterapi/move/internal/archive", may: "k8s.io/apimachinery"},
	{folder: "clusterapi/move/internal/journal", may: "internal/turn internal/guard clusterapi/internal/management" + client},
	{folder: "clusterapi/move/plan", may: "status author/severity"},
	{folder: "clusterapi/move/internal/content", may: "clusterapi/internal/management" + client, tests: "sigs.k8s.io/yaml"},
	{folder: "clusterapi/move/internal/retry", may: "kube/connection" + client},
	{folder: "clusterapi/move/internal/endpoint", may: "status clusterapi/internal/management clusterapi/move/plan" + under("clusterapi/move/internal/", "deletion journal retry") + client},
	{folder: "clusterapi/move/internal/copies", may: "status clusterapi/internal/management clusterapi/move/plan clusterapi/pause" + under("clusterapi/move/internal/", "content deletion endpoint retry") + client},
	{folder: "clusterapi/move/internal/document", may: "internal/guard clusterapi/move/plan" + under("clusterapi/move/internal/", "endpoint journal plancheck") + machinery, tests: "clusterapi/internal/management" + under("clusterapi/move/internal/", "planner")},
	{folder: "clusterapi/move/internal/deletion", may: "clusterapi/internal/management" + under("clusterapi/move/internal/", "retry") + client, tests: "kube/wiretest"},
	{folder: "clusterapi/move/internal/planner", may: "status internal/guard author/severity clusterapi/internal/management clusterapi/move/plan" + under("clusterapi/move/internal/", "content") + client, tests: "clusterapi/internal/clusterapitest"},
	{folder: "clusterapi/move/internal/preflight", may: "status author/severity clusterapi/internal/management clusterapi/move/plan" + under("clusterapi/move/internal/", "content planner") + client, tests: "clusterapi/internal/clusterapitest"},
	{folder: "clusterapi/move/internal/plancheck", may: "internal/guard clusterapi/internal/management clusterapi/move/plan", tests: machinery},
	{folder: "clusterapi/move", may: "status internal/guard author/severity kube/connection clusterapi/internal/management clusterapi/internal/facts clusterapi/move/plan clusterapi/pause" + under("clusterapi/move/internal/", "archive content copies deletion document endpoint journal plancheck planner preflight retry") + client, tests: "clusterapi/internal/clusterapitest kube/wiretest"},
	{folder: "clusterapi/openstack/failure", may: "redact"},
	{folder: "clusterapi/openstack/classify", may: "clusterapi/openstack/failure github.com/gophercloud/gophercloud/v2", tests: "author/lint/linttest"},

	{
		folder: "cmd/kstatus",
		may:    inside("cli command/author/audit command/clusterapi/capi command/explain command/get command/author/lint command/clusterapi/move command/overview command/clusterapi/pause command/rbac command/reportverdict command/wait completion exit manifest permission") + " sigs.k8s.io/yaml" + flags,
		tests: inside("output printer sarif terminal") + "internal/planted docs status author/crd kube/wiretest k8s.io/apimachinery github.com/charmbracelet go.yaml.in/yaml/v3 sigs.k8s.io/yaml" +
			" github.com/creack/pty golang.org/x/sys/unix github.com/rogpeppe/go-internal/testscript github.com/santhosh-tekuri/jsonschema/v6",
	},

	// The packages of the command. Each imports only packages above it.
	{folder: within + "exit"},
	{folder: within + "sarif"},
	{folder: within + "terminal", may: "explain explain/layout sigs.k8s.io/yaml charm.land/bubbletea/v2 golang.org/x/sys/unix" + terminal},
	{folder: within + "manifest", may: "status report k8s.io/apimachinery go.yaml.in/yaml/v3 sigs.k8s.io/json sigs.k8s.io/kustomize sigs.k8s.io/yaml"},
	{folder: within + "goals", may: "status observe observe/goal observe/grace" + client},
	{folder: within + "cli", may: inside("exit manifest terminal") + "status redact k8s.io/apimachinery/pkg/util/runtime k8s.io/klog/v2" + flags + terminal},
	{folder: within + "output", may: inside("exit manifest terminal") + "status redact observe explain kube/celrule"},
	{folder: within + "history", may: inside("cli") + "status observe github.com/rogpeppe/go-internal/lockedfile", tests: "report"},
	{folder: within + "condense", may: "status observe"},
	{folder: within + "frame", may: inside("terminal") + "status" + terminal},
	{folder: within + "printer", may: inside("manifest output terminal") + "status explain k8s.io/apimachinery" + terminal},
	{folder: within + "fields", may: inside("output") + "explain status k8s.io/client-go/util/jsonpath" + machinery + flags},
	{folder: within + "connection", may: inside("cli exit output") + "internal/guard status observe kube/celrule kube/sets kube/source" + client + flags},
	{folder: within + "completion", may: inside("cli connection") + "kube/sets" + client + flags},
	{folder: within + "pausetarget", may: "status kube/connection" + inside("connection exit") + "clusterapi/pause" + client + flags},
	{folder: within + "findings", may: "kube/connection" + inside("cli exit manifest output sarif terminal") + "redact report author/lint clusterapi/check author/severity author/crd" + client + flags + terminal},
	{folder: within + "permission", may: inside("cli connection") + "kube/source" + flags},
	{folder: within + "selection", may: inside("cli connection exit manifest output") + "status status/schema observe kube/celrule kube/sets kube/sets/follow" + client + flags},
	{folder: within + "explainer", may: inside("cli connection exit output terminal") + "internal/turn redact status observe explain kube/sets kube/tree" + machinery + flags},
	{
		folder: within + "waitview", may: inside("cli condense exit explainer frame history manifest output printer goals terminal") + "status observe observe/goal explain explain/layout report" + flags + terminal,
		tests: "internal/planted k8s.io/apimachinery github.com/creack/pty github.com/hinshun/vt10x",
	},
	{folder: within + "reportfile", may: inside("cli exit terminal") + flags, tests: inside("selection") + machinery},
	{folder: within + "waitoutput", may: inside("cli exit explainer reportfile terminal waitview") + "observe report" + flags},
	{folder: within + "record", may: inside("cli exit explainer manifest output printer terminal waitview") + "status redact observe explain" + flags},
	{folder: within + "snapshot", may: inside("cli completion connection exit manifest output printer selection") + "status status/schema observe observe/grace explain kube/celrule kube/source" + machinery + flags, tests: client},
	{folder: within + "command/author/lint", may: inside("cli completion connection exit findings output permission terminal") + "kube/source redact status status/schema author/lint kube/celrule author/crd" + client + flags},
	{folder: within + "command/clusterapi/move", may: inside("cli completion connection exit output permission reportfile terminal") + "kube/source observe redact report author/severity status clusterapi/move clusterapi/move/plan clusterapi/pause" + client + flags + terminal},
	{folder: within + "command/clusterapi/pause", may: inside("cli completion connection exit output pausetarget permission reportfile waitoutput waitview") + "kube/source internal/text observe status clusterapi/pause" + client + flags},
	{folder: within + "command/clusterapi/capi", may: "kube/connection" + inside("cli connection exit findings permission") + "kube/source author/lint author/roles clusterapi/check author/severity clusterapi/contract author/crd" + client + flags},
	{folder: within + "command/author/audit", may: inside("cli completion connection exit findings manifest output permission terminal") + "kube/source redact status author/audit author/severity report author/writes sigs.k8s.io/yaml" + machinery + flags},
	{folder: within + "command/rbac", may: inside("cli completion connection exit output permission selection") + "status observe explain internal/text kube/sets kube/source kube/tree sigs.k8s.io/yaml" + machinery + flags},
	{folder: within + "setsource", may: inside("connection goals selection") + "status observe kube/sets kube/sets/follow"},
	{folder: within + "command/wait", may: inside("cli completion connection exit explainer goals manifest output permission record reportfile selection setsource terminal waitoutput waitview") + "status redact observe observe/goal observe/grace explain report kube/sets/follow kube/source" + client + flags},
	{
		folder: within + "command/get",
		may: inside("cli completion connection exit explainer fields manifest output permission printer record selection snapshot terminal waitview") +
			"docs status status/schema observe observe/grace explain kube/celrule kube/source" + machinery + flags,
		tests: "internal/planted",
	},
	{folder: within + "command/overview", may: "kube/connection" + inside("cli connection exit explainer output permission selection snapshot") + "kube/source status observe explain explain/layout" + client + flags, tests: inside("terminal")},
	{folder: within + "command/explain", may: inside("cli exit explainer output permission printer record selection snapshot terminal") + "status explain explain/layout" + flags},
	{folder: within + "command/reportverdict", may: inside("cli connection exit manifest output permission snapshot") + "report/casefile status" + flags},

	// The packages that take the place of kstatus in cli-utils.
	{folder: "dropin"},
	{folder: "dropin/pkg/object", may: "k8s.io/cli-runtime sigs.k8s.io/yaml" + machinery},
	{folder: "dropin/pkg/object/internal/multierror"},
	{folder: "dropin/pkg/object/internal/ordering", may: "dropin/pkg/object" + machinery},
	{folder: "dropin/pkg/object/dependson", may: "dropin/pkg/object" + machinery},
	{folder: "dropin/pkg/object/mutation", may: "dropin/pkg/object sigs.k8s.io/yaml" + machinery},
	{folder: "dropin/pkg/object/validation", may: "dropin/pkg/object dropin/pkg/object/internal/multierror" + machinery},
	{folder: "dropin/pkg/object/graph", may: under("dropin/pkg/", "object object/dependson object/internal/multierror object/internal/ordering object/mutation object/validation") + machinery},
	{folder: "dropin/pkg/object/mutation/testutil", may: "dropin/pkg/object/mutation dropin/pkg/testutil" + asserters},
	{folder: "dropin/pkg/testutil", may: "dropin/pkg/object dropin/pkg/object/dependson" + asserters},
	{folder: "dropin/pkg/flowcontrol", may: client},
	{folder: "dropin/pkg/kstatus/status", may: "status dropin" + machinery},
	{folder: "dropin/pkg/kstatus/polling/event", may: "dropin/pkg/object dropin/pkg/kstatus/status" + machinery},
	{folder: "dropin/pkg/kstatus/polling/aggregator", may: kstatusPackages("polling/event status")},
	{folder: "dropin/pkg/kstatus/polling/collector", may: "dropin/pkg/object" + kstatusPackages("polling/event status")},
	{folder: "dropin/pkg/kstatus/polling/engine", may: "dropin dropin/internal/verdict dropin/pkg/object status status/schema" + kstatusPackages("polling/event") + manager + client, tests: "dropin/pkg/kstatus/status"},
	{folder: "dropin/pkg/kstatus/polling/testutil", may: machinery},
	{folder: "dropin/internal/original"},
	{folder: "dropin/internal/gen", may: "dropin/internal/original"},
	{folder: "dropin/cmd/graft", may: "dropin/internal/original"},
	{folder: "dropin/cmd/rewrite", may: "dropin/internal/original"},
	{folder: "dropin/internal/clustertest", may: "dropin/pkg/object kube/wiretest sigs.k8s.io/yaml" + kstatusPackages("polling/event") + client},
	{folder: "dropin/internal/queue"},
	{folder: "dropin/internal/verdict", may: "dropin status" + kstatusPackages("status") + machinery},
	{folder: "dropin/internal/children", may: "dropin/pkg/object kube/connection kube/watcher" + kstatusPackages("polling/engine") + client},
	{folder: "dropin/internal/readers", may: "dropin dropin/internal/verdict dropin/pkg/object" + kstatusPackages("polling/engine polling/event status") + machinery, tests: "dropin/internal/clustertest kube/wiretest" + kstatusPackages("polling/clusterreader") + "k8s.io/client-go"},
	{folder: "dropin/internal/session", may: "dropin dropin/pkg/object kube/connection kube/source kube/watcher status" + under("dropin/internal/", "children queue readers verdict") + kstatusPackages("polling/engine polling/event status") + client},
	{folder: "dropin/pkg/kstatus/polling/clusterreader", may: "kube/connection dropin/internal/children dropin/pkg/object" + kstatusPackages("polling/engine") + manager},
	{folder: "dropin/pkg/kstatus/polling/clusterreader/fake", may: manager},
	{folder: "dropin/pkg/kstatus/polling/statusreaders", may: "dropin/internal/readers" + kstatusPackages("polling/engine polling/event status") + machinery},
	{folder: "dropin/pkg/kstatus/polling/statusreaders/fake", may: "dropin/pkg/object" + kstatusPackages("polling/engine polling/event") + machinery},
	{
		folder: "dropin/pkg/kstatus/polling",
		may:    "dropin dropin/internal/readers dropin/pkg/object" + kstatusPackages("polling/clusterreader polling/engine polling/event") + manager,
		tests:  "dropin/internal/clustertest kube/wiretest",
	},
	{
		folder: "dropin/pkg/kstatus/watcher",
		may:    "dropin dropin/internal/session dropin/pkg/object" + kstatusPackages("polling/clusterreader polling/engine polling/event polling/statusreaders status") + client,
		tests:  "dropin/internal/clustertest kube/wiretest",
	},
	{folder: "dropin/flux", may: "dropin dropin/internal/readers dropin/pkg/object github.com/fluxcd/cli-utils" + kstatusPackages("polling/clusterreader polling/engine polling/event") + manager},
	{folder: "dropin/helm", may: "status observe observe/goal observe/grace kube/source github.com/fluxcd/cli-utils helm.sh/helm/v4 k8s.io/cli-runtime" + client, tests: "kube/wiretest"},
	{folder: "dropin/pkg/sigs", may: "dropin/internal/readers dropin/pkg/object" + kstatusPackages("polling polling/engine polling/event polling/statusreaders watcher") + manager},

	{folder: "examples/controller", may: "status observe kube/source" + manager},
	{folder: "examples/gate", may: "status observe report kube/wait" + client},
	{folder: "examples/gitops", may: "status observe report kube/source kube/wait" + manager},
	{folder: "examples/installer", may: "explain status kube/source kube/tree kube/wait" + client},
	{folder: "examples/operator", may: "status kube/wait author/conditions author/conditions/ctrl author/conditions/wellknown" + manager},
	{folder: "examples/openstack", may: "examples/openstack/api/v1beta1 examples/openstack/cloud examples/openstack/controller golang.org/x/time" + manager},
	{folder: "examples/openstack/api/v1beta1", may: machinery},
	{folder: "examples/openstack/cloud", may: "clusterapi/openstack/failure clusterapi/openstack/classify examples/openstack/cloud/session github.com/gophercloud/gophercloud/v2"},
	{
		folder: "examples/openstack/cloud/session", may: "clusterapi/openstack/failure clusterapi/openstack/classify github.com/gophercloud/gophercloud/v2 github.com/sony/gobreaker/v2 golang.org/x/time gopkg.in/yaml.v2",
	},
	{folder: "examples/openstack/config", tests: "examples/openstack/api/v1beta1 k8s.io/apiextensions-apiserver sigs.k8s.io/yaml" + machinery},
	{folder: "examples/openstack/controller", may: "clusterapi/openstack/failure clusterapi/openstack/classify examples/openstack/api/v1beta1 examples/openstack/cloud github.com/gophercloud/gophercloud/v2 author/conditions author/conditions/ctrl author/conditions/wellknown" + manager},
	{folder: "examples/provider", may: "examples/provider/api/v1beta1 examples/provider/cloud examples/provider/controller" + manager},
	{folder: "examples/provider/api/v1beta1", may: machinery},
	{folder: "examples/provider/cloud"},
	{folder: "examples/provider/config", tests: "examples/provider/api/v1beta1 k8s.io/apiextensions-apiserver sigs.k8s.io/yaml" + machinery},
	{folder: "examples/provider/controller", may: "examples/provider/api/v1beta1 examples/provider/cloud author/conditions author/conditions/ctrl author/conditions/wellknown" + manager},

	{folder: "test/verdicts", tests: "author/audit author/severity clusterapi/check explain internal/condition observe observe/goal dropin/fluxcd/pkg/kstatus/status dropin/fluxcd/pkg/object dropin/sigs/pkg/object dropin/sigs/pkg/object/dependson dropin/sigs/pkg/object/graph dropin/sigs/pkg/object/mutation dropin/sigs/pkg/object/validation author/lint author/lint/linttest status test/bench sigs.k8s.io/kustomize/kyaml sigs.k8s.io/yaml" + peers + client},
	{folder: "test/dropin/alongside", may: "observe dropin dropin/flux dropin/pkg/object dropin/pkg/kstatus/polling dropin/pkg/kstatus/polling/engine dropin/pkg/kstatus/polling/event dropin/pkg/kstatus/watcher" + peers + manager, tests: "dropin dropin/pkg/kstatus/polling/clusterreader dropin/pkg/kstatus/polling/engine kube/wait observe status test/lib/apply test/lib/cluster test/lib/faults test/command/gallery test/lib/leaks test/lib/manifest test/lib/poll" + client + manager},
	{folder: "test/lib/apply", may: "test/lib/modcache sigs.k8s.io/kustomize sigs.k8s.io/yaml" + client},
	{folder: "test/bench", may: "dropin/pkg/kstatus/status status sigs.k8s.io/yaml" + peers + client},
	{folder: "test/bench/audit", may: "author/audit author/writes test/bench test/lib/apply test/lib/cluster test/lib/manifest test/lib/poll" + client},
	{folder: "test/bench/live", may: "dropin dropin/pkg/object dropin/pkg/kstatus/polling dropin/pkg/kstatus/polling/collector dropin/pkg/kstatus/polling/event dropin/pkg/kstatus/watcher status observe observe/goal kube/source kube/wait test/bench test/lib/cluster github.com/go-logr/logr sigs.k8s.io/yaml" + peers + manager},
	{folder: "test/bench/local", may: "test/bench sigs.k8s.io/yaml"},
	{folder: "test/bench/move", may: "clusterapi/move clusterapi/move/plan examples/provider/config test/clusterapi/managers test/bench test/lib/apply test/lib/cluster test/lib/faults test/lib/process" + client},
	{folder: "test/bench/programs", may: "test/lib/apply test/lib/cluster test/lib/faults test/lib/fluxsource test/lib/poll test/lib/process" + client},
	{folder: "test/bench/status", may: "test/bench"},
	{folder: "test/lib/catalog", may: client},
	{folder: "test/author/census", may: "author/lint clusterapi/check author/crd test/lib/modcache" + peers + client, tests: "test/lib/cluster test/lib/command"},
	{folder: "test/lib/cluster", may: "test/lib/apply test/lib/catalog test/lib/cluster/internal/kwok test/lib/modcache test/lib/node test/lib/process test/lib/stutter sigs.k8s.io/yaml" + client, tests: "test/lib/poll"},
	{folder: "test/lib/cluster/internal/kwok", may: "sigs.k8s.io/yaml"},
	{folder: "test/cmd/all"},
	{folder: "test/cmd/calibrate"},
	{folder: "test/cmd/census", may: "test/author/census test/lib/cluster test/lib/command" + client},
	{folder: "test/cmd/cluster", may: "test/lib/apply test/lib/cluster" + client, tests: "test/lib/poll"},
	{folder: "test/cmd/least", may: "test/lib/least/standin"},
	{folder: "test/cmd/node", may: "test/lib/node/boot"},
	{folder: "test/cmd/openstack", may: "test/openstack/openstackkit"},
	{folder: "test/cmd/prose"},
	{folder: "test/cmd/race", may: "test/lib/cluster test/engine/race" + client},
	{folder: "test/cmd/release", may: "test/cmd/internal/release"},
	{folder: "test/cmd/soak", may: "status status/schema observe observe/goal kube/source test/lib/apply test/lib/cluster test/lib/faults test/lib/manifest test/lib/witness" + client},
	{folder: "test/lib/command", may: "github.com/rogpeppe/go-internal/lockedfile"},
	{folder: "test/verdicts/controllers", tests: "status observe kube/source test/lib/apply test/lib/cluster test/lib/fluxsource test/lib/poll test/lib/process" + client},
	{folder: "test/clusterapi/contract", tests: "author/lint clusterapi/check author/crd test/lib/modcache sigs.k8s.io/cluster-api sigs.k8s.io/kustomize" + machinery},
	{
		folder: "test/command/e2e",
		tests: "status status/schema observe observe/grace observe/goal explain kube/sets kube/source kube/tree kube/wait test/lib/apply test/lib/cluster test/lib/command test/lib/faults test/lib/least test/lib/least/standin test/lib/manifest test/lib/poll" +
			" github.com/creack/pty github.com/rogpeppe/go-internal/testscript github.com/santhosh-tekuri/jsonschema/v6 sigs.k8s.io/yaml" + client,
	},
	{folder: "test/dropin/suites", may: "internal/markdown test/lib/cluster test/lib/modcache golang.org/x/mod"},
	{folder: "test/dropin/commands", tests: "github.com/rogpeppe/go-internal"},
	{folder: "test/docs/examples", tests: "status test/lib/catalog test/lib/cluster test/lib/poll" + client},
	{
		folder: "test/openstack/fakestack",
		may:    "test/openstack/fakestack/internal/balancer test/openstack/fakestack/internal/compute test/openstack/fakestack/internal/identity test/openstack/fakestack/internal/network test/openstack/fakestack/internal/rest",
		tests:  "test/openstack/fakestack/calls test/lib/poll github.com/gophercloud/gophercloud/v2",
	},
	{folder: "test/openstack/fakestack/calls", may: "test/lib/poll github.com/gophercloud/gophercloud/v2"},
	{folder: "test/openstack/fakestack/internal/balancer", may: "test/openstack/fakestack/internal/network test/openstack/fakestack/internal/rest"},
	{folder: "test/openstack/fakestack/internal/compute", may: "test/openstack/fakestack/internal/network test/openstack/fakestack/internal/rest"},
	{folder: "test/openstack/fakestack/internal/identity", may: "test/openstack/fakestack/internal/rest"},
	{folder: "test/openstack/fakestack/internal/network", may: "test/openstack/fakestack/internal/rest"},
	{folder: "test/openstack/fakestack/internal/rest"},
	{folder: "test/lib/faults", may: "test/lib/cluster" + client, tests: "test/lib/poll"},
	{folder: "test/command/gallery", may: "internal/markdown report test/lib/apply test/lib/poll github.com/rogpeppe/go-internal/txtar" + client, tests: "test/lib/cluster test/lib/command"},
	{folder: "test/command/gallery/real", may: "test/lib/node/image k8s.io/apimachinery", tests: "report test/lib/cluster test/lib/command test/command/gallery test/lib/node" + client},
	{folder: "test/command/growth", may: "golang.org/x/mod", tests: "sigs.k8s.io/yaml"},
	{folder: "test/dropin/importers", may: peers + manager + " k8s.io/kubectl"},
	{folder: "test/lib/fluxsource"},
	{folder: "test/dropin/helm", tests: "dropin/flux dropin/helm observe test/lib/cluster test/lib/faults test/lib/manifest test/lib/poll helm.sh/helm/v4 k8s.io/cli-runtime" + peers + client},
	{folder: "test/command/hostile", tests: "test/lib/command"},
	{folder: "test/author/kit", tests: "status author/audit author/conditions author/conditions/conditionstest author/conditions/ctrl author/conditions/wellknown test/lib/cluster test/lib/poll" + peers + manager},
	{folder: "test/lib/leaks", may: "test/lib/poll"},
	{folder: "test/lib/least", may: "test/lib/apply test/lib/least/standin test/lib/poll" + client},
	{folder: "test/lib/least/standin"},
	{folder: "test/clusterapi/managers", may: "test/lib/cluster test/lib/stutter" + manager},
	{folder: "test/lib/manifest", may: "status observe"},
	{folder: "test/engine/matrix", tests: "status observe observe/goal kube/source test/lib/cluster test/lib/leaks test/lib/manifest test/lib/poll test/lib/witness" + client},
	{folder: "test/clusterapi/move", tests: "clusterapi/move clusterapi/move/plan clusterapi/pause examples/provider/api/v1beta1 examples/provider/cloud examples/provider/config examples/provider/controller" +
		" test/lib/apply test/lib/cluster test/lib/command test/clusterapi/managers test/clusterapi/rack github.com/go-logr/logr" + manager},
	{folder: "test/clusterapi/naive", may: "examples/provider/cloud" + manager},
	{
		folder: "test/openstack/real",
		tests:  "clusterapi/move clusterapi/move/plan examples/openstack/cloud examples/openstack/controller test/lib/cluster test/lib/command test/openstack/fakestack test/openstack/fakestack/calls test/clusterapi/managers test/openstack/openstackkit test/openstack/openstackshop test/lib/poll github.com/go-logr/logr github.com/gophercloud/gophercloud/v2" + manager,
	},
	{folder: "test/lib/node", may: "test/lib/node/boot test/lib/node/cgroup test/lib/node/image golang.org/x/sys", tests: "test/lib/cluster test/lib/command test/lib/node/cgroup test/lib/poll" + client},
	{folder: "test/lib/node/boot", may: "test/lib/node/cgroup golang.org/x/sys"},
	{folder: "test/lib/node/cgroup"},
	{folder: "test/lib/node/image", may: "github.com/google/go-containerregistry"},
	{folder: "test/openstack/cloud", tests: "clusterapi/openstack/failure clusterapi/openstack/classify examples/openstack/cloud test/openstack/fakestack test/openstack/fakestack/calls github.com/gophercloud/gophercloud/v2"},
	{folder: "test/openstack/openstackkit", may: "github.com/gophercloud/gophercloud/v2", tests: "sigs.k8s.io/yaml"},
	{
		folder: "test/openstack/openstackshop",
		may:    "author/audit clusterapi/openstack/failure author/severity author/writes examples/openstack/api/v1beta1 examples/openstack/cloud examples/openstack/config examples/openstack/controller test/lib/apply test/lib/cluster test/clusterapi/managers test/clusterapi/rack" + manager,
	},
	{folder: "test/command/outputs", tests: "status observe explain report test/lib/command github.com/yuin/goldmark golang.org/x/net/html sigs.k8s.io/yaml"},
	{folder: "test/command/page", tests: "status observe explain report github.com/chromedp"},
	{folder: "test/docs/pages", tests: "test/lib/cluster test/lib/command github.com/rogpeppe/go-internal/txtar github.com/yuin/goldmark sigs.k8s.io/yaml"},
	{
		folder: "test/clusterapi/pause",
		tests:  "status clusterapi/pause examples/provider/api/v1beta1 examples/provider/cloud examples/provider/config examples/provider/controller test/lib/cluster test/lib/command test/clusterapi/managers github.com/go-logr/logr" + manager,
	},
	{
		folder: "test/openstack/provider",
		tests: "author/audit clusterapi/openstack/failure examples/openstack/api/v1beta1 examples/openstack/cloud examples/openstack/config examples/openstack/controller test/openstack/openstackshop" +
			" test/lib/apply test/lib/cluster test/lib/command test/openstack/fakestack test/clusterapi/managers test/clusterapi/rack github.com/go-logr/logr sigs.k8s.io/cluster-api" + manager,
	},
	{folder: "test/lib/modcache"},
	{folder: "test/lib/poll"},
	{folder: "test/lib/process", tests: "test/lib/poll"},
	{folder: "test/lib/stutter", may: client},
	{
		folder: "test/clusterapi/provider",
		tests: "test/lib/poll author/audit author/severity clusterapi/contract author/writes examples/provider/api/v1beta1 examples/provider/cloud examples/provider/config examples/provider/controller" +
			" test/lib/cluster test/lib/command test/clusterapi/managers test/clusterapi/naive github.com/go-logr/logr" + manager,
	},
	{folder: "test/clusterapi/rack", may: manager},
	{folder: "test/engine/race", may: "dropin dropin/pkg/object dropin/pkg/kstatus/polling dropin/pkg/kstatus/polling/event dropin/pkg/kstatus/status dropin/pkg/kstatus/watcher status observe kube/source kube/wait test/lib/apply test/lib/cluster test/lib/manifest test/lib/poll" + " sigs.k8s.io/controller-runtime" + peers + client},
	{folder: "test/cmd/internal/release", may: "golang.org/x/exp/apidiff golang.org/x/mod", tests: "github.com/rogpeppe/go-internal/txtar"},
	{folder: "test/cmd/internal/release/importer/conditions", may: "author/conditions k8s.io/apimachinery"},
	{folder: "test/cmd/internal/release/importer/status", may: "status"},
	{folder: "test/cmd/internal/release/importer/wait", may: "status observe kube/wait" + client},
	{folder: "test/docs/snippet", tests: "kube/source kube/wait" + client},
	{folder: "test/engine/wire", tests: "dropin dropin/pkg/object dropin/pkg/kstatus/polling/event dropin/pkg/kstatus/status dropin/pkg/kstatus/watcher status observe observe/goal kube/source test/lib/cluster test/lib/faults test/lib/leaks test/lib/manifest test/lib/poll" + client},
	{folder: "test/lib/witness", may: "status observe" + client, tests: "test/lib/cluster test/lib/manifest test/lib/poll"},
	{folder: "test/author/validation", tests: "author/crd k8s.io/apiextensions-apiserver sigs.k8s.io/yaml"},
	{folder: "test/author/writes", tests: "author/audit author/writes test/lib/cluster test/lib/faults test/lib/manifest test/lib/poll" + client},
}, facades()...)

// larger lists the packages that exceed 2,000 lines or 25 files without tables. None of them
// may grow.
var larger = map[string]size{
	"status":            {lines: 5240, files: 38},
	"author/lint":       {lines: 2240, files: 18},
	"observe":           {lines: 2780, files: 19},
	"explain":           {lines: 2770, files: 24},
	"author/audit":      {lines: 2780, files: 26},
	"clusterapi/move":   {lines: 2160, files: 17},
	"author/conditions": {lines: 2300, files: 18},
	"author/crd":        {lines: 2200, files: 16},
	"kube/tree":         {lines: 2060, files: 15},
	"kube/source":       {lines: 2160, files: 13},
	"redact":            {lines: 2180, files: 11},
	// One file for each service of OpenStack.
	"examples/openstack/cloud": {lines: 2160, files: 18},
	"test/lib/cluster":         {lines: 2500, files: 23},
}

// kstatusPackages returns the names of packages that take the place of kstatus in cli-utils.
func kstatusPackages(names string) string { return under("dropin/pkg/kstatus/", names) }

// facades returns the rows of the generated packages that forward to dropin/pkg.
func facades() (rows []row) {
	const (
		both = "flowcontrol kstatus/polling kstatus/polling/aggregator kstatus/polling/clusterreader kstatus/polling/clusterreader/fake kstatus/polling/collector kstatus/polling/engine kstatus/polling/event " +
			"kstatus/polling/statusreaders kstatus/polling/statusreaders/fake kstatus/polling/testutil kstatus/status kstatus/watcher object testutil"
		onlySigs = " object/dependson object/graph object/mutation object/mutation/testutil object/validation"
	)
	mirrored := under("dropin/pkg/", both+onlySigs+" sigs")
	for folder, packages := range map[string]string{"fluxcd": both, "sigs": both + onlySigs} {
		for name := range strings.FieldsSeq(packages) {
			rows = append(rows, row{folder: "dropin/" + folder + "/pkg/" + name, may: mirrored + manager + asserters + " k8s.io/cli-runtime"})
		}
	}
	return rows
}
