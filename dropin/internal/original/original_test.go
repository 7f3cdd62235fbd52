package original_test

import (
	"testing"

	"kstatus.dev/dropin/internal/original"
)

func TestModules(t *testing.T) {
	for _, row := range []struct {
		it      string
		module  string
		folder  string
		name    string
		mirrors bool
		omits   bool
	}{
		{it: "mirrors a package of both", module: "github.com/fluxcd/cli-utils", folder: "pkg/kstatus/watcher", name: "NewDefaultStatusWatcher", mirrors: true},
		{it: "does not mirror what Flux's module lacks", module: "github.com/fluxcd/cli-utils", folder: "pkg/object/graph", name: "Sort"},
		{it: "mirrors the graph of the other module", module: "sigs.k8s.io/cli-utils", folder: "pkg/object/graph", name: "SortObjs", mirrors: true},
		{it: "omits a name that needs pkg/apply", module: "sigs.k8s.io/cli-utils", folder: "pkg/testutil", name: "ExpApplyEvent", mirrors: true, omits: true},
		{it: "keeps other names of that package", module: "sigs.k8s.io/cli-utils", folder: "pkg/testutil", name: "Unstructured", mirrors: true},
		{it: "omits that name only in its package", module: "sigs.k8s.io/cli-utils", folder: "pkg/object", name: "ExpApplyEvent", mirrors: true},
	} {
		t.Run(row.it, func(t *testing.T) {
			m, ok := original.Find(row.module)
			if !ok || m.Path != row.module {
				t.Fatalf("Find(%s) = %v, %t", row.module, m.Path, ok)
			}
			if have := m.Mirrors(row.folder); have != row.mirrors {
				t.Errorf("Mirrors(%s) = %t, want %t", row.folder, have, row.mirrors)
			}
			if have := m.Omits(row.folder, row.name); have != row.omits {
				t.Errorf("Omits(%s, %s) = %t, want %t", row.folder, row.name, have, row.omits)
			}
		})
	}
	if m, ok := original.Find("kstatus.dev"); ok {
		t.Errorf("Find(kstatus.dev) = %v, want none", m)
	}
	if have, want := original.Paths(), "github.com/fluxcd/cli-utils or sigs.k8s.io/cli-utils"; have != want {
		t.Errorf("Paths() = %q, want %q", have, want)
	}
	for _, m := range original.Modules {
		if have, want := m.Facade(), "kstatus.dev/dropin/"+m.Folder; have != want {
			t.Errorf("Facade() of %s = %q, want %q", m.Path, have, want)
		}
	}
}
