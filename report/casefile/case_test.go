package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"kstatus.dev/internal/planted"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// day is the time at which the objects of the tests are read.
var day = time.Date(2026, time.November, 20, 16, 0, 0, 0, time.UTC)

// decode returns the object of a text in JSON.
func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	var obj map[string]any
	if err := json.Unmarshal([]byte(text), &obj); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return obj
}

// newCase returns the case of an object.
func newCase(t testing.TB, e status.Evaluator, obj map[string]any) *Case {
	t.Helper()
	e.Now = func() time.Time { return day }
	verdict, err := e.Compute(status.Map(obj))
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(status.Map(obj), e, *verdict)
	if err != nil {
		t.Fatal(err)
	}
	c.Expected = status.CurrentStatus
	return c
}

// compact returns an object as JSON in one line.
func compact(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// head is the beginning of the objects of TestObject, and copied is its copy.
const (
	head   = `"apiVersion": "example.com/v1", "kind": "Vat", "metadata": {"name": "stout", "namespace": "cellar", "labels": {"team": "brewers"}, "annotations": {"a": "brewhouse"}}`
	copied = `{"apiVersion":"example.com/v1","kind":"Vat","metadata":{"name":"example","namespace":"example-namespace"}`
)

func TestObject(t *testing.T) {
	for _, c := range []struct{ name, have, want string }{
		{
			"keeps words, numbers and switches",
			`"status": {"phase": "Fermenting", "stage": "cold-crash", "sugar": "Maltose", "level": 3, "ready": true, "version": "1.2.3", "empty": "", "none": null}`,
			`"status":{"empty":"","level":3,"none":null,"phase":"Fermenting","ready":true,"stage":"cold-crash","sugar":"Maltose","version":"1.2.3"}`,
		},
		{
			"replaces values of private fields, the same values by the same placeholder",
			`"status": {"host": "Vatican", "podIP": "10.0.0.7", "ownerName": "Smith", "login": "Smith", "accountId": 123456789012, "shopId": 7}`,
			`"status":{"accountId":10000,"host":"<redacted 2>","login":"<redacted 3>","ownerName":"<redacted 3>","podIP":"<redacted 4>","shopId":7}`,
		},
		{
			"replaces other lower-case words, addresses and IDs",
			`"status": {"yeast": "london", "where": "10.0.0.7", "mirror": "https://a.example.com/x", "batch": "b1c2d3e4"}`,
			`"status":{"batch":"<redacted 2>","mirror":"<redacted 3>","where":"<redacted 4>","yeast":"<redacted 5>"}`,
		},
		{
			"replaces keys that are not names of fields",
			`"status": {"tanks": {"tank-1": {"ready": true}, "stout": {"ready": false}, "a.example.com": 1}}`,
			`"status":{"tanks":{"<redacted 2>":1,"<redacted 3>":{"ready":true},"example":{"ready":false}}}`,
		},
		{
			"keeps types and reasons of conditions",
			`"status": {"conditions": [{"type": "example.com/Bottled", "status": "False", "reason": "NoCrates", "message": "stout waits for vat-7"}]}`,
			`"status":{"conditions":[{"message":"example waits for <redacted 2>","reason":"NoCrates","status":"False","type":"example.com/Bottled"}]}`,
		},
		{
			"moves times",
			`"status": {"brewedAt": "2026-11-20T15:00:00Z", "bottleAt": "2026-11-20T17:00:00+01:00"}`,
			`"status":{"bottleAt":"2026-01-01T12:00:00Z","brewedAt":"2026-01-01T11:00:00Z"}`,
		},
		{
			"replaces secrets",
			`"status": {"adminPassword": "hunter2", "keys": [{"name": "API_TOKEN", "value": "swordfish"}]}`,
			`"status":{"adminPassword":"<redacted 2>","keys":[{"name":"<redacted 3>","value":"<redacted 4>"}]}`,
		},
		{
			"keeps only the spec that a rule may need",
			`"spec": {"replicas": 2, "paused": true, "yeast": "london", "template": {"replicas": 3}}, "status": {"phase": "Ready"}`,
			`"spec":{"paused":true,"replicas":2},"status":{"phase":"Ready"}`,
		},
		{
			"has no data",
			`"data": {"a": "b"}, "status": {"phase": "Ready"}`,
			`"status":{"phase":"Ready"}`,
		},
		{
			"keeps a status of another type",
			`"status": "Fermenting"`,
			`"status":"Fermenting"`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			have := compact(t, newCase(t, status.Evaluator{}, decode(t, "{"+head+", "+c.have+"}")).Object)
			if want := copied + "," + c.want + "}"; have != want {
				t.Errorf("the copy of %s:\n have %s\n want %s", c.have, have, want)
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	const have = `{"apiVersion": "example.com/v1", "kind": "Vat", "metadata": {"name": "stout", "uid": "u", "resourceVersion": "7", "generation": 2,
		"creationTimestamp": "2026-11-20T15:00:00Z", "deletionTimestamp": "2026-11-20T15:59:00Z", "finalizers": ["example.com/drain"],
		"managedFields": [{"manager": "m"}], "ownerReferences": [{"kind": "Brewery", "name": "dock"}]}}`
	const want = `{"apiVersion":"example.com/v1","kind":"Vat","metadata":{"creationTimestamp":"2026-01-01T11:00:00Z",` +
		`"deletionTimestamp":"2026-01-01T11:59:00Z","finalizers":["<redacted 2>"],"generation":2,"name":"example"}}`
	c := newCase(t, status.Evaluator{}, decode(t, have))
	if have := compact(t, c.Object); have != want {
		t.Errorf("the copy:\n have %s\n want %s", have, want)
	}
	if c.Alone.Status != status.TerminatingStatus {
		t.Errorf("the verdict on the copy: want Terminating, have %s", &c.Alone)
	}
}

func TestMessage(t *testing.T) {
	for have, want := range map[string]string{
		"stout in cellar is not ready":                     "example in example-namespace is not ready",
		"Stout: the vat's lid isn't closed, 3/12 (25%)":    "example: the vat's lid isn't closed, 3/12 (25%)",
		"retry in 1m30s, needs 16Gi, has 2.5":              "retry in 1m30s, needs 16Gi, has 2.5",
		"status.phase is \"Ready\" or 'Bottled'":           "status.phase is \"Ready\" or 'Bottled'",
		"job \"sweep\" of user \"Ann Lee\"":                "job \"<redacted 2>\" of user \"<redacted 3>\"",
		"dial tcp 10.0.0.7:443: connect: refused":          "dial tcp <redacted 2>: connect: refused",
		"dial tcp [2001:db8::7]:443: refused":              "dial tcp [<redacted 2>]<redacted 3>: refused",
		"write to alice@example.com, then":                 "write to <redacted 2>, then",
		"pull registry.example.com/brew/vat:1.2.3 failed.": "pull <redacted 2> failed.",
		"order 20261120 and zone=eu-1":                     "order <redacted 2> and zone=<redacted 3>",
		"team brewers reads /etc/brew/key":                 "team <redacted 1> reads <redacted 2>",
		"password=swordfish for https://a:b@c.example.com": "password=<redacted> for <redacted 2>",
	} {
		obj := decode(t, "{"+head+`}`)
		obj["status"] = map[string]any{"message": have}
		is := newCase(t, status.Evaluator{}, obj).Object["status"].(map[string]any)["message"]
		if is != want {
			t.Errorf("message %s:\n have %s\n want %s", have, is, want)
		}
	}
}

// If the verdict depends on the spec, the copy has it, also without private values.
func TestMoreIsKeptForTheSameVerdict(t *testing.T) {
	obj := decode(t, `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "generation": 1},
		"spec": {"replicas": 3, "template": {"spec": {"containers": [{"name": "web", "image": "registry.example.com/web:1"}]}}},
		"status": {"observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "readyReplicas": 2, "availableReplicas": 2}}`)
	c := newCase(t, status.Evaluator{}, obj)
	if !sameVerdict(c.Alone, c.Verdict) || c.Verdict.Status != status.InProgressStatus {
		t.Errorf("the verdict is %s, and %s on the copy", &c.Verdict, &c.Alone)
	}
}

// Rules of users are not part of a case, so the case has both verdicts.
func TestVerdictByAnotherRule(t *testing.T) {
	rule := func(o *status.Fields) status.Result {
		return status.FailedTerminal("RuleDeclared", "broken by %s", o.Text("spec.owner", ""))
	}
	obj := decode(t, "{"+head+`, "spec": {"owner": "smith"}, "status": {"phase": "Ready"}}`)
	c := newCase(t, status.Evaluator{Rules: status.Rules{{Group: "example.com", Kind: "Vat"}: {Rule: rule}}}, obj)
	file, err := c.Format()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# verdict   Failed RuleDeclared [terminal]: broken by <redacted 2>\n", "# alone     Current Reconciled"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("want %q in\n%s", want, file)
		}
	}
}

// No secret of an object is in its case.
func TestCaseHasNoSecrets(t *testing.T) {
	e := status.Evaluator{Now: func() time.Time { return day }}
	for _, p := range planted.Plants() {
		verdict, err := e.Compute(status.Map(p.Object))
		if err != nil {
			continue // not an object with a kind
		}
		c, err := New(status.Map(p.Object), e, *verdict)
		if errors.Is(err, ErrSecret) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		file, err := c.Format()
		if err != nil {
			t.Fatal(err)
		}
		if p.FoundIn(string(file)) {
			t.Errorf("%s: the secret %s is in\n%s", p.Shape, p.Secret, file)
		}
		// Its place in the status is harder to recognize.
		root := decode(t, "{"+head+"}")
		root["status"] = map[string]any{"part": p.Object}
		file, err = newCase(t, status.Evaluator{}, root).Format()
		if err != nil {
			t.Fatal(err)
		}
		if p.FoundIn(string(file)) {
			t.Errorf("%s: below a status, the secret %s is in\n%s", p.Shape, p.Secret, file)
		}
	}
}

func TestSecretIsRefused(t *testing.T) {
	_, err := New(status.Map{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"a": "b"}}, status.Evaluator{}, status.Result{})
	if !errors.Is(err, ErrSecret) {
		t.Errorf("a Secret: have error %v, want %v", err, ErrSecret)
	}
}

// A case keeps what the schema declares and the profile, so it has the same verdict after Parse.
func TestParse(t *testing.T) {
	expectation := schema.Expectation{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes, SummaryCondition: "Ready"}
	strict, err := status.ParseProfile("strict")
	if err != nil {
		t.Fatal(err)
	}
	e := status.Evaluator{Profile: strict, Expect: func(string, string) schema.Expectation { return expectation }}
	c := newCase(t, e, decode(t, "{"+head+`, "status": {"phase": "Ready"}}`))
	file, err := c.Format()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n#profile strict\n", "\n#expect status observedGeneration summary\n"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("want %q in\n%s", want, file)
		}
	}
	again, err := Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := again.Judge(status.Evaluator{})
	if err != nil || !sameVerdict(*r, c.Verdict) || again.Expected != c.Expected {
		t.Errorf("after Parse: have %v, %v, expected %s; want %s, expected %s", r, err, again.Expected, &c.Verdict, c.Expected)
	}
}

func TestParseErrors(t *testing.T) {
	for file, want := range map[string]string{
		`{}`:                             `want a line such as "#want Current", have none`,
		"#want Ready\n{}":                `line 1: want one of [Current InProgress Failed Terminating Unknown], have "Ready"`,
		"#want Current\nkind: Vat":       "want one object in JSON after the lines with #",
		"#want Current\n":                "want one object in JSON after the lines with #",
		"#want Current\n#expect no\n{}":  `#expect: unknown word "no"`,
		"#want Current\n#profile no\n{}": `profile "no"`,
	} {
		c, err := Parse([]byte(file))
		if err == nil {
			_, err = c.Judge(status.Evaluator{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): have error %v, want %s", file, err, want)
		}
	}
}

// The size of a case is limited, whatever the object is.
func TestCaseIsSmall(t *testing.T) {
	deep := any("end")
	for range 10_000 {
		deep = map[string]any{"next": deep, "list": []any{deep}}
	}
	wide := map[string]any{}
	for i := range 20_000 {
		wide[fmt.Sprint("key", i)] = strings.Repeat("text ", 2000)
	}
	for name, v := range map[string]any{"deep": deep, "wide": wide, "long": strings.Repeat("a b ", 1<<20)} {
		obj := decode(t, "{"+head+"}")
		obj["status"] = map[string]any{"part": v, "phase": "Fermenting"}
		obj["spec"] = maps.Clone(wide)
		file, err := newCase(t, status.Evaluator{}, obj).Format()
		if err != nil {
			t.Fatal(err)
		}
		if limit := 4 * maxBytes; len(file) > limit {
			t.Errorf("%s: the case has %d bytes, want at most %d", name, len(file), limit)
		}
	}
}

func FuzzNew(f *testing.F) {
	f.Add([]byte("{" + head + `, "status": {"phase": "Fermenting", "conditions": [{"type": "Ready", "status": "False", "message": "vat-7: 'x'"}]}}`))
	f.Add([]byte(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"finalizers": [1], "deletionTimestamp": 3}, "spec": {"replicas": []}, "status": [[{"a": 1e999}]]}`))
	f.Add([]byte(`{"apiVersion": "a/b", "kind": "C", "metadata": {"name": "<redacted 1>"}, "status": {"": "'", "a": "\"\"", "b": "\ud800\u2028"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var obj map[string]any
		if json.Unmarshal(text, &obj) != nil {
			return
		}
		e := status.Evaluator{Now: func() time.Time { return day }}
		verdict, err := e.Compute(status.Map(obj))
		if err != nil {
			return
		}
		c, err := New(status.Map(obj), e, *verdict)
		if errors.Is(err, ErrSecret) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Expected, c.Because = status.CurrentStatus, string(text)
		file, err := c.Format()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(file)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		r, err := again.Judge(status.Evaluator{})
		if err != nil || !sameVerdict(*r, c.Alone) {
			t.Errorf("after Parse: have %v, %v, want %s in\n%s", r, err, &c.Alone, file)
		}
	})
}
