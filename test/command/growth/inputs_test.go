package growth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// fields is an object or a part of one.
type fields = map[string]any

// repeated returns a list of the results of make for each number below n.
func repeated(n int, make func(i int) any) []any {
	var all []any
	for i := range n {
		all = append(all, make(i))
	}
	return all
}

// asList returns objects as the items of one List in JSON.
func asList(objects ...any) []byte {
	return asJSON(fields{"apiVersion": "v1", "kind": "List", "items": objects})
}

func asJSON(v any) []byte {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return text
}

func asYAML(v any) []byte {
	text, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// asDocuments returns objects as YAML documents.
func asDocuments(objects ...any) []byte {
	var b bytes.Buffer
	for _, o := range objects {
		b.WriteString("---\n")
		b.Write(asYAML(o))
	}
	return b.Bytes()
}

// asLines returns values as lines of JSON.
func asLines(values ...any) []byte {
	var b bytes.Buffer
	encode := json.NewEncoder(&b)
	for _, v := range values {
		if err := encode.Encode(v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func object(version, kind, name string, rest fields) fields {
	o := fields{"apiVersion": version, "kind": kind, "metadata": fields{
		"name": name, "namespace": "shop", "uid": kind + "-" + name, "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z",
	}}
	for key, value := range rest {
		o[key] = value
	}
	return o
}

func metadata(o fields) fields { return o["metadata"].(fields) }

// ownedBy sets another object as the owner of an object.
func ownedBy(o, owner fields) fields {
	metadata(o)["ownerReferences"] = []any{fields{
		"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": metadata(owner)["name"], "uid": metadata(owner)["uid"], "controller": true,
	}}
	return o
}

// lamp returns a custom resource that is not ready.
func lamp(i int) fields {
	return object("example.com/v1", "Lamp", fmt.Sprintf("lamp-%d", i), fields{"status": fields{
		"observedGeneration": 1,
		"conditions":         []any{condition("Ready", "False", "Dark", fmt.Sprintf("bulb %d is broken", i))},
	}})
}

func condition(kind, status, reason, message string) fields {
	return fields{"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 1}
}

// conditions returns n conditions, none of which is good.
func conditions(n int) []any {
	return append(repeated(n-1, func(i int) any {
		return condition(fmt.Sprintf("Part%dReady", i), "False", "Waiting", fmt.Sprintf("part %d is not ready", i))
	}), condition("Ready", "False", "Waiting", "not all parts are ready"))
}

// pod returns a Pod with containers that crash.
func pod(name string, containers int) fields {
	specs := repeated(containers, func(i int) any {
		return fields{
			"name": fmt.Sprintf("c%d", i), "image": fmt.Sprintf("shop/c%d:1", i),
			"env": []any{fields{"name": "DB", "valueFrom": fields{"secretKeyRef": fields{"name": fmt.Sprintf("s%d", i), "key": "url"}}}},
		}
	})
	states := repeated(containers, func(i int) any {
		return fields{
			"name": fmt.Sprintf("c%d", i), "image": fmt.Sprintf("shop/c%d:1", i), "restartCount": 7, "ready": false,
			"state":     fields{"waiting": fields{"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container"}},
			"lastState": fields{"terminated": fields{"exitCode": 1, "reason": "Error", "finishedAt": "2026-01-01T00:00:00Z"}},
		}
	})
	return object("v1", "Pod", name, fields{
		"spec": fields{"nodeName": "n1", "containers": specs},
		"status": fields{"phase": "Running", "containerStatuses": states, "conditions": []any{
			condition("Ready", "False", "ContainersNotReady", "containers with unready status"),
			condition("PodScheduled", "True", "", ""),
		}},
	})
}

func event(about fields, i int) fields {
	return object("v1", "Event", fmt.Sprintf("e%d", i), fields{
		"type": "Warning", "reason": fmt.Sprintf("Reason%d", i), "message": fmt.Sprintf("event %d", i), "count": 1, "lastTimestamp": "2026-01-01T00:00:00Z",
		"involvedObject": fields{"apiVersion": about["apiVersion"], "kind": about["kind"], "namespace": "shop", "name": metadata(about)["name"], "uid": metadata(about)["uid"]},
	})
}

// definition returns a definition with lint findings.
func definition(i, versions int) fields {
	status := func(j int) fields {
		return fields{"type": "object", "properties": fields{
			"phase": fields{"type": "string"}, "observedGeneration": fields{"type": "integer", "format": "int64"},
			"conditions": fields{"type": "array", "items": fields{"type": "object", "required": []any{"type"}, "properties": fields{
				"type": fields{"type": "string"}, "status": fields{"type": "string"}, "reason": fields{"type": "string"},
			}}},
		}}
	}
	return definitionOf(i, versions, status)
}

func definitionOf(i, versions int, status func(int) fields) fields {
	all := repeated(versions, func(j int) any {
		return fields{"name": fmt.Sprintf("v%d", j+1), "served": true, "storage": j == 0, "subresources": fields{"status": fields{}},
			"schema": fields{"openAPIV3Schema": fields{"type": "object", "properties": fields{
				"spec": fields{"type": "object", "properties": fields{"color": fields{"type": "string"}}}, "status": status(j),
			}}}}
	})
	return fields{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": fields{"name": fmt.Sprintf("lamps%d.example.com", i)},
		"spec": fields{
			"group": "example.com", "scope": "Namespaced", "versions": all,
			"names": fields{"kind": fmt.Sprintf("Lamp%d", i), "listKind": fmt.Sprintf("Lamp%dList", i), "plural": fmt.Sprintf("lamps%d", i), "singular": fmt.Sprintf("lamp%d", i)},
		},
	}
}

func definitions(n int) []any { return repeated(n, func(i int) any { return definition(i, 1) }) }

// letters returns a text with many words.
func letters(n int) string { return strings.Repeat("the volume is not attached to node n1; ", n) }
