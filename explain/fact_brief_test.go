package explain

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// In all cases, brief objects give the same explanation as whole objects.
func TestBriefFactsExplainTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/*.case")
	if err != nil || len(files) < 100 {
		t.Fatalf("glob: %v, %d files", err, len(files))
	}
	numbers := regexp.MustCompile(`<redacted( \d+)?>|\\u003credacted( \d+)?\\u003e`)
	shown := func(f *Facts, requested []status.ID) string {
		e := Explain(f, requested...)
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return numbers.ReplaceAllString(e.Text(f.Now)+string(text), "REDACTED")
	}
	dropped := 0
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			f, requested := readCase(t, file)
			whole, short := *f, *f
			whole.Objects, short.Objects = nil, nil
			var r, s Redactor
			for _, o := range f.Objects {
				whole.Objects, short.Objects = append(whole.Objects, r.ObjectFact(o)), append(short.Objects, s.Brief(o))
			}
			if have, want := shown(&short, requested), shown(&whole, requested); have != want {
				t.Errorf("have:\n%s\nwant:\n%s", have, want)
			}
			for i, o := range short.Objects {
				if fmt.Sprint(o.Object) != fmt.Sprint(whole.Objects[i].Object) {
					dropped++
				}
				if again := s.Brief(o); fmt.Sprint(again.Object) != fmt.Sprint(o.Object) {
					t.Errorf("again it is %v, and was %v", again.Object, o.Object)
				}
			}
		})
	}
	if dropped < 20 {
		t.Errorf("of %d objects something was dropped", dropped)
	}
}

// Of the texts of an object, only those stay that explanations read, by kind and path.
func TestBriefKeepsNoFreeText(t *testing.T) {
	const free = "customer ACME Corp"
	object := func(version, kind string, fields map[string]any) map[string]any {
		fields["apiVersion"], fields["kind"], fields["metadata"] = version, kind, map[string]any{"name": "a", "namespace": "shop"}
		return fields
	}
	type m = map[string]any
	for _, row := range []struct {
		name string
		obj  map[string]any
		kept []string
	}{
		{"the values of a chart", object("argoproj.io/v1alpha1", "Application", m{"spec": m{
			"source":      m{"helm": m{"values": free, "valuesText": free, "parameters": []any{m{"name": free, "value": free}}}, "path": free, "command": free},
			"destination": m{"server": "https://cluster", "namespace": "shop"}}}), []string{"https://cluster"}},
		{"the data of a ConfigMap", object("v1", "ConfigMap", m{"data": m{"host": free, "name": free, "key": free, "domain": free}}), nil},
		{"fields of a custom resource", object("example.com/v1", "Lamp", m{"spec": m{
			"customerName": free, "name": free, "values": []any{free}, "key": free, "host": free, "command": []any{free}, "storagePolicy": free, "templateRef": m{"name": "basic", "note": free}}}),
			[]string{"basic"}},
		{"fields of a custom resource that look like those of a Pod", object("example.com/v1", "Pod", m{"spec": m{"containers": []any{m{"name": free, "image": free}}, "nodeName": free}}), nil},
		{"what a container executes", object("v1", "Pod", m{"spec": m{"containers": []any{m{
			"name": "api", "image": "api:1", "command": []any{free}, "args": []any{free}, "env": []any{m{"name": "CUSTOMER", "value": free}},
			"readinessProbe": m{"httpGet": m{"path": "/ready", "httpHeaders": []any{m{"name": free, "value": free}}}}}}}}), []string{"api:1", "/ready", "CUSTOMER"}},
		{"the parameters of a class", object("storage.k8s.io/v1", "StorageClass", m{"provisioner": "csi.example.com", "parameters": m{"key": free}}), []string{"csi.example.com"}},
		{"the rules of an Ingress", object("networking.k8s.io/v1", "Ingress", m{"spec": m{"rules": []any{m{"http": m{"paths": []any{m{"backend": m{"service": m{"name": "web"}}}}}}}}, "note": free}), []string{"web"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var r Redactor
			kept := fmt.Sprint(r.Brief(ObjectFact{ID: status.ID{Kind: status.Kind{Kind: "X"}, Name: "a"}, Object: row.obj}).Object)
			if strings.Contains(kept, free) {
				t.Errorf("it keeps a text that no explanation reads: %s", kept)
			}
			for _, text := range row.kept {
				if !strings.Contains(kept, text) {
					t.Errorf("it does not keep %s: %s", text, kept)
				}
			}
		})
	}
}

// A name in a field of a custom resource stays if its status reports the name, and a field that
// decided stays.
func TestBriefKeepsWhatAVerdictNames(t *testing.T) {
	lamp := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": "a"},
		"spec":   map[string]any{"queueName": "evening", "shelfName": "upper", "mode": "eco", "rooms": []any{map[string]any{"name": "hall", "mode": "dim"}}},
		"status": map[string]any{"message": "queue evening is full"},
	}
	var r Redactor
	reads := []status.Read{{Path: "spec.mode", Value: "eco"}, {Path: "spec.rooms[hall].mode", Value: "dim"}}
	kept := r.Brief(ObjectFact{ID: status.ID{Kind: status.Kind{Kind: "Lamp"}, Name: "a"}, Object: lamp, Reads: reads}).Object["spec"]
	want := "map[mode:eco queueName:evening rooms:[map[mode:dim name:<redacted 2>]] shelfName:<redacted 3>]"
	numbers := regexp.MustCompile(`<redacted \d+>`)
	if have := fmt.Sprint(kept); numbers.ReplaceAllString(have, "-") != numbers.ReplaceAllString(want, "-") {
		t.Errorf("it keeps %s, want %s", have, want)
	}
}
