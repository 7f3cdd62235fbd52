package e2e

import (
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// records checks the lines of records against their schema. It ignores an incomplete last line.
func records(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		n := 0
		for line := range strings.Lines(ts.ReadFile(file)) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err == nil {
				err = stageOf(ts).record.Validate(value)
			}
			if err != nil {
				ts.Fatalf("%s: %v\n%s", file, err, line)
			}
			n++
		}
		if n < 2 {
			ts.Fatalf("%s: %d lines, want a start and a result at least", file, n)
		}
	}
}

func part(ts *testscript.TestScript, _ bool, files []string) {
	if len(files) != 2 {
		ts.Fatalf("usage: part FILE WHOLE")
	}
	if piece := ts.ReadFile(files[0]); piece == "" || !strings.Contains(ts.ReadFile(files[1]), piece) {
		ts.Fatalf("%s does not stand in %s", files[0], files[1])
	}
}

// checkHarmless fails on terminal control characters, on characters that change the direction of
// writing, and on the secret of the script.
func checkHarmless(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		text := ts.ReadFile(file)
		if text == "" || strings.Contains(text, "correct-horse-battery") {
			ts.Fatalf("%s tells nothing, or a secret", file)
		}
		for i, r := range text {
			if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				ts.Fatalf("%s: %U stands in %q", file, r, text[max(0, i-30):min(len(text), i+30)])
			}
		}
	}
}
