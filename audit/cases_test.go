package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRules holds each rule to the two streams of its file in testdata: one that
// breaks it and nothing else, and its neighbour that keeps all rules.
func TestRules(t *testing.T) {
	for _, r := range Rules {
		t.Run(r.Name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", strings.ReplaceAll(r.Name, "-", "_")+".case"))
			if err != nil {
				t.Fatal(err)
			}
			head, rest, _ := strings.Cut(string(data), "== breaks\n")
			breaks, keeps, both := strings.Cut(rest, "== keeps\n")
			if head == "" || !both {
				t.Fatal("want a line that says what goes wrong, then == breaks, then == keeps")
			}
			if got := broken(t, breaks); !reflect.DeepEqual(got, []string{r.ID}) {
				t.Errorf("the stream that breaks %s breaks %v", r.ID, got)
			}
			if got := broken(t, keeps); len(got) != 0 {
				t.Errorf("its neighbour breaks %v", got)
			}
		})
	}
}

func broken(t *testing.T, stream string) (ids []string) {
	t.Helper()
	a := New(Options{})
	for _, w := range play(t, stream) {
		a.See(w)
	}
	for _, f := range a.Findings() {
		if len(ids) == 0 || ids[len(ids)-1] != f.Rule {
			ids = append(ids, f.Rule)
		}
		t.Logf("%s %s %s: %s", f.Rule, f.Object, f.Path, f.Evidence)
	}
	return ids
}

// play reads a stream. Each line is "+TIME VERB MANAGER JSON", with the name of
// the object and a colon before the verb where it is not "lamp":
//
//	create  makes an object; the JSON is merged into an empty Lamp
//	spec    merges into what users write; the generation grows if the spec changes
//	status  merges into the status by the subresource; noop in place of the manager: see Request below
//	delete  the object is gone
//	gap, tick
//
// A merge is that of RFC 7396. "request=CODE,VERB" after the manager adds a Request.
func play(t *testing.T, stream string) (all []Write) {
	t.Helper()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	objects, version := map[string]map[string]any{}, 100
	for line := range strings.Lines(stream) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		words := strings.SplitN(line, " {", 2)
		head := strings.Fields(words[0])
		d, err := time.ParseDuration(strings.TrimPrefix(head[0], "+"))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		now = now.Add(d)
		name, verb, named := strings.Cut(head[1], ":")
		if !named {
			name, verb = "lamp", head[1]
		}
		w := Write{Type: Modified, Time: now}
		switch verb {
		case "gap":
			w.Type = Gap
		case "tick":
			w.Type = Tick
		default:
			var patch map[string]any
			if len(words) == 2 {
				if err := json.Unmarshal([]byte("{"+words[1]), &patch); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
			version++
			objects[name] = written(objects[name], name, verb, head[2], patch, now, version)
			w.Object = objects[name]
			switch verb {
			case "create":
				w.Type = Added
			case "delete":
				w.Type = Deleted
				delete(objects, name)
			}
			for _, extra := range head[3:] {
				w.Request = request(t, extra, verb, head[2])
			}
		}
		all = append(all, w)
	}
	return all
}

func request(t *testing.T, word, verb, manager string) *Request {
	t.Helper()
	code, method, _ := strings.Cut(strings.TrimPrefix(word, "request="), ",")
	n, err := strconv.Atoi(code)
	if err != nil {
		t.Fatalf("%s: %v", word, err)
	}
	r := &Request{Verb: method, Code: n, Agent: manager}
	if verb == "status" {
		r.Subresource = "status"
	}
	return r
}

func written(old map[string]any, name, verb, manager string, patch map[string]any, now time.Time, version int) map[string]any {
	if old == nil {
		old = map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": name, "namespace": "shop",
			"uid": "uid-" + name + "-" + strconv.Itoa(version), "generation": 1.0, "creationTimestamp": now.Format(time.RFC3339)}}
	}
	made := merged(old, patch).(map[string]any)
	meta := made["metadata"].(map[string]any)
	if verb == "spec" && !reflect.DeepEqual(old["spec"], made["spec"]) {
		meta["generation"] = meta["generation"].(float64) + 1
	}
	meta["resourceVersion"] = fmt.Sprint(version)
	entry := map[string]any{"manager": manager, "operation": "Update", "time": now.Format(time.RFC3339)}
	if verb == "status" {
		entry["subresource"] = "status"
	}
	var kept []any
	was, _ := meta["managedFields"].([]any)
	for _, e := range was {
		if e := e.(map[string]any); e["manager"] != manager || e["subresource"] != entry["subresource"] {
			kept = append(kept, e)
		}
	}
	meta["managedFields"] = append(kept, entry)
	return made
}

// merged returns what RFC 7396 makes of a patch; nothing is shared with old.
func merged(old, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	was, _ := old.(map[string]any)
	made := map[string]any{}
	for k, v := range was {
		made[k] = merged(v, v)
	}
	for k, v := range p {
		if v == nil {
			delete(made, k)
		} else {
			made[k] = merged(made[k], v)
		}
	}
	return made
}
