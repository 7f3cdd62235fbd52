package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// publishedSchema returns a schema of docs. The schemas refer to each other.
func publishedSchema(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for _, name := range []string{"output.schema.json", "record.schema.json", "report.schema.json", "lint.schema.json", "audit.schema.json", "writes.schema.json"} {
		file, err := os.Open(filepath.Join("../../docs/reference", name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		document, err := jsonschema.UnmarshalJSON(file)
		if err == nil {
			err = compiler.AddResource("https://kstatus.dev/"+name, document)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile("https://kstatus.dev/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestReportConformsToItsSchema validates the expected JSON reports of package report.
func TestReportConformsToItsSchema(t *testing.T) {
	schema := publishedSchema(t, "report.schema.json")
	files, err := filepath.Glob("../../report/testdata/*.json")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d reports, want 3; %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
