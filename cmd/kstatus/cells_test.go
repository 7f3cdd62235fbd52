package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A cell is the answer of one command about one object.
type cell struct {
	status   string
	warnings string // sorted
	cause    string // the first one
}

// only returns the parts of an answer that a command shows.
func (c cell) only(parts string) cell {
	if !strings.Contains(parts, "warnings") {
		c.warnings = ""
	}
	if !strings.Contains(parts, "cause") {
		c.cause = ""
	}
	return c
}

// cells are answers by the object, as Kind/name.
type cells map[string]cell

// TestOneAnswer runs all commands about objects in trouble. What one command says about an object, all
// others say too.
func TestOneAnswer(t *testing.T) {
	answers := everyCell(t)
	for _, command := range troubledCommands {
		t.Run(command.name, func(t *testing.T) {
			for _, row := range troubledObjects {
				shown := command.others
				if row.want.status == "Current" {
					shown = command.current
				}
				want, isShown := row.want.only(shown), !row.isClusterScoped || !command.isOfNamespace
				for _, e := range troubledExceptions {
					if e.of == row.of && slices.Contains(e.commands, command.name) {
						want, isShown = e.want.only(shown), e.want.status != ""
					}
				}
				have, found := answers[command.name][row.of]
				if found != isShown || found && have.only(shown) != want {
					t.Errorf("%s: have %v, shown %t\nwant %v, shown %t", row.of, have, found, want, isShown)
				}
			}
		})
	}
}

// troubledCluster returns a server with the objects of testdata/cells, and a dump of them as a List
// and as lines.
func troubledCluster(t *testing.T) (c *memoryCluster, list, lines string) {
	t.Helper()
	c = newMemoryCluster(t)
	for _, r := range troubledTypes {
		c.Serve(r)
	}
	files, err := filepath.Glob("testdata/cells/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("have no objects: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c.put(strings.TrimSuffix(string(text), "\n"))
	}
	var items []string
	for _, u := range c.Objects() {
		text, err := json.Marshal(u.Object)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, string(text))
	}
	slices.Sort(items)
	return c, `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + "]}", strings.Join(items, "\n") + "\n"
}

// everyCell runs the commands, and returns the answers of each.
func everyCell(t *testing.T) map[string]cells {
	c, list, lines := troubledCluster(t)
	answers := map[string]cells{}
	add := func(command string, some cells) {
		if answers[command] == nil {
			answers[command] = cells{}
		}
		maps.Copy(answers[command], some)
	}
	types := map[string]bool{}
	for _, row := range troubledObjects {
		kind, _, _ := strings.Cut(row.of, "/")
		types[kind] = true
		add("explain NAME", jsonCells(t, c.run("", "explain", row.of, "-o", "json", "--logs", "none").out))
	}
	var names []string
	for _, row := range troubledObjects {
		names = append(names, row.of)
	}
	for kind := range types {
		add("explain TYPE", jsonCells(t, c.run("", "explain", kind, "-o", "json", "--logs", "none").out))
		add("get TYPE", jsonCells(t, c.run("", "get", kind, "-o", "json").out))
	}
	allTypes := strings.Join(slices.Sorted(maps.Keys(types)), ",")
	add("get NAME", jsonCells(t, c.run("", append([]string{"get", "-o", "json"}, names...)...).out))
	add("get", jsonCells(t, c.run("", "get", "-o", "json").out))
	add("explain", jsonCells(t, c.run("", "explain", "-o", "json", "--logs", "none").out))
	for _, verb := range []string{"get", "explain"} {
		local := []string{verb, "--local", "-f", "-", "-o", "json"}
		add(verb+" NAME --local", jsonCells(t, c.run(list, append(local, names...)...).out))
		add(verb+" TYPE --local", jsonCells(t, c.run(lines, append(local, allTypes)...).out))
		add(verb+" --local, a List", jsonCells(t, c.run(list, local...).out))
		add(verb+" --local, lines", jsonCells(t, c.run(lines, local...).out))
	}
	add("overview", overviewCells(c.run("").out))
	add("overview -A", overviewCells(c.run("", "-A").out))
	addWaits(t, c, add)
	return answers
}

// addWaits runs one wait for the Current objects, since a wait warns only if it succeeds. It waits for
// a few others each, since the time of an explanation is limited. It adds the answers of the waits and
// of the replays of their records.
func addWaits(t *testing.T, c *memoryCluster, add func(string, cells)) {
	run := func(timeout string, names ...string) {
		record := filepath.Join(t.TempDir(), "record")
		args := []string{"wait", "--timeout", timeout, "--keep-going", "--grace", "0", "--logs", "none", "-o", "json", "--progress", "full", "--record", record}
		live := c.run("", append(args, names...)...)
		add("wait -o json", jsonCells(t, live.out))
		add("wait", logCells(live.notes))
		add("replay -o json", jsonCells(t, c.run("", "wait", "--local", "-f", record, "-o", "json").out))
		add("replay", logCells(c.run("", "wait", "--local", "-f", record, "--progress", "full").out))
		for _, verb := range []string{"get", "explain"} {
			add("replay by "+verb, jsonCells(t, c.run("", verb, "--local", "-f", record, "-o", "json").out))
		}
	}
	var current, others []string
	for _, row := range troubledObjects {
		if row.want.status == "Current" {
			current = append(current, row.of)
		} else {
			others = append(others, row.of)
		}
	}
	run("1m", current...)
	for some := range slices.Chunk(others, 10) {
		run("0", some...) // which reads all objects once
	}
}

// jsonCells reads the answers in an output of JSON lines. The last line of an object counts.
func jsonCells(t *testing.T, out string) cells {
	t.Helper()
	type id struct{ Kind, Name string }
	all := cells{}
	for line := range strings.Lines(out) {
		var v struct {
			Type, Status, Message, Suspended, Caveat string
			ID                                       id
			Failing                                  bool
			Warnings                                 []string
			Causes                                   []struct {
				Text  string
				First []id
			}
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		switch {
		case v.Failing && v.Status == "InProgress":
			v.Status = "Failing"
		case v.Caveat != "":
			v.Warnings = append(v.Warnings, v.Caveat)
		case v.Suspended == "asked":
			v.Warnings = append(v.Warnings, v.Message)
		}
		slices.Sort(v.Warnings)
		if v.Type == "object" {
			all[nameOf(v.ID.Kind, v.ID.Name)] = cell{status: v.Status, warnings: strings.Join(v.Warnings, "; ")}
		}
		for _, cause := range v.Causes {
			for _, id := range cause.First {
				all.setCause(nameOf(id.Kind, id.Name), cause.Text)
			}
		}
	}
	return all
}

// nameOf returns a name as in the rows.
func nameOf(kind, name string) string { return strings.ToLower(kind) + "/" + name }

// setCause sets the cause of an object, unless it has one.
func (all cells) setCause(of, cause string) {
	c := all[of]
	if c.cause == "" {
		c.cause = cause
	}
	all[of] = c
}

const statusWords = `(Failed|Failing|InProgress|Terminating|Unknown|Current)`

var (
	overviewEntry = regexp.MustCompile(`^ +(Warning|Failed|Failing|InProgress|Terminating|Unknown) +(.*)$`)
	countOfCause  = regexp.MustCompile(`^\d+ (?:objects|[A-Z][A-Za-z]+s): `)
	logStatus     = regexp.MustCompile(`^\d\d:\d\d ` + statusWords + ` +([A-Za-z]+)/(?:[^/: ]+/)?([^/: ]+)(?::|$)`)
	logTitle      = regexp.MustCompile(`^([A-Za-z]+)/(\S+?)(?: in \S+)?: ` + statusWords)
	logCause      = regexp.MustCompile(`^ +Cause +(.*)$`)
	logAffects    = regexp.MustCompile(`^ +Affects +(.*)$`)
	logWarning    = regexp.MustCompile(`^\d\d:\d\d WARNING +([A-Za-z]+)/(?:[^/: ]+/)?([^/: ]+): current(?:, but| while suspended,) (.*)$`)
)

// overviewCells reads the answers of an overview.
func overviewCells(out string) cells {
	all := cells{}
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		m := overviewEntry.FindStringSubmatch(line)
		if m == nil || i+1 == len(lines) {
			continue
		}
		text := strings.TrimSpace(lines[i+1])
		c := cell{status: m[1], cause: countOfCause.ReplaceAllString(text, "")}
		if m[1] == "Warning" {
			c = cell{status: "Current", warnings: sortedWarnings(strings.TrimPrefix(text, "current, but "))}
		}
		for _, name := range namesIn(m[2]) {
			all[name] = c
		}
	}
	return all
}

// namesIn returns the names in a list of Kind/name or Kind/namespace/name.
func namesIn(list string) (all []string) {
	for name := range strings.SplitSeq(list, ", ") {
		parts := strings.Split(name, "/")
		all = append(all, nameOf(parts[0], parts[len(parts)-1]))
	}
	return all
}

// sortedWarnings sorts warnings in a text.
func sortedWarnings(text string) string {
	all := strings.Split(text, "; ")
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// logCells reads the answers in the log of a wait: the last status of each object, the warnings at the
// end, and the causes.
func logCells(out string) cells {
	all := cells{}
	title, cause := "", ""
	affected := cells{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if m := logStatus.FindStringSubmatch(line); m != nil {
			all[nameOf(m[2], m[3])] = cell{status: m[1]}
		}
		if m := logWarning.FindStringSubmatch(line); m != nil {
			all[nameOf(m[1], m[2])] = cell{status: "Current", warnings: sortedWarnings(m[3])}
		}
		if m := logTitle.FindStringSubmatch(line); m != nil {
			title = nameOf(m[1], m[2])
		}
		if m := logCause.FindStringSubmatch(line); m != nil {
			cause = countOfCause.ReplaceAllString(m[1], "")
			all.setCause(title, cause)
		}
		if m := logAffects.FindStringSubmatch(line); m != nil {
			for _, name := range namesIn(m[1]) {
				affected.setCause(name, cause)
			}
		}
	}
	for name, c := range affected { // a cause of its own comes first
		all.setCause(name, c.cause)
	}
	return all
}

// String returns an answer as the fields of a row.
func (c cell) String() string { return fmt.Sprintf("{%q, %q, %q}", c.status, c.warnings, c.cause) }
