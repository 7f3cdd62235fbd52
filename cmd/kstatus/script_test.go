package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kstatus.dev/cmd/kstatus/internal/output"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	commands := map[string]func(){
		"kstatus":                  main,
		"kubectl-kstatus":          main,
		"kubectl_complete-kstatus": main,
		"panics":                   panics,
	}
	if commands[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")] == nil {
		// Several scripts wait for the timeout of a command, and need no processor meanwhile.
		flag.Parse()
		if err := flag.Set("test.parallel", "8"); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, commands)
}

// TestScripts runs the command as users do: testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	dir, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scriptParams(t, dir))
}

// scriptParams returns the parameters for the scripts of a directory. It adds these commands to
// those of testscript:
//
//	run kstatus ...        runs kstatus in the process of the test.
//	exit CODE kstatus ...  does so, and checks the exit code.
//	exit CODE exec ...     runs a program, and checks its exit code.
//	records FILE...        validates records by docs/reference/record.schema.json.
//	audited FILE...        validates the lines of an audit by docs/reference/audit.schema.json.
//	streams FILE...        validates streams of writes by docs/reference/writes.schema.json.
//	conforms stdout        validates the last output by docs/reference/output.schema.json.
//	lints FILE...          validates lines of kstatus lint by docs/reference/lint.schema.json.
//	sarif FILE             checks a file against SARIF 2.1.0.
//	objects                turns the last output into a line "file:line name" per object.
//	names FOLDER           prints the names of the files in a folder.
//	apiserver [HOW]        starts an API server with a few types, and sets KUBECONFIG.
//	serve NAME [STATUS]    serves the script's files over HTTP, and sets $NAME to the address.
func scriptParams(t *testing.T, dir string) testscript.Params {
	schema, record := publishedSchema(t, "output.schema.json"), publishedSchema(t, "record.schema.json")
	lints := publishedSchema(t, "lint.schema.json")
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("KUBECONFIG", filepath.Join(env.WorkDir, "no-kubeconfig"))
			env.Setenv("TERM", "xterm")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"conforms": conformsCommand(schema),
			"records":  conformsCommand(record),
			"lints":    conformsCommand(lints),
			"sarif":    sarifCommand,
			"audited":  conformsCommand(publishedSchema(t, "audit.schema.json")),
			"streams":  conformsCommand(publishedSchema(t, "writes.schema.json")),
			"run":      runCommand,
			"exit":     exitCommand,
			"names":    namesCommand,
			"objects":  objectsCommand,
			"serve":    serveCommand,

			"apiserver": apiServerCommand,
		},
	}
}

func serveCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: serve NAME [STATUS]")
	}
	handler := http.FileServerFS(os.DirFS(ts.MkAbs(".")))
	if len(args) == 2 {
		status, err := strconv.Atoi(args[1])
		ts.Check(err)
		handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	server := httptest.NewServer(handler)
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// conformsCommand holds the lines of files to a schema.
func conformsCommand(schema *jsonschema.Schema) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, files []string) {
		if neg || len(files) == 0 {
			ts.Fatalf("usage: conforms FILE...")
		}
		for _, file := range files {
			n := 0
			for line := range strings.Lines(ts.ReadFile(file)) {
				n++
				value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
				if err == nil {
					err = schema.Validate(value)
				}
				if err != nil {
					ts.Fatalf("%s:%d: %v\n%s", file, n, err, line)
				}
			}
			if n < 2 {
				ts.Fatalf("%s: %d lines, want a start and a result at least", file, n)
			}
		}
	}
}

func namesCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: names FOLDER")
	}
	files, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, f := range files {
		fmt.Fprintln(ts.Stdout(), f.Name())
	}
}

func objectsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: objects")
	}
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var o output.Object
		ts.Check(json.Unmarshal([]byte(line), &o))
		if o.Type == "object" {
			fmt.Fprintf(ts.Stdout(), "%s %s\n", o.Source, o.ID.Name)
		}
	}
}
