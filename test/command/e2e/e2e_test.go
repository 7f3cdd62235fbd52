// Package e2e runs the built command against a real cluster.
//
// Every script of testdata/script has a namespace of its own, $NS. It can also use these
// commands, in addition to testscript's own:
//
//	apply [-in CONTEXT] [-to FILE] [-k] PATH
//	                         apply manifests, by default to $NS or the context's
//	                         namespace; FILE gets the output of kubectl apply -o yaml
//	remove [-in CONTEXT] [-k] PATH
//	                         delete applied objects, without waiting for their end
//	report PATH              write the status of objects, as their controller would
//	later /REGEXP/ CMD ARG…  run apply, remove, report or release in the background,
//	                         once the output of the next kstatus, which must be one
//	                         of exits, matches
//	later /REGEXP/ interrupt interrupt the next kstatus, once its output matches
//	release [-configmap] NAME REVISION STATUS FILE
//	                         create a revision of a release in the cluster, as
//	                         Helm stores it, with the file as its manifest
//	fill FILE…               replace NAMESPACE in files by $NS, and
//	                         NAMESPACE-CONTEXT by the namespaces of contexts
//	contexts NAME…           create contexts, each with its own namespace
//	user NAME VERBS WHAT…    continue as a user with only these permissions in $NS
//	exits CODE CMD ARG…      run a command and require that exit code
//	timesout /REGEXP/ CODE CMD ARG…
//	                         run a command with a timeout that is long enough for such an output
//	signal NAME CODE CMD ARG…  run a command, send it a signal after its first
//	                         lines, and require that exit code
//	conforms                 require that every line of stdout conforms to docs/reference/output.schema.json
//	reported FILE            require that a report conforms to docs/reference/report.schema.json
//	records FILE…            require that every line of records conforms to docs/reference/record.schema.json
//	part FILE WHOLE          require that WHOLE contains FILE
//	harmless FILE…           require that files contain no control characters and no secret
//	normal [-last]           replace in stdout what differs from run to run: elapsed
//	                         times become mm:ss and T, the namespace NS, times of day
//	                         TIME, the namespaces of contexts NS-CONTEXT, addresses
//	                         ADDRESS, hashes HASH; with -last, keep only the last
//	                         line about each object, sorted by name, and no heartbeats
//
// so that "cmp stdout want" compares the output whole.
//
// Each kstatus runs as a user with exactly the permissions that kstatus rbac prints for its command
// line; see package least. A script may set another user with user or --as. At the end, the audit
// log of the API server must not contain a request without permission.
package e2e

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
	"kstatus.dev/test/lib/least"
)

var (
	live     = cluster.Shared{Options: cluster.Options{AuditPolicy: least.AuditPolicy}}
	update   = flag.Bool("update", false, "write what is printed into the scripts")
	bin      string // the folder with the built command
	standIns string // the folder with its stand-in for scripts
)

// readsAllSecrets are the scripts whose roles are printed with --secrets, with the reason.
var readsAllSecrets = map[string]string{
	"hostile":     "it selects Secrets, and a Deployment of it refers to some",
	"live_get":    "it selects Secrets",
	"sets_expand": "Helm keeps its releases in Secrets",
	"sets_helm":   "Helm keeps its releases in Secrets",
	"sets_labels": "the parent of an ApplySet may be a Secret",
}

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if bin, err = command.Build(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(bin)
		if standIns, err = command.BuildStandIn(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(standIns)
		return live.Main(m)
	}())
}

// adminCommands are the command lines that run as administrator, with the reason.
var adminCommands = map[string]string{
	"wait helm/late deployment/web --timeout 1m": "the set is made after the roles are printed, so that they cannot name its objects",
	"wait helm/web --timeout 8m":                 "the set gets other objects after the roles are printed",
	"get --all -A -l app=web -o name":            "in all namespaces other tests make objects after the roles are printed",
}

// serialScripts are the scripts that do not run in parallel with others. They read all kinds, and
// other scripts create kinds.
var serialScripts = []string{"overview", "sets_all", "sets_labels"}

func TestScripts(t *testing.T) {
	t.Parallel()
	var files []string
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) < 30 {
		t.Fatalf("have %d scripts, %v", len(all), err)
	}
	for _, file := range all {
		if !slices.Contains(serialScripts, strings.TrimSuffix(filepath.Base(file), ".txtar")) {
			files = append(files, file)
		}
	}
	runScripts(t, files...)
}

func TestScriptsThatReadAllKinds(t *testing.T) {
	for _, name := range serialScripts {
		t.Run(name, func(t *testing.T) { runScripts(t, "testdata/script/"+name+".txtar") })
	}
}

// runScripts runs scripts, and checks in the audit log that the printed roles permit all
// requests.
func runScripts(t *testing.T, files ...string) {
	c := live.Cluster(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	schema, reports, record := schemas(t, filepath.Join(root, "docs", "reference"))
	rights := least.New(t, filepath.Join(bin, "kstatus"), c.Config())
	t.Cleanup(func() {
		sum := rights.Check(t, c.AuditLog())
		t.Logf("%+v", sum)
		if sum.Lines == 0 || sum.Requests < sum.Lines {
			t.Errorf("the audit log shows too little: %+v", sum)
		}
	})
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			tb, ok := env.T().(testing.TB)
			if !ok {
				return fmt.Errorf("want a testing.TB, have %T", env.T())
			}
			s := &stage{cluster: c, tb: tb, namespace: c.Namespace(tb), contexts: map[string]string{}, schema: schema, reports: reports, record: record}
			env.Values[stageKey{}] = s
			script := tb.Name()[strings.LastIndex(tb.Name(), "/")+1:]
			for _, setting := range rights.Add(tb, least.Stage{
				Name: s.namespace, Namespace: s.namespace, Secrets: readsAllSecrets[script] != "", Except: slices.Collect(maps.Keys(adminCommands)),
			}) {
				name, value, _ := strings.Cut(setting, "=")
				env.Setenv(name, value)
			}
			env.Setenv("NS", s.namespace)
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			env.Setenv("PATH", standIns+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("KUBECONFIG", s.kubeconfig(env.WorkDir))
			return nil
		},
		Cmds: commands,
	})
}

// schemas returns the schemas of the lines and of the report. The second refers to the first by
// its address.
func schemas(t *testing.T, docs string) (lines, report, record *jsonschema.Schema) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiled := make([]*jsonschema.Schema, 0, 3)
	for _, name := range []string{"output.schema.json", "report.schema.json", "record.schema.json"} {
		address := "https://kstatus.dev/" + name
		text, err := os.Open(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		document, err := jsonschema.UnmarshalJSON(text)
		if err == nil {
			err = compiler.AddResource(address, document)
		}
		if err != nil {
			t.Fatal(err)
		}
		schema, err := compiler.Compile(address)
		if err != nil {
			t.Fatal(err)
		}
		compiled = append(compiled, schema)
	}
	return compiled[0], compiled[1], compiled[2]
}
