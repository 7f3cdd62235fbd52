package severity_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/author/severity"
)

func TestLevelTextRoundTrip(t *testing.T) {
	for _, l := range append(severity.Levels(), severity.Off) {
		have, err := severity.Parse(l.String())
		if err != nil || have != l {
			t.Errorf("Parse(%q) = %v, %v; want %v", l, have, err, l)
		}
		data, err := json.Marshal(l)
		var read severity.Level
		if err != nil || json.Unmarshal(data, &read) != nil || read != l {
			t.Errorf("%s is written as %s and read as %s, error %v", l, data, read, err)
		}
	}
	for _, word := range []string{"", "fatal", "Error", "hint"} {
		if l, err := severity.Parse(word); err == nil || !strings.Contains(err.Error(), "not a severity") {
			t.Errorf("Parse(%q) = %v, %v; want an error", word, l, err)
		}
	}
}

func TestLevelsAreSortedBySeverity(t *testing.T) {
	if all := severity.Levels(); !slices.IsSortedFunc(all, func(a, b severity.Level) int { return int(b) - int(a) }) {
		t.Errorf("Levels() = %v; want the worst first", all)
	}
	for _, l := range []severity.Level{severity.Off - 1, severity.Error + 1} {
		if word := l.String(); word != "off" && word != "error" {
			t.Errorf("level %d reads %q; want the nearest level", int(l), word)
		}
	}
}

func ExampleParse() {
	l, err := severity.Parse("info")
	fmt.Println(l, l < severity.Warning, err)
	_, err = severity.Parse("fatal")
	fmt.Println(err)
	// Output:
	// info true <nil>
	// "fatal" is not a severity; want off, info, warning or error
}

func ExampleLevel_Raised() {
	for _, l := range severity.Levels() {
		fmt.Println(l, "becomes", l.Raised())
	}
	// Output:
	// error becomes error
	// warning becomes error
	// info becomes warning
}

func ExampleLevels() {
	fmt.Println(severity.Levels())
	// Output: [error warning info]
}
