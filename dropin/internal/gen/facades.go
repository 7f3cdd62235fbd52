package main

import (
	"path"

	"kstatus.dev/dropin/internal/original"
)

const (
	implementation = "kstatus.dev/dropin"
	facadeFile     = "facade.go"
	lockFile       = "api.txt"
	variantsFolder = "pkg/sigs"
)

// A facade mirrors one original.
type facade struct {
	original.Module
	variants []string // functions that forward to pkg/sigs, by package and name
}

// root returns the folder of the façade.
func (f facade) root() string { return path.Join("dropin", f.Folder) }

// variants lists the functions that behave differently in an original, by the path of its module.
var variants = map[string][]string{"sigs.k8s.io/cli-utils": sigsVariants}

// facades returns a façade for each original.
func facades() (all []facade) {
	for _, m := range original.Modules {
		all = append(all, facade{m, variants[m.Path]})
	}
	return all
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

// exceptions are the lines of an original that a façade replaces on purpose, with the reason.
var exceptions = map[string]string{
	"pkg/kstatus/polling.NewStatusPollerFromFactory": "an interface with the two methods that are called takes the place of kubectl's Factory",

	"pkg/kstatus/polling/statusreaders.NewDeploymentResourceReader":  unexportedInterface,
	"pkg/kstatus/polling/statusreaders.NewReplicaSetStatusReader":    unexportedInterface,
	"pkg/kstatus/polling/statusreaders.NewStatefulSetResourceReader": unexportedInterface,
}

const unexportedInterface = "the methods of an interface that the original does not export are written out"
