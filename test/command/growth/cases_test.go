package growth

import (
	"fmt"
	"slices"
)

func measurements() []measurement {
	return slices.Concat(lintCases(), getCases(), explainCases(), auditCases())
}

func lintCases() (all []measurement) {
	list := func(n int) []byte { return asList(definitions(n)...) }
	documents := func(n int) []byte { return asDocuments(definitions(n)...) }
	versions := func(n int) []byte { return asYAML(definition(0, n)) }
	for _, input := range []struct {
		it   string
		n    int
		text func(int) []byte
	}{
		{"definitions in a List", 15, list},
		{"definitions as documents", 15, documents},
		{"versions of a definition", 10, versions},
	} {
		for _, format := range []struct {
			it, flags string
			code      int
		}{
			{"", "", 7},
			{", -o json", "-o json", 7},
			{", -o sarif", "-o sarif", 7},
			{", -o github", "-o github", 7},
			{", --diff", "--diff", 7},
			{", --fix", "--fix", 7},
			{", --fix --unsafe", "--fix --unsafe", 0},
			{", --patch json", "--patch json", 7},
			{", --patch kustomize --unsafe", "--patch kustomize --unsafe", 7},
			{", --tools", "--tools", 0},
		} {
			all = append(all, measurement{it: "lint " + input.it + format.it, n: input.n, text: input.text, args: "lint FILE " + format.flags, code: format.code})
		}
	}
	return append(all,
		measurement{it: "lint definitions in a List of YAML", n: 15, args: "lint FILE", code: 7, text: func(n int) []byte {
			return asYAML(fields{"apiVersion": "v1", "kind": "List", "items": definitions(n)})
		}},
		measurement{it: "lint definitions in a List of YAML, --fix", n: 15, args: "lint FILE --fix", code: 7, text: func(n int) []byte {
			return asYAML(fields{"apiVersion": "v1", "kind": "List", "items": definitions(n)})
		}},
		measurement{it: "lint definitions and examples of them", n: 15, args: "lint FILE", code: 7, text: func(n int) []byte {
			return asDocuments(slices.Concat(definitions(n), repeated(n, func(i int) any {
				return object("example.com/v1", fmt.Sprintf("Lamp%d", i), "a", fields{"status": lamp(i)["status"]})
			}))...)
		}},
		measurement{it: "lint a definition and examples of it", n: 25, args: "lint FILE", code: 7, text: func(n int) []byte {
			return asDocuments(append(repeated(n, func(i int) any {
				return object("example.com/v1", "Lamp0", fmt.Sprint("a", i), fields{"status": lamp(i)["status"]})
			}), definition(0, 1))...)
		}},
		measurement{it: "lint roles and definitions", n: 15, args: "lint FILE", code: 7, text: func(n int) []byte {
			return asDocuments(slices.Concat(definitions(n), repeated(n, func(i int) any {
				return object("rbac.authorization.k8s.io/v1", "ClusterRole", fmt.Sprint("r", i), fields{"rules": []any{
					fields{"apiGroups": []any{"example.com"}, "resources": []any{fmt.Sprintf("lamps%d", i)}, "verbs": []any{"get", "update"}},
				}})
			}))...)
		}},
		measurement{it: "lint fields of a status", n: 50, args: "lint FILE", text: func(n int) []byte { return asYAML(definitionWithFields(n)) }},
		measurement{it: "lint fields of a status, -o sarif", n: 50, args: "lint FILE -o sarif", text: func(n int) []byte { return asYAML(definitionWithFields(n)) }},
		measurement{it: "lint fields of a status, --fix --unsafe", n: 50, args: "lint FILE --fix --unsafe", text: func(n int) []byte { return asYAML(definitionWithFields(n)) }},
		measurement{it: "lint rules of a definition", n: 50, args: "lint FILE", text: func(n int) []byte {
			return asYAML(definitionOf(0, 1, func(int) fields {
				return fields{"type": "object", "properties": fields{"observedGeneration": fields{"type": "integer", "format": "int64"}},
					"x-kubernetes-validations": repeated(n, func(i int) any { return fields{"rule": fmt.Sprintf("self.observedGeneration != %d", i)} })}
			}))
		}},
		measurement{it: "capi check of definitions", n: 15, args: "capi check FILE", code: 7, text: func(n int) []byte {
			return asDocuments(repeated(n, func(i int) any {
				d := definition(i, 1)
				d["spec"].(fields)["group"] = "infrastructure.cluster.x-k8s.io"
				d["spec"].(fields)["names"].(fields)["kind"] = fmt.Sprintf("Lamp%dMachine", i)
				metadata(d)["labels"] = fields{"cluster.x-k8s.io/v1beta1": "v1"}
				return d
			})...)
		}},
	)
}

// definitionWithFields returns a definition with a status of n fields, many of them invalid.
func definitionWithFields(n int) fields {
	return definitionOf(0, 1, func(int) fields {
		properties := fields{"observedGeneration": fields{"type": "integer", "format": "int64"}}
		var names []any
		for i := range n {
			name := fmt.Sprintf("field%d", i)
			properties[name], names = fields{"type": "object", "required": []any{"a"}, "properties": fields{"a": fields{"type": "integer", "default": -1}}}, append(names, name)
		}
		return fields{"type": "object", "required": names, "properties": properties}
	})
}

func getCases() (all []measurement) {
	lamps := func(n int) []byte { return asList(repeated(n, func(i int) any { return lamp(i) })...) }
	for _, flags := range []string{"", "-o wide", "-o json", "-o yaml", "-o name", "--tree", "--record OUT", "-A --no-hints --profile strict"} {
		all = append(all, measurement{it: "get objects " + flags, n: 50, args: "get --local -f FILE " + flags, text: lamps})
	}
	for _, input := range []struct {
		it   string
		n    int
		text func(int) []byte
	}{
		{"conditions of an object", 200, func(n int) []byte {
			o := lamp(0)
			o["status"] = fields{"observedGeneration": 1, "conditions": conditions(n)}
			return asYAML(o)
		}},
		{"containers of a Pod", 100, func(n int) []byte { return asYAML(pod("web", n)) }},
		{"init containers of a Pod", 100, func(n int) []byte {
			p := pod("web", n)
			spec, status := p["spec"].(fields), p["status"].(fields)
			spec["initContainers"], spec["containers"] = spec["containers"], []any{fields{"name": "web", "image": "web"}}
			status["initContainerStatuses"], status["phase"] = status["containerStatuses"], "Pending"
			delete(status, "containerStatuses")
			return asYAML(p)
		}},
		{"a chain of owners", 200, func(n int) []byte {
			return asList(ownedChain(n)...)
		}},
		{"objects with one owner", 50, func(n int) []byte {
			return asList(append(repeated(n, func(i int) any { return ownedBy(lamp(i+1), lamp(0)) }), lamp(0))...)
		}},
		{"owners of an object", 100, func(n int) []byte {
			o := lamp(0)
			metadata(o)["ownerReferences"] = repeated(n, func(i int) any {
				return fields{"apiVersion": "example.com/v1", "kind": "Lamp", "name": fmt.Sprintf("lamp-%d", i+1), "uid": fmt.Sprintf("Lamp-lamp-%d", i+1)}
			})
			return asList(append(repeated(n, func(i int) any { return lamp(i + 1) }), o)...)
		}},
		{"finalizers of an object", 200, func(n int) []byte {
			o := lamp(0)
			metadata(o)["deletionTimestamp"] = "2026-01-01T00:00:00Z"
			metadata(o)["finalizers"] = repeated(n, func(i int) any { return fmt.Sprintf("example.com/f%d", i) })
			return asYAML(o)
		}},
		{"managed fields of an object", 100, func(n int) []byte {
			o := lamp(0)
			metadata(o)["managedFields"] = repeated(n, func(i int) any {
				return fields{"manager": fmt.Sprintf("m%d", i), "operation": "Update", "apiVersion": "example.com/v1", "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "subresource": "status",
					"fieldsV1": fields{"f:status": fields{fmt.Sprintf("f:f%d", i): fields{}, "f:conditions": fields{`k:{"type":"Ready"}`: fields{".": fields{}, "f:status": fields{}}}}}}
			})
			return asYAML(o)
		}},
		{"a long message", 200, func(n int) []byte {
			o := lamp(0)
			o["status"].(fields)["conditions"] = []any{condition("Ready", "False", "Waiting", letters(n))}
			return asYAML(o)
		}},
		{"fields of a status", 200, func(n int) []byte {
			o := lamp(0)
			for i := range n {
				o["status"].(fields)[fmt.Sprintf("part%dReady", i)] = false
				o["status"].(fields)[fmt.Sprintf("part%dPhase", i)] = "Pending"
			}
			return asYAML(o)
		}},
		{"a deep status", 200, func(n int) []byte {
			var deep any = "Pending"
			for range n {
				deep = fields{"child": deep, "phase": "Pending"}
			}
			o := lamp(0)
			o["status"].(fields)["tree"] = deep
			return asLines(o) // without spaces, which would grow with each level
		}},
		{"events of a Pod", 100, func(n int) []byte {
			p := pod("web", 1)
			return asList(append(repeated(n, func(i int) any { return event(p, i) }), p)...)
		}},
		{"references of a Pod", 100, func(n int) []byte {
			p := pod("web", 1)
			p["spec"].(fields)["volumes"] = repeated(n, func(i int) any {
				return fields{"name": fmt.Sprintf("v%d", i), "secret": fields{"secretName": fmt.Sprintf("s%d", i)}}
			})
			p["status"].(fields)["containerStatuses"] = []any{fields{"name": "c0", "state": fields{"waiting": fields{"reason": "ContainerCreating"}}}}
			return asList(append(repeated(n, func(i int) any { return event(p, i) }), p)...)
		}},
		{"secrets in arguments", 100, func(n int) []byte {
			p := pod("web", 1)
			p["spec"].(fields)["containers"].([]any)[0].(fields)["args"] = repeated(n, func(i int) any {
				return fmt.Sprintf("--password=hunter%d --url=postgres://user:hunter%d@db/x?token=%d", i, i, i)
			})
			return asYAML(p)
		}},
		{"failing Pods", 25, func(n int) []byte {
			return asList(repeated(n, func(i int) any { return pod(fmt.Sprintf("web-%d", i), 1) })...)
		}},
		{"Pods of a Deployment", 25, rollout},
		{"Services with Pods", 25, func(n int) []byte {
			return asList(slices.Concat(repeated(n, func(i int) any {
				return object("v1", "Service", fmt.Sprintf("s%d", i), fields{"spec": fields{"selector": fields{"app": fmt.Sprint("a", i)}, "type": "LoadBalancer"}, "status": fields{}})
			}), repeated(n, func(i int) any {
				p := pod(fmt.Sprintf("web-%d", i), 1)
				metadata(p)["labels"] = fields{"app": fmt.Sprint("a", i)}
				return p
			}))...)
		}},
		{"documents with aliases", 50, func(n int) []byte {
			text := []byte("x: &x {a: 1, b: [1, 2]}\napiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: a}\nstatus:\n")
			for i := range n {
				text = fmt.Appendf(text, "  f%d: *x\n", i)
			}
			return text
		}},
	} {
		all = append(all,
			measurement{it: "get " + input.it, n: input.n, args: "get --local -f FILE -o wide", text: input.text},
			measurement{it: "get --tree of " + input.it, n: input.n, args: "get --local --tree -f FILE", text: input.text},
			measurement{it: "explain " + input.it, n: input.n, args: "explain --local -f FILE --record OUT", text: input.text},
			measurement{it: "show again " + input.it, n: input.n, prepare: "explain --local -f FILE --record OUT", args: "explain --local -f OUT -o json", text: input.text},
		)
	}
	return all
}

func ownedChain(n int) []any {
	chain := repeated(n, func(i int) any { return lamp(i) })
	for i := 1; i < n; i++ {
		ownedBy(chain[i].(fields), chain[i-1].(fields))
	}
	return chain
}

// rollout returns a Deployment and its Pods, all of which crash.
func rollout(n int) []byte {
	deployment := object("apps/v1", "Deployment", "web", fields{
		"spec":   fields{"replicas": n, "selector": fields{"matchLabels": fields{"app": "web"}}},
		"status": fields{"observedGeneration": 1, "replicas": n, "updatedReplicas": n, "unavailableReplicas": n, "conditions": []any{condition("Available", "False", "MinimumReplicasUnavailable", "")}},
	})
	set := ownedBy(object("apps/v1", "ReplicaSet", "web-1", fields{
		"spec": fields{"replicas": n}, "status": fields{"observedGeneration": 1, "replicas": n},
	}), deployment)
	return asList(append(repeated(n, func(i int) any { return ownedBy(pod(fmt.Sprintf("web-1-%d", i), 1), set) }), deployment, set)...)
}

func explainCases() []measurement {
	return []measurement{
		{it: "explain objects that wait for each other", n: 50, args: "explain --local -f FILE", text: func(n int) []byte {
			return asList(repeated(n, func(i int) any {
				o := lamp(i)
				o["spec"] = fields{"lampRef": fields{"kind": "Lamp", "name": fmt.Sprintf("lamp-%d", i+1)}}
				return o
			})...)
		}},
		// The small inputs have chains that are longer than an explanation follows.
		{it: "explain crashing Pods, each of which owns the next", n: 1000, args: "explain --local -f FILE", text: func(n int) []byte {
			chain := repeated(n, func(i int) any {
				p := pod(fmt.Sprintf("web-%d", i), 1)
				p["status"].(fields)["containerStatuses"].([]any)[0].(fields)["lastState"] = fields{"terminated": fields{"exitCode": 1 + i%100, "reason": "Error", "message": fmt.Sprint("unique ", i)}}
				return p
			})
			for i := 1; i < n; i++ {
				ownedBy(chain[i].(fields), chain[i-1].(fields))
			}
			return asList(chain...)
		}},
		{it: "explain layers of objects, each of which names the next layer", n: 500, args: "explain --local -f FILE", text: func(n int) []byte {
			return asList(repeated(2*n, func(i int) any {
				o, spec := lamp(i), fields{}
				for j := range 2 {
					spec[fmt.Sprintf("ref%d", j)] = fields{"apiVersion": "example.com/v1", "kind": "Lamp", "name": fmt.Sprintf("lamp-%d", (i/2+1)*2+j)}
				}
				o["spec"] = spec
				return o
			})...)
		}},
		{it: "explain objects with causes of their own", n: 500, args: "explain --local -f FILE", text: func(n int) []byte {
			return asList(repeated(n, func(i int) any {
				o := lamp(i)
				o["status"].(fields)["conditions"] = []any{condition("Ready", "False", "Waiting", fmt.Sprintf("part %d is not ready", i))}
				return o
			})...)
		}},
		{it: "explain containers that wait for Secrets", n: 50, args: "explain --local -f FILE", text: func(n int) []byte {
			p := pod("web", n)
			for i := range n {
				p["spec"].(fields)["containers"].([]any)[i].(fields)["env"] = []any{fields{"name": "A", "valueFrom": fields{"secretKeyRef": fields{"name": fmt.Sprint("s", i), "key": "k"}}}}
				p["status"].(fields)["containerStatuses"].([]any)[i].(fields)["state"] = fields{"waiting": fields{"reason": "CreateContainerConfigError", "message": fmt.Sprintf(`secret "s%d" not found`, i)}}
			}
			return asList(p)
		}},
		{it: "explain long names", n: 50, args: "explain --local -f FILE", text: func(n int) []byte {
			return asList(repeated(n, func(i int) any {
				o := lamp(i)
				metadata(o)["name"] = fmt.Sprintf("a-very-long-name-of-an-object-that-does-not-fit-into-a-column-of-a-table-however-wide-the-terminal-is-%d", i)
				return o
			})...)
		}},
		{it: "explain objects that are deleted", n: 50, args: "explain --local -f FILE", text: func(n int) []byte {
			return asList(repeated(n, func(i int) any {
				o := lamp(i)
				metadata(o)["deletionTimestamp"], metadata(o)["finalizers"] = "2026-01-01T00:00:00Z", []any{"example.com/lamp"}
				return o
			})...)
		}},
	}
}

func auditCases() []measurement {
	return []measurement{
		{it: "audit conditions of an object", n: 60, args: "audit --from FILE", code: 7, text: func(n int) []byte {
			return stream(10, func(i int) any { return auditedLamp(0, i, n) })
		}},
		{it: "audit versions of an object", n: 60, args: "audit --from FILE", code: 7, text: func(n int) []byte {
			return stream(n, func(i int) any { return auditedLamp(0, i, 3) })
		}},
		{it: "audit objects", n: 50, args: "audit --from FILE", code: 7, text: func(n int) []byte {
			return stream(3*n, func(i int) any { return auditedLamp(i%n, i/n, 3) })
		}},
		{it: "audit objects, -o json", n: 50, args: "audit --from FILE -o json --record OUT", code: 7, text: func(n int) []byte {
			return stream(3*n, func(i int) any { return auditedLamp(i%n, i/n, 3) })
		}},
		{it: "audit managers of an object", n: 25, args: "audit --from FILE", code: 7, text: func(n int) []byte {
			return stream(10, func(i int) any {
				o := auditedLamp(0, i, 3)
				metadata(o)["managedFields"] = repeated(n, func(j int) any {
					return fields{"manager": fmt.Sprintf("m%d", j), "operation": "Update", "apiVersion": "example.com/v1", "time": moment(i), "fieldsType": "FieldsV1", "subresource": "status",
						"fieldsV1": fields{"f:status": fields{fmt.Sprintf("f:f%d", j): fields{}}}}
				})
				return o
			})
		}},
	}
}

func moment(i int) string {
	return fmt.Sprintf("2026-01-01T%02d:%02d:%02dZ", i/3600%24, i/60%60, i%60)
}

// auditedLamp returns a version of a lamp with a number of conditions with wrong times.
func auditedLamp(lampNumber, version, n int) fields {
	o := lamp(lampNumber)
	metadata(o)["resourceVersion"] = fmt.Sprint(100*lampNumber + version + 1)
	all := conditions(n)
	for _, c := range all {
		c.(fields)["status"] = []string{"True", "False"}[version%2]
	}
	o["status"] = fields{"observedGeneration": 1, "conditions": all}
	metadata(o)["managedFields"] = []any{fields{"manager": "lamp", "operation": "Update", "subresource": "status", "time": moment(version)}}
	return o
}

// stream returns n writes as audit reads them.
func stream(n int, object func(i int) any) []byte {
	lines := []any{fields{"v": 1, "type": "WRITES"}}
	seen := map[any]bool{}
	for i := range n {
		o := object(i)
		kind, name := "MODIFIED", metadata(o.(fields))["name"]
		if !seen[name] {
			kind, seen[name] = "ADDED", true
		}
		lines = append(lines, fields{"type": kind, "time": moment(i), "object": o})
	}
	return asLines(append(lines, fields{"type": "TICK", "time": "2026-01-02T00:00:00Z"})...)
}
