package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/planted"
)

// plant writes objects with secrets to a file, with an Event about each that also contains the
// secret. It also writes a stream of writes of the objects.
func plant(t *testing.T, dir string, plants []planted.Plant) (saved, stream, wait string) {
	t.Helper()
	var items []any
	const began = "2026-01-01T12:00:00Z"
	var writes, waited strings.Builder
	line := func(b *strings.Builder, v any) {
		t.Helper()
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	line(&writes, map[string]any{"v": 1, "type": "WRITES"})
	waited.WriteString(`{"v":1,"type":"start","time":"` + began + `","profile":"default","goal":["current"],"timeout":"5m0s","record":{"of":"wait","version":"x"}}` + "\n")
	for i, p := range plants {
		items = append(items, p.Object)
		metadata := p.Object["metadata"].(map[string]any)
		metadata["resourceVersion"], metadata["creationTimestamp"] = fmt.Sprint(100+i), began
		line(&writes, map[string]any{"type": "ADDED", "time": began, "object": p.Object})
		if message, ok := strings.CutPrefix(p.Shape, "message: "); ok {
			text := planted.Messages(p.Secret)[message]
			items = append(items, map[string]any{
				"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": fmt.Sprintf("e-%d", i), "namespace": "shop"},
				"type": "Warning", "reason": "Failed", "message": text, "count": 3, "lastTimestamp": began,
				"involvedObject": map[string]any{"kind": p.Object["kind"], "apiVersion": p.Object["apiVersion"], "namespace": "shop", "name": metadata["name"], "uid": metadata["uid"]},
			})
			id := map[string]any{"group": "example.com", "kind": "Widget", "namespace": "shop", "name": metadata["name"]}
			line(&waited, map[string]any{"v": 1, "type": "target", "time": began, "id": id})
			line(&waited, map[string]any{
				"v": 1, "type": "object", "time": began, "id": id, "status": "Failed", "reason": "Refused", "message": text, "warnings": []string{text}, "wants": text,
				"failure": "recoverable", "suspended": "", "confidence": "explicit", "rule": "kind", "met": false, "standing": "failed", "since": began, "unreachable": text,
				"evidence": []any{map[string]any{"path": "status.conditions[0].message", "value": text}},
			})
		}
	}
	line(&waited, map[string]any{"v": 1, "type": "result", "time": began, "outcome": "failed", "exitCode": 3, "objects": len(plants), "counts": map[string]any{"Failed": len(plants)}, "error": "giving up: password=" + plants[0].Secret})
	saved, stream, wait = filepath.Join(dir, "saved.json"), filepath.Join(dir, "writes.ndjson"), filepath.Join(dir, "wait.ndjson")
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{saved: string(text), stream: writes.String(), wait: waited.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return saved, stream, wait
}

// TestNoSecretIsPrinted prints and saves objects with secrets with every command and format.
func TestNoSecretIsPrinted(t *testing.T) {
	dir := t.TempDir()
	plants := planted.Plants()
	saved, stream, wait := plant(t, dir, plants)
	name := func(name string) string { return filepath.Join(dir, name) }
	rows := []struct {
		it, args string
		writes   []string
	}{
		{"get prints a table", "get --local -f " + saved, nil},
		{"get prints a wide table", "get --local -o wide -f " + saved, nil},
		{"get prints lines", "get --local -o json -f " + saved, nil},
		{"get prints YAML", "get --local -o yaml -f " + saved, nil},
		{"get prints names", "get --local -o name -f " + saved, nil},
		{"get prints a tree", "get --local --tree -o wide -f " + saved, nil},
		{"get prints a tree as lines", "get --local --tree -o json -f " + saved, nil},
		{"get records", "get --local -f " + saved + " --record " + name("got.ndjson"), []string{"got.ndjson"}},
		{"get records though it shows", "get --local -o name --show-secrets -f " + saved + " --record " + name("shown.ndjson"), []string{"shown.ndjson"}},
		{"explain prints text", "explain --local -f " + saved, nil},
		{"explain prints lines", "explain --local -o json -f " + saved, nil},
		{"explain records", "explain --local -f " + saved + " --record " + name("why.ndjson"), []string{"why.ndjson"}},
		{"explain shows what was recorded", "explain --local -o json -f " + name("why.ndjson"), nil},
		{"wait shows a record of another", "wait --local -f " + wait, nil},
		{"wait shows its lines", "wait --local -o json -f " + wait, nil},
		{"wait reports", "wait --local -q -f " + wait + " --report md=" + name("r.md") + " --report html=" + name("r.html") + " --report junit=" + name("r.xml") + " --report json=" + name("r.json"),
			[]string{"r.md", "r.html", "r.xml", "r.json"}},
		{"audit prints text", "audit --from " + stream, nil},
		{"audit prints lines", "audit --from " + stream + " -o json", nil},
		{"audit prints annotations", "audit --from " + stream + " -o github", nil},
		{"audit records", "audit --from " + stream + " --record " + name("again.ndjson"), []string{"again.ndjson"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			var out, stderr strings.Builder
			env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr, Now: time.Now}
			run(t.Context(), env, strings.Fields("kstatus "+row.args))
			texts := map[string]string{"standard output": out.String(), "standard error": stderr.String()}
			for _, file := range row.writes {
				text, err := os.ReadFile(name(file))
				if err != nil {
					t.Fatalf("%v; it says %s", err, stderr.String())
				}
				texts[file] = string(text)
			}
			size, found := 0, 0
			for where, text := range texts {
				size += len(text)
				for _, p := range planted.Find(plants, text) {
					if found++; found <= 5 {
						t.Errorf("%s: %q of the shape %q is in it", where, p.Secret, p.Shape)
					}
				}
			}
			if found > 0 || size < 100 {
				t.Errorf("%d of %d secrets are in %d bytes", found, len(plants), size)
			}
		})
	}
}

// TestShowSecrets checks that --show-secrets prints texts unchanged.
func TestShowSecrets(t *testing.T) {
	dir := t.TempDir()
	plants := planted.Plants()
	saved, stream, _ := plant(t, dir, plants)
	kept := filepath.Join(dir, "kept.ndjson")
	for _, args := range []string{
		"get --local -o wide --show-secrets -f " + saved,
		"get --local -o json --show-secrets -f " + saved,
		"get --local --tree -o wide --show-secrets -f " + saved,
		"explain --local --show-secrets -f " + saved,
		"explain --local -o json --show-secrets -f " + saved,
		"audit --show-secrets --record " + kept + " --from " + stream,
	} {
		t.Run(strings.ReplaceAll(args, dir, "DIR"), func(t *testing.T) {
			var out strings.Builder
			run(t.Context(), cli.Env{In: strings.NewReader(""), Out: &out, Err: &strings.Builder{}, Now: time.Now}, strings.Fields("kstatus "+args))
			text := out.String()
			if strings.HasPrefix(args, "audit") {
				file, err := os.ReadFile(kept)
				if err != nil {
					t.Fatal(err)
				}
				text = string(file)
			}
			found := planted.Count(plants, text)
			if found < 100 {
				t.Errorf("%d of %d secrets are in it", found, len(plants))
			}
		})
	}
}
