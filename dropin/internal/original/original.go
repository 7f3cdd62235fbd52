// Package original lists the modules that have a façade, and the packages and names that it mirrors.
package original

import (
	"regexp"
	"slices"
	"strings"
)

// A Module is one original of kstatus.
type Module struct {
	Path     string
	Version  string   // whose names the façade has
	Folder   string   // of the façade, below dropin
	Packages []string // that the façade mirrors, below the module
	omitted  *regexp.Regexp
}

// Modules are all originals.
var Modules = []Module{
	{Path: "github.com/fluxcd/cli-utils", Version: "v1.3.0", Folder: "fluxcd", Packages: common},
	{Path: "sigs.k8s.io/cli-utils", Version: "v0.37.2", Folder: "sigs", Packages: slices.Concat(dependencies, common), omitted: sigsOmitted},
}

// Facade returns the path of the façade, which is a module.
func (m Module) Facade() string { return "kstatus.dev/dropin/" + m.Folder }

// Mirrors reports whether the façade has a package, which is named by its path below the module.
func (m Module) Mirrors(folder string) bool { return slices.Contains(m.Packages, folder) }

// Omits reports whether the façade lacks an exported name of a package that it mirrors.
func (m Module) Omits(folder, name string) bool {
	return m.omitted != nil && m.omitted.MatchString(folder+"."+name)
}

// Find returns the module with a path.
func Find(path string) (Module, bool) {
	i := slices.IndexFunc(Modules, func(m Module) bool { return m.Path == path })
	if i < 0 {
		return Module{}, false
	}
	return Modules[i], true
}

// Paths returns the paths of all originals, for messages.
func Paths() string {
	var paths []string
	for _, m := range Modules {
		paths = append(paths, m.Path)
	}
	return strings.Join(paths, " or ")
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

// sigsOmitted matches the names that need the package pkg/apply, which no façade has.
var sigsOmitted = regexp.MustCompile(`^pkg/testutil\.(Exp[A-Za-z]*Event|GroupedEventsByID|Event(s)?ToExpEvent(s)?|RemoveEqualEvents|SortExpEvents|VerifyEvents)$`)
