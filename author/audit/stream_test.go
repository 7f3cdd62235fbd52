package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kstatus.dev/internal/decoded"
)

// parseStream reads a stream. Each line is "+TIME VERB MANAGER JSON". The name of the
// object and a colon come before the verb, unless the object is lamp:
//
//	create    creates an object; the JSON is merged into an empty Lamp.
//	existing  existed when watching began, or again after a gap; without JSON it is unchanged.
//	spec      is a user's write; a change of the spec increases the generation.
//	status    is a write of the status subresource.
//	asks      makes no version: with request=200,VERB it changed nothing, with another code it was rejected.
//	delete    deletes the object.
//	gap, tick
//
// A merge follows RFC 7396. Before the JSON, "og=2" sets the
// observedGeneration. "Ready=False/Waiting/\"for Pods\"" sets a condition: its
// time changes with its status, and its observedGeneration is og, or the
// generation. "Ready=" removes it.
//
// "request=CODE,VERB" adds a Request; "subresource=status" makes a request of
// asks one of the status.
func parseStream(t testing.TB, stream string) (all []Write) {
	t.Helper()
	p := streamParser{T: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), objects: map[string]map[string]any{}, version: 100}
	for line := range strings.Lines(stream) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, p.write(line))
		}
	}
	return all
}

type streamParser struct {
	T       testing.TB
	now     time.Time
	objects map[string]map[string]any
	version int
}

func (p *streamParser) write(line string) Write {
	p.T.Helper()
	words := strings.SplitN(line, " {", 2)
	head := wordsOf(words[0])
	d, err := time.ParseDuration(strings.TrimPrefix(head[0], "+"))
	if err != nil {
		p.T.Fatalf("%s: %v", line, err)
	}
	p.now = p.now.Add(d)
	name, verb, named := strings.Cut(head[1], ":")
	if !named {
		name, verb = "lamp", head[1]
	}
	var patch map[string]any
	if len(words) == 2 {
		if err := json.Unmarshal([]byte("{"+words[1]), &patch); err != nil {
			p.T.Fatalf("%s: %v", line, err)
		}
	}
	w := Write{Type: WriteModified, Time: p.now}
	switch verb {
	case "gap", "tick":
		w.Type = WriteType(strings.ToUpper(verb))
		return w
	case "asks":
		w.Object = p.objects[name]
	case "existing":
		w.Type, w.Existing = WriteAdded, true
		if p.objects[name] == nil || patch != nil {
			p.applyWrite(name, verb, "", nil, patch)
		}
		w.Object = p.objects[name]
		return w
	default:
		p.applyWrite(name, verb, head[2], p.statusOf(name, head[3:]), patch)
		w.Object = p.objects[name]
		switch verb {
		case "create":
			w.Type = WriteAdded
		case "delete":
			w.Type = WriteDeleted
			delete(p.objects, name)
		}
	}
	w.Request = p.request(head, verb)
	if w.Request != nil && w.Request.Refused() {
		w.Object = map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": name, "namespace": "shop"}}
	}
	return w
}

func (p *streamParser) request(head []string, verb string) (r *Request) {
	p.T.Helper()
	for _, word := range head[min(len(head), 3):] {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case key == "request":
			code, method, _ := strings.Cut(value, ",")
			n, err := strconv.Atoi(code)
			if err != nil {
				p.T.Fatalf("%s: %v", word, err)
			}
			r = &Request{Verb: method, Code: n, Agent: head[2]}
			if verb == "status" {
				r.Subresource = "status"
			}
		case key == "subresource" && r != nil:
			r.Subresource = value
		}
	}
	return r
}

// wordsOf splits at spaces outside of quotes.
func wordsOf(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// statusOf returns the status that words such as og=2 and Ready=True/On describe.
func (p *streamParser) statusOf(name string, words []string) map[string]any {
	status, observed := map[string]any{}, decoded.Map(p.objects[name], "metadata")["generation"]
	conditions, _ := decoded.Map(p.objects[name], "status")["conditions"].([]any)
	conditions = slices.Clone(conditions)
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "request", "subresource":
		case "og":
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				p.T.Fatalf("%s: %v", word, err)
			}
			status["observedGeneration"], observed = n, n
		default:
			conditions = p.condition(conditions, key, value, observed)
			status["conditions"] = conditions
		}
	}
	if len(status) == 0 {
		return nil
	}
	return map[string]any{"status": status}
}

func (p *streamParser) condition(list []any, conditionType, value string, observed any) []any {
	i := slices.IndexFunc(list, func(c any) bool { return c.(map[string]any)["type"] == conditionType })
	if value == "" {
		return slices.Delete(list, i, i+1)
	}
	said := append(strings.SplitN(value, "/", 3), "", "")
	made := map[string]any{"type": conditionType, "status": said[0], "reason": said[1], "message": strings.Trim(said[2], "\""),
		"observedGeneration": observed, "lastTransitionTime": p.now.Format(time.RFC3339)}
	if i < 0 {
		return append(list, made)
	}
	if was := list[i].(map[string]any); was["status"] == made["status"] {
		made["lastTransitionTime"] = was["lastTransitionTime"]
	}
	list[i] = made
	return list
}

// applyWrite makes the next version of an object, from words and then from a patch.
func (p *streamParser) applyWrite(name, verb, manager string, said, patch map[string]any) {
	p.version++
	old := p.objects[name]
	if old == nil {
		old = map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": name, "namespace": "shop",
			"uid": "uid-" + name + "-" + strconv.Itoa(p.version), "generation": 1.0, "creationTimestamp": p.now.Format(time.RFC3339)}}
	}
	made := merged(merged(old, said), patch).(map[string]any)
	meta := made["metadata"].(map[string]any)
	if g, counted := meta["generation"].(float64); counted && verb == "spec" && !reflect.DeepEqual(old["spec"], made["spec"]) {
		meta["generation"] = g + 1
	}
	meta["resourceVersion"] = fmt.Sprint(p.version)
	if manager != "" {
		meta["managedFields"] = managed(old, made, verb, manager, p.now)
	}
	p.objects[name] = made
}

// managed computes managedFields, as the API server does.
func managed(old, made map[string]any, verb, manager string, now time.Time) []any {
	entry := map[string]any{"manager": manager, "operation": "Update", "time": now.Format(time.RFC3339)}
	if verb == "status" {
		entry["subresource"] = "status"
	}
	var changed [][]string
	l := Pass{Old: &Version{Object: old}, New: &Version{Object: made}}
	for _, c := range l.Changes() {
		if verb != "create" || !strings.HasPrefix(c.Path, ".status") {
			changed = append(changed, pathSteps(c.Path))
		}
	}
	fields := map[string]any{}
	var kept []any
	was, _ := decoded.Map(old, "metadata")["managedFields"].([]any)
	for _, e := range was {
		e := e.(map[string]any)
		if e["manager"] == manager && e["subresource"] == entry["subresource"] {
			fields, _ = merged(e["fieldsV1"], e["fieldsV1"]).(map[string]any)
			continue
		}
		theirs, _ := e["fieldsV1"].(map[string]any)
		for _, steps := range changed {
			theirs = without(theirs, steps)
		}
		e = merged(e, map[string]any{}).(map[string]any)
		e["fieldsV1"] = theirs
		kept = append(kept, e)
	}
	for _, steps := range changed {
		at := fields
		for _, step := range steps {
			below, _ := at[step].(map[string]any)
			if below == nil {
				below = map[string]any{}
				at[step] = below
			}
			at = below
		}
	}
	entry["fieldsV1"] = fields
	return append(kept, entry)
}

// without returns the fields without the one that another manager now owns.
func without(fields map[string]any, steps []string) map[string]any {
	below, has := fields[steps[0]].(map[string]any)
	if !has {
		return fields
	}
	fields = maps.Clone(fields)
	if len(steps) == 1 {
		delete(fields, steps[0])
	} else {
		fields[steps[0]] = without(below, steps[1:])
	}
	return fields
}

// pathSteps converts a path to the keys of managedFields, down to a condition.
func pathSteps(path string) (steps []string) {
	if rest, ofType := strings.CutPrefix(path, ".status.conditions[type="); ofType {
		quoted, _ := strconv.QuotedPrefix(rest)
		return []string{"f:status", "f:conditions", "k:{\"type\":" + quoted + "}"}
	}
	for _, name := range strings.SplitN(strings.TrimPrefix(path, "."), ".", 3) {
		name, _, _ = strings.Cut(name, "[")
		steps = append(steps, "f:"+name)
	}
	return steps
}

// merged applies a patch by RFC 7396. The result shares no memory with old.
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
