package main

import (
	"path"
	"regexp"
)

const (
	implementation = "kstatus.dev/dropin"
	facadeFile     = "facade.go"
	lockFile       = "api.txt"
	variantsFolder = "pkg/sigs"
)

// A facade mirrors one original.
type facade struct {
	folder   string // below dropin
	original string // its module path
	packages []string
	variants []string       // functions that forward to pkg/sigs, by package and name
	omitted  *regexp.Regexp // exported names that the façade lacks, by package and name; may be nil
}

// root returns the folder of the façade.
func (f facade) root() string { return path.Join("dropin", f.folder) }

var facades = []facade{
	{folder: "fluxcd", original: "github.com/fluxcd/cli-utils", packages: common},
	{folder: "sigs", original: "sigs.k8s.io/cli-utils", packages: append(dependencies, common...), variants: sigsVariants, omitted: sigsOmitted},
}

// common lists the packages that both originals have.
var common = []string{
	"pkg/flowcontrol",
	"pkg/kstatus/polling",
	"pkg/kstatus/polling/aggregator",
	"pkg/kstatus/polling/clusterreader",
	"pkg/kstatus/polling/clusterreader/fake",
	"pkg/kstatus/polling/collector",
	"pkg/kstatus/polling/engine",
	"pkg/kstatus/polling/event",
	"pkg/kstatus/polling/statusreaders",
	"pkg/kstatus/polling/statusreaders/fake",
	"pkg/kstatus/polling/testutil",
	"pkg/kstatus/status",
	"pkg/kstatus/watcher",
	"pkg/object",
	"pkg/testutil",
}

// dependencies lists the packages that only sigs.k8s.io/cli-utils has.
var dependencies = []string{
	"pkg/object/dependson",
	"pkg/object/graph",
	"pkg/object/mutation",
	"pkg/object/mutation/testutil",
	"pkg/object/validation",
}

// sigsVariants are the functions that behave differently in sigs.k8s.io/cli-utils. They are in
// pkg/sigs.
var sigsVariants = []string{
	"pkg/kstatus/polling.NewStatusPoller",
	"pkg/kstatus/polling.NewStatusPollerFromFactory",
	"pkg/kstatus/polling/statusreaders.NewDefaultStatusReader",
	"pkg/kstatus/polling/statusreaders.NewDeploymentResourceReader",
	"pkg/kstatus/polling/statusreaders.NewGenericStatusReader",
	"pkg/kstatus/polling/statusreaders.NewReplicaSetStatusReader",
	"pkg/kstatus/polling/statusreaders.NewStatefulSetResourceReader",
	"pkg/kstatus/polling/statusreaders.NewStatusReader",
	"pkg/kstatus/watcher.NewDefaultStatusWatcher",
	"pkg/object.FromStringMap",
	"pkg/object.ParseObjMetadata",
}

// sigsOmitted are the names that need the package pkg/apply, which no façade has.
var sigsOmitted = regexp.MustCompile(`^pkg/testutil\.(Exp[A-Za-z]*Event|GroupedEventsByID|Event(s)?ToExpEvent(s)?|RemoveEqualEvents|SortExpEvents|VerifyEvents)$`)

// exceptions are the lines of an original that a façade replaces on purpose, with the reason.
var exceptions = map[string]string{
	"pkg/kstatus/polling.NewStatusPollerFromFactory": "an interface with the two methods that are called takes the place of kubectl's Factory",

	"pkg/kstatus/polling/statusreaders.NewDeploymentResourceReader":  unexportedInterface,
	"pkg/kstatus/polling/statusreaders.NewReplicaSetStatusReader":    unexportedInterface,
	"pkg/kstatus/polling/statusreaders.NewStatefulSetResourceReader": unexportedInterface,
}

const unexportedInterface = "the methods of an interface that the original does not export are written out"
