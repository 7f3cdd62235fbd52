package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder with two cases, and a command that prints their verdicts.
func TestReport(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"index.json": `{"cases": [
			{"id": "a", "expected": ["Current"], "lenient": ["Current"]},
			{"id": "b", "expected": ["Failed"], "lenient": ["Failed", "InProgress"], "independent": true},
			{"id": "c", "expected": ["Failed"], "lenient": ["Failed"], "independent": false}]}`,
		"kstatus": "#!/bin/sh\n" +
			`echo '{"type": "object", "status": "Current", "confidence": "strong", "rule": "hint", "source": {"file": "cases/a.yaml"}}'` + "\n" +
			`echo '{"type": "object", "status": "InProgress", "confidence": "medium", "rule": "counters", "source": {"file": "cases/b.yaml"}}'` + "\n" +
			"exit 3\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := report(&out, filepath.Join(folder, "kstatus"), []string{folder}, nil); err != nil {
		t.Fatal(err)
	}
	const want = `confidence  verdicts  strict         lenient
strong      1         1/1 = 100.0 %  1/1 = 100.0 %
medium      1         0/1 = 0.0 %    1/1 = 100.0 %

confidence of Current  verdicts  strict         lenient
strong                 1         1/1 = 100.0 %  1/1 = 100.0 %

what decided Current  verdicts  strict         lenient
strong, hint          1         1/1 = 100.0 %  1/1 = 100.0 %

`
	if out.String() != want {
		t.Errorf("have\n%s\nwant\n%s", out.String(), want)
	}
}

// A case without a verdict is an error, since the shares would be of other cases.
func TestReportNeedsEachVerdict(t *testing.T) {
	folder := t.TempDir()
	index := `{"cases": [{"id": "a", "expected": ["Current"], "lenient": ["Current"]}]}`
	if err := os.WriteFile(filepath.Join(folder, "index.json"), []byte(index), 0o644); err != nil {
		t.Fatal(err)
	}
	err := report(&strings.Builder{}, "true", []string{folder}, nil)
	if err == nil || !strings.Contains(err.Error(), "no verdict for case a") {
		t.Errorf("error %v, want one that names the case", err)
	}
}
