package e2e

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The texts that differ from run to run, and their replacements in a script.
var variableTexts = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?m)^\d+:\d\d `), "mm:ss "},
	{regexp.MustCompile(`\bfails at \d+:\d\d\b`), "fails at mm:ss"},
	{regexp.MustCompile(`\btook (\d+[hms])+`), "took T"},
	{regexp.MustCompile(`( [A-Z][A-Za-z]+) for (\d+[hms])+, `), "$1, "}, // less than a second is omitted
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\b`), "TIME"},
	{regexp.MustCompile(`\b198\.18\.\d+\.\d+\b`), "ADDRESS"},
	{regexp.MustCompile(`(ReplicaSet \\?"\w+)-[0-9a-z]+(\\?")`), `$1-HASH$2`},
	{regexp.MustCompile(`: (ErrImagePull|ImagePullBackOff): .*`), ": ImagePullBackOff"}, // they alternate
	{regexp.MustCompile(`\b\d+ restarts?\b`), "N restarts"},
	{regexp.MustCompile(`\b(Pod|such as) ([a-z]+)(-[0-9a-z]+)+:`), "$1 $2-HASH:"},
	{regexp.MustCompile(`  +\d+[smhd](\d+s)?(  +)`), "   AGE   "},
}

// The explanation at the end of a wait, which other scripts test: the text between two empty
// lines of a log.
var explanation = regexp.MustCompile(`(?ms)^$\n.*?\n^$\n(\d+:\d\d RESULT )`)

// normal prints the output of the last command without its varying texts, and without an
// explanation.
func normal(ts *testscript.TestScript, _ bool, args []string) {
	s := stageOf(ts)
	text := strings.ReplaceAll(ts.ReadFile("stdout"), s.namespace, "NS")
	for name, namespace := range s.contexts {
		text = strings.ReplaceAll(text, namespace, "NS-"+name)
	}
	text = explanation.ReplaceAllString(text, "$1")
	if len(args) > 0 && args[0] == "-last" {
		text = lastLines(text)
	}
	_, err := io.WriteString(ts.Stdout(), normalized(text))
	ts.Check(err)
}

func normalized(text string) string {
	for _, p := range variableTexts {
		text = p.pattern.ReplaceAllString(text, p.instead)
	}
	return text
}

// lastLines keeps three parts of a log: the start, the last line about each object, sorted by
// object, and the end.
func lastLines(text string) string {
	var start, end []string
	last := map[string]string{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		switch fields[1] {
		case "START":
			start = append(start, line)
		case "WAITING":
		case "NOT", "WARNING", "RESULT": // NOT MET
			end = append(end, line)
		default:
			last[strings.TrimSuffix(fields[2], ":")] = line
		}
	}
	lines := start
	for _, object := range slices.Sorted(maps.Keys(last)) {
		lines = append(lines, last[object])
	}
	return strings.Join(append(lines, end...), "")
}

func TestNormalized(t *testing.T) {
	const text = `00:00 START       2 objects
00:00 InProgress  Deployment/x/web: 0/1 available
00:00 Failing     Pod/x/p: it ails; fails at 00:31 unless it recovers
00:30 WAITING     1 of 2: Deployment/x/web
61:05 Current     Deployment/x/web
61:06 NOT MET     Pod/x/p: Failing for 1h01m06s, CrashLoop: it ails for 5s
61:06 RESULT      timeout: 1 current, took 1h01m06s, exit 4
`
	const want = `mm:ss START       2 objects
mm:ss Current     Deployment/x/web
mm:ss Failing     Pod/x/p: it ails; fails at mm:ss unless it recovers
mm:ss NOT MET     Pod/x/p: Failing, CrashLoop: it ails for 5s
mm:ss RESULT      timeout: 1 current, took T, exit 4
`
	if got := normalized(lastLines(text)); got != want {
		t.Errorf("have\n%swant\n%s", got, want)
	}
}
