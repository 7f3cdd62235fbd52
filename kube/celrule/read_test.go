package celrule_test

import (
	"errors"
	"strings"
	"testing"

	"kstatus.dev/kube/celrule"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // the rules, or the errors, as lines
	}{
		{"reads a file of rules", `
apiVersion: kstatus.dev/v1alpha1
kind: Rules
rules:
- apiVersion: bitnami.com/v1alpha1
  kind: SealedSecret
  generation: ignore
  inProgress: a
  failed: b
  current: |
    c ||
      d
  messageExpression: e
  message: f
  terminal: true
`, "r.yaml:5 SealedSecret.bitnami.com\ngeneration: ignore\ninProgress: a\nfailed: b\ncurrent: c || d\nmessageExpression: e\nmessage: f\nterminal: true\n"},
		{"reads JSON in ASCII with surrogate pairs", `{"apiVersion": "kstatus.dev/v1alpha1", "kind": "Rules", "rules": [
{"apiVersion": "v1", "kind": "Pod", "current": "self.a == '\ud83d\ude00'", "message": "\ud83d\ude00 \ud83d"},
{"apiVersion": "v1", "kind": "Service", "current": "b"}]}`,
			"r.yaml:2 Pod\ncurrent: self.a == '😀'\nmessage: 😀 \ufffd\nr.yaml:3 Service\ncurrent: b\n"},
		{"reads a list", "- apiVersion: v1\n  kind: Pod\n  current: a\n- group: apps\n  kind: Deployment\n  failed: b\n",
			"r.yaml:1 Pod\ncurrent: a\nr.yaml:4 Deployment.apps\nfailed: b\n"},
		{"reads a Flux Kustomization, and skips expressions without rules", `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a}
spec:
  interval: 5m
  healthCheckExprs:
  - apiVersion: bitnami.com/v1alpha1
    kind: SealedSecret
    current: a
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
spec: {interval: 5m}
`, "r.yaml:8 SealedSecret.bitnami.com\ncurrent: a\n"},
		{"follows an alias", "- {kind: A, current: &c 'x'}\n- {kind: B, current: *c}\n", "r.yaml:1 A\ncurrent: x\nr.yaml:2 B\ncurrent: x\n"},

		{"wants rules", "# nothing\n", "r.yaml: want rules, have none"},
		{"requires a list of rules", "---\n", "r.yaml: want rules, have none"},
		{"rejects another document", "apiVersion: v1\nkind: ConfigMap\n",
			`r.yaml:1: want kind Rules of kstatus.dev/v1alpha1, a list of rules, or an object of Flux, have kind "ConfigMap" of "v1"`},
		{"rejects a rule that is not in a list", "group: a\nkind: A\ncurrent: x\n",
			"r.yaml:1: want kind Rules of kstatus.dev/v1alpha1, a list of rules, or an object of Flux, have one rule; put it into a list"},
		{"rejects a document without a kind", "a: b\n",
			"r.yaml:1: want kind Rules of kstatus.dev/v1alpha1, a list of rules, or an object of Flux, have a document without a kind"},
		{"rejects a value that is not a mapping", "hello\n", `r.yaml:1: want kind Rules of kstatus.dev/v1alpha1, a list of rules, or an object of Flux, have "hello"`},
		{"rejects a value that is not a list", "apiVersion: kstatus.dev/v1alpha1\nkind: Rules\nrules: {}\n", "r.yaml:3: rules: want a list of rules, have a mapping"},
		{"names an unknown key of the file", "apiVersion: kstatus.dev/v1alpha1\nkind: Rules\nrule: []\n",
			`r.yaml:3: key "rule": want one of apiVersion, kind, rules`},
		{"names an unknown key of a rule", "- kind: A\n  curent: x\n  current: x\n",
			`r.yaml:2: key "curent": want one of apiVersion, group, kind, inProgress, failed, current, message, messageExpression, generation, terminal`},
		{"rejects a duplicate key", "- kind: A\n  current: x\n  current: y\n", `r.yaml:3: key "current" is set twice`},
		{"requires a kind", "- current: x\n", "r.yaml:1: kind: want the kind of the rule, have none"},
		{"requires an expression", "- kind: A\n", "r.yaml:1: want inProgress, failed or current, have none"},
		{"requires a string", "- kind: A\n  current: true\n", `r.yaml:2: current: want a string, have the boolean true; write it in quotes`},
		{"requires a string instead of a list", "- kind: A\n  current: [x]\n", "r.yaml:2: current: want a string, have a list"},
		{"requires a string that is not empty", "- kind: A\n  current: ' '\n", "r.yaml:2: current: want a string, have an empty one"},
		{"requires one group", "- {kind: A, group: b, apiVersion: c/v1, current: x}\n", "r.yaml:1: want either apiVersion or group, have both"},
		{"requires a version", "- {kind: A, apiVersion: a/b/c, current: x}\n", `r.yaml:1: apiVersion: want a group and a version, have "a/b/c"`},
		{"requires a known policy", "- {kind: A, generation: never, current: x}\n",
			`r.yaml:1: generation: want one of compare, required, tolerateAhead, ignore, have "never"`},
		{"requires terminal for a failure", "- {kind: A, terminal: true, current: x}\n", "r.yaml:1: terminal: want failed with it, have none"},
		{"wants YAML", "- kind: [\n", "r.yaml: yaml: line 1: did not find expected node content"},
		{"reports all problems", "- {current: x, a: b}\n- [c]\n",
			"r.yaml:1: key \"a\": want one of apiVersion, group, kind, inProgress, failed, current, message, messageExpression, generation, terminal\n" +
				"r.yaml:1: kind: want the kind of the rule, have none\nr.yaml:2: want a mapping, have a list"},

		{"reports a syntax error", "- kind: A\n  current: |-\n    a ==\n     )\n",
			"r.yaml:2: current: Syntax error: mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER} (line 2, column 2)"},
		{"reports an unknown function", "- {kind: A, current: ready(status)}\n",
			"r.yaml:1: current: undeclared reference to 'ready' (in container '') (line 1, column 6)"},
		{"requires a boolean", "- {kind: A, current: size(status)}\n", "r.yaml:1: current: want an expression of type bool, have one of type int"},
		{"requires a message that is a string", "- {kind: A, current: a, messageExpression: 1 + 1}\n",
			"r.yaml:1: messageExpression: want an expression of type string, have one of type int"},
		{"reports an invalid pattern", "- {kind: A, current: \"a.matches('[')\"}\n", "r.yaml:1: current: error parsing regexp: missing closing ]: `[`"},
		{"has no has() of a whole field", "- {kind: A, current: has(status)}\n", "r.yaml:1: current: invalid argument to has() macro (line 1, column 5)"},
		{"has no hidden functions", "- {kind: A, current: '@some(status)'}\n", "r.yaml:1: current: Syntax error: token recognition error at: '@' (line 1, column 1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules, err := celrule.Parse("r.yaml", []byte(c.text))
			var have strings.Builder
			if err != nil {
				have.WriteString(err.Error())
			} else {
				for _, r := range rules {
					have.WriteString(r.Source + " " + r.Kind.String() + "\n" + r.String())
				}
			}
			if have.String() != c.want {
				t.Errorf("it %s\nhave %s\nwant %s", c.name, have.String(), c.want)
			}
		})
	}
}

// Callers can inspect each error.
func TestProblems(t *testing.T) {
	_, err := celrule.Parse("r.yaml", []byte("- kind: A\n  current: )\n"))
	problem, ok := errors.AsType[*celrule.ParseError](err)
	if !ok || problem.Source != "r.yaml:2" || problem.Field != "current" {
		t.Errorf("Read = %#v, want a Problem with current in r.yaml:2", err)
	}
}
