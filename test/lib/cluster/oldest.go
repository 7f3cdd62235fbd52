package cluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// VersionVariable is the environment variable for the version of Kubernetes of all clusters of
// a process. Empty means that of test/lib/programs, and "oldest" the oldest version that kstatus
// supports.
const VersionVariable = "KSTATUS_TEST_KUBERNETES"

// oldestSuite contains only the programs of Kubernetes itself: etcd and kwok are those of
// kubernetesSuite.
var oldestSuite = suite{
	folder: "test/lib/programs/oldest", module: kubernetesSuite.module, stamps: kubernetesSuite.stamps,
	programs: []Program{APIServer, ControllerManager, Scheduler},
	what:     "kube-apiserver, kube-controller-manager and kube-scheduler %s",
	takes:    kubernetesSuite.takes,
}

// buildPrograms builds the programs of the selected version if necessary, and returns their
// paths.
func buildPrograms(ctx context.Context, log io.Writer) (map[Program]string, error) {
	suites := []suite{kubernetesSuite}
	switch version := os.Getenv(VersionVariable); version {
	case "":
	case "oldest":
		suites = append(suites, oldestSuite)
	default:
		return nil, fmt.Errorf("%s is %q: want oldest, or nothing", VersionVariable, version)
	}
	paths := map[Program]string{}
	for _, s := range suites {
		dir, err := s.build(ctx, log)
		if err != nil {
			return nil, err
		}
		for _, program := range s.programs {
			paths[program] = filepath.Join(dir, program.file())
		}
	}
	return paths, nil
}
