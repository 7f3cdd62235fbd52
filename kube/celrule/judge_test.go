package celrule_test

import "testing"

// These are the example rules of Flux, verbatim, with the results in its
// documentation.
func TestRulesOfFlux(t *testing.T) {
	const synced = `
failed: status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'False')
current: status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'True')`
	run(t, []ruleCase{
		{"is current once the condition is True", synced,
			`status: {conditions: [{type: Synced, status: "True"}]}`, "Current Reconciled: Synced is True"},
		{"fails with the message of the condition", synced,
			`status: {conditions: [{type: Synced, status: "False", message: no key could decrypt}]}`,
			"Failed RuleFailed recoverable: Synced is False: no key could decrypt"},
		{"waits while the condition is Unknown", synced,
			`status: {conditions: [{type: Synced, status: Unknown}]}`, "InProgress RuleNotMet: Synced is Unknown"},
		{"waits without the condition", synced,
			`status: {conditions: [{type: Other, status: "True"}]}`, "InProgress RuleNotMet: there is no item in the list or map yet"},
		{"waits without conditions", synced, `status: {conditions: []}`, "InProgress RuleNotMet: there is no item in the list or map yet"},
		{"waits without a list of conditions", synced, `status: {}`, "InProgress RuleNotMet: status.conditions is not set"},
		{"waits without a status", synced, `spec: {}`, "InProgress RuleNotMet: status is not set"},

		{"evaluates inProgress before failed", "inProgress: 'true'\nfailed: 'true'\ncurrent: 'true'", `{}`, "InProgress RuleNotMet: inProgress: true"},
		{"evaluates failed before current", "failed: 'true'\ncurrent: 'true'", `{}`, "Failed RuleFailed recoverable: failed: true"},
		{"is in progress if no expression is true", "failed: 'false'\ncurrent: 'false'", `{}`, "InProgress RuleNotMet: current: false"},
		{"compares generations",
			"inProgress: status.observedGeneration != metadata.generation\ncurrent: 'true'",
			`{metadata: {generation: 2}, status: {observedGeneration: 2}}`, "Current Reconciled: current: true"},
		{"guards a field with has", "current: has(status.ceph) && status.ceph.health in ['HEALTH_OK', 'HEALTH_WARN']",
			`status: {ceph: {health: HEALTH_OK}}`, "Current Reconciled: status.ceph.health is HEALTH_OK"},
		{"is not current if has is false", "current: has(status.attribute) && status.attribute.ready",
			`status: {}`, "InProgress RuleNotMet: current: has(status.attribute) && status.attribute.ready"},
		{"reads an optional field", "current: status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')",
			`status: {conditions: [{type: Ready, status: "True"}]}`, "Current Reconciled: Ready is True"},
		{"reads an optional field that is missing", "current: status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')",
			`status: {}`, "InProgress RuleNotMet: current: status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')"},
		{"reads fields at the root that only some kinds have", "current: data.ready == 'yes'", `data: {ready: "yes"}`, "Current Reconciled: data.ready is yes"},
		{"has apiVersion, kind, metadata and spec",
			"current: apiVersion == 'example.com/v1' && kind == 'Widget' && metadata.name == spec.name", `{metadata: {name: w}, spec: {name: w}}`,
			"Current Reconciled: metadata.name is w, spec.name is w"},
	})
}

// Checks of package status precede a rule, unless the rule disables them.
func TestPrecedenceOverRules(t *testing.T) {
	const ok = "current: 'true'\n"
	run(t, []ruleCase{
		{"is Terminating whatever the rule", ok + "generation: ignore",
			`metadata: {deletionTimestamp: "2026-01-01T00:00:00Z"}`, "Terminating Deleting: being deleted since 2026-01-01T00:00:00Z; waiting for garbage collection"},
		{"waits for the latest generation", ok,
			`{metadata: {generation: 3}, status: {observedGeneration: 2}}`,
			"InProgress LatestGenerationNotObserved: generation is 3, its controller has observed 2"},
		{"ignores a missing generation", ok, `{metadata: {generation: 3}}`, "Current Reconciled: current: true"},
		{"requires a generation with required", ok + "generation: required",
			`{metadata: {generation: 3}}`, "InProgress NotObserved: its controller has not reported anything yet"},
		{"is ahead", ok, `{metadata: {generation: 3}, status: {observedGeneration: 4}}`,
			"InProgress ObservedGenerationAhead: generation is 3, but its status is for 4: it was restored, moved or copied"},
		{"may be ahead with allow-ahead", ok + "generation: tolerateAhead",
			`{metadata: {generation: 3}, status: {observedGeneration: 4}}`, "Current Reconciled: current: true"},
		{"ignores generations with ignore", ok + "generation: ignore",
			`{metadata: {generation: 3}, status: {observedGeneration: 2}}`, "Current Reconciled: current: true"},
		{"does not accept a condition of an earlier generation", "current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
			`{metadata: {generation: 3}, status: {conditions: [{type: Ready, status: "True", observedGeneration: 2}, {type: Other, status: "True", observedGeneration: 3}]}}`,
			"InProgress StaleCondition: condition Ready is for an earlier generation than 3"},
		{"accepts it with ignore", "generation: ignore\ncurrent: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
			`{metadata: {generation: 3}, status: {conditions: [{type: Ready, status: "True", observedGeneration: 2}]}}`, "Current Reconciled: Ready is True"},
		{"ignores conditions that are not in the rule", "current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
			`{metadata: {generation: 3}, status: {conditions: [{type: Ready, status: "True", observedGeneration: 3}, {type: Other, status: "True", observedGeneration: 2}]}}`,
			"Current Reconciled: Ready is True"},
		{"is Reconciling before the rule", ok,
			`status: {conditions: [{type: Reconciling, status: "True", message: working}]}`, "InProgress Reconciling: working"},
		{"is Stalled before the rule", ok,
			`status: {conditions: [{type: Stalled, status: "True", message: stuck}]}`, "Failed Stalled recoverable: stuck"},
	})
}

// A rule without current leaves undecided objects to other rules.
func TestPartialRules(t *testing.T) {
	const failed = "failed: status.phase == 'Error'"
	run(t, []ruleCase{
		{"fails by its rule", failed, `status: {phase: Error}`, "Failed RuleFailed recoverable: status.phase is Error"},
		{"uses the conditions otherwise", failed,
			`status: {phase: Fine, conditions: [{type: Ready, status: "True"}]}`, "Current Reconciled: Ready is True"},
		{"uses the conditions while the fields of the rule are missing", failed,
			`status: {conditions: [{type: Ready, status: "False", message: not yet}]}`, "InProgress SummaryConditionNotTrue: Ready is False: not yet"},
		{"is in progress by its rule", "inProgress: status.phase == 'Building'", `status: {phase: Building}`, "InProgress RuleNotMet: status.phase is Building"},
	})
}

func TestMessagesOfRules(t *testing.T) {
	run(t, []ruleCase{
		{"has the text of the rule", "current: 'true'\nmessage: all is well", `{}`, "Current Reconciled: all is well"},
		{"has the value of the expression", "failed: has(status.error)\nmessageExpression: \"'broken: ' + status.error\"",
			`status: {error: "no\n  route"}`, "Failed RuleFailed recoverable: broken: no route"},
		{"has the text if the expression has no value", "current: status.up\nmessage: not up\nmessageExpression: status.why",
			`status: {up: false}`, "InProgress RuleNotMet: not up"},
		{"has the condition if the expression is not a string", "current: status.n > 1\nmessageExpression: status.n",
			`status: {n: 2}`, "Current Reconciled: status.n is 2"},
		{"shows all fields of the expression, the status first", "current: status.phase == 'Steeped' && status.poured >= spec.cups",
			`{spec: {cups: 3}, status: {phase: Steeped, poured: 1}}`, "InProgress RuleNotMet: status.phase is Steeped, status.poured is 1, spec.cups is 3"},
		{"names a missing field after the text of the rule", "current: status.poured >= spec.cup\nmessageExpression: string(status.poured) + ' of 3 cups'",
			`{spec: {cups: 3}, status: {poured: 3}}`, "InProgress RuleNotMet: 3 of 3 cups; spec.cup is not set"},
		{"names a missing field after a fixed text", "current: status.poured > 2\nmessage: not poured", `status: {}`, "InProgress RuleNotMet: not poured; status.poured is not set"},
		{"fails terminally with terminal", "failed: status.phase == 'Dead'\nterminal: true",
			`status: {phase: Dead}`, "Failed RuleDeclared terminal: status.phase is Dead"},
	})
}

// An object whose rule fails is neither Current nor Failed.
func TestRulesWithErrors(t *testing.T) {
	run(t, []ruleCase{
		{"reports a result that is not a boolean", "current: status.phase", `status: {phase: "True"}`,
			"InProgress RuleError: rule in rules.yaml:1: current: status.phase: want true or false, have a value of type string"},
		{"reports types that do not match", "current: status.replicas > 2", `status: {replicas: "3"}`,
			"InProgress RuleError: rule in rules.yaml:1: current: status.replicas > 2: an operator or function does not accept these types: status.replicas is a string"},
		{"reports the types of both operands", "current: status.phase >= spec.cups", `{spec: {cups: 3}, status: {phase: Steeped}}`,
			"InProgress RuleError: rule in rules.yaml:1: current: status.phase >= spec.cups: an operator or function does not accept these types: spec.cups is an int, status.phase is a string"},
		{"reports the type of the argument of a function", "current: size(status.n) > 1", `status: {n: 3}`,
			"InProgress RuleError: rule in rules.yaml:1: current: size(status.n) > 1: an operator or function does not accept these types: status.n is an int"},
		{"names a division by zero", "failed: 1 / status.n == 1\ncurrent: 'true'", `status: {n: 0}`,
			"InProgress RuleError: rule in rules.yaml:1: failed: 1 / status.n == 1: division by zero"},
		{"reports a loop over a value that is not a list", "current: status.phase.all(p, p == 'x')", `status: {phase: x}`,
			"InProgress RuleError: rule in rules.yaml:1: current: status.phase.all(p, p == 'x'): all() wants a list or a map, have string"},
		{"treats null as a missing field", "current: status.replicas > 2", `status: {replicas: null}`,
			"InProgress RuleNotMet: status.replicas is not set"},
		{"compares a null with null", "current: status.endTime == null", `status: {endTime: null}`, "Current Reconciled: current: status.endTime == null"},
		{"takes any type of number", "current: status.share > 1 && status.share < 2", `status: {share: 1.5}`, "Current Reconciled: status.share is 1.5"},
	})
}

// An expression over missing data does not match.
func TestVacuousTruth(t *testing.T) {
	const nothing = "InProgress RuleNotMet: there is no item in the list or map yet"
	run(t, []ruleCase{
		{"is not current for an empty list", "current: status.items.all(i, i.ok)", `status: {items: []}`, nothing},
		{"is not current for an empty filter", "current: status.items.filter(i, i.kind == 'x').all(i, i.ok)", `status: {items: [{kind: y}]}`, nothing},
		{"is not current for an empty map", "current: status.items.all(k, k != '')", `status: {items: {}}`, nothing},
		{"is not current for a missing list", "current: status.items.all(i, i.ok)", `status: {}`, "InProgress RuleNotMet: status.items is not set"},
		{"is not current for null", "current: status.items.all(i, i.ok)", `status: {items: null}`, "InProgress RuleNotMet: status.items is not set"},
		{"is not current for a default", "current: status.?items.orValue([]).all(i, i.ok)", `status: {}`, nothing},
		{"is not current for a new list", "current: status.items.map(i, i.ok).all(ok, ok)", `status: {items: []}`, nothing},
		{"is not current for nested empty lists", "current: status.items.all(i, i.parts.all(p, p.ok))", `status: {items: [{parts: []}]}`, nothing},
		{"is not current for a negated all", "current: '!status.items.all(i, i.ok)'", `status: {items: []}`, nothing},
		{"does not fail for a negated all", "failed: '!status.items.all(i, i.ok)'\ncurrent: has(status.up)", `status: {items: [], up: true}`, "Current Reconciled: status.up is true"},
		{"is not current for all compared with false", "current: status.items.all(i, i.ok) == false", `status: {items: []}`, nothing},
		{"is not current for all in a ternary", "current: 'status.items.all(i, i.ok) ? true : true'", `status: {items: []}`, nothing},
		{"is not current for a negated missing field", "current: status.phase != 'Failed'", `status: {}`, "InProgress RuleNotMet: status.phase is not set"},
		{"is not current for a negated has", "current: '!has(status.error)'", `{}`, "InProgress RuleNotMet: status is not set"},
		{"is not current for a double negation", "current: '!!status.items.all(i, i.ok)'", `status: {items: []}`, nothing},
		{"is not current for a missing index", "current: status.items[0].ok", `status: {items: []}`, "InProgress RuleNotMet: there is no item 0 yet"},
		{"is not current for a missing key", "current: metadata.labels['ready'] == 'yes'", `metadata: {labels: {}}`, "InProgress RuleNotMet: there is no field ready yet"},
		{"is not current for a missing sole item", "current: status.items.exists_one(i, i.ok)", `status: {items: []}`, "InProgress RuleNotMet: current: status.items.exists_one(i, i.ok)"},

		{"is current for a list with items", "current: status.items.all(i, i.ok)", `status: {items: [{ok: true}, {ok: true}]}`, "Current Reconciled: current: status.items.all(i, i.ok)"},
		{"is not current for a list with an item that does not match", "current: status.items.all(i, i.ok)", `status: {items: [{ok: true}, {ok: false}]}`, "InProgress RuleNotMet: current: status.items.all(i, i.ok)"},
		{"may accept an empty list explicitly", "current: size(status.items) == 0 || status.items.all(i, i.ok)", `status: {items: []}`,
			"Current Reconciled: current: size(status.items) == 0 || status.items.all(i, i.ok)"},
		{"is the result of the other operand of an or", "current: status.nope.all(i, i.ok) || status.phase == 'Ready'", `status: {phase: Ready}`, "Current Reconciled: status.phase is Ready"},
		{"is not the result of one operand of an or", "current: status.phase == 'Ready' && status.items.all(i, i.ok)", `status: {phase: Ready, items: []}`, nothing},
	})
}
