package explain

import (
	"bytes"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kstatus.dev/status"
)

// Properties that the explanation of any facts has, checked on the cases and on the cases
// with fields of wrong types.
func TestInvariants(t *testing.T) {
	files := caseFiles(t)
	for seed, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			random := rand.New(rand.NewSource(int64(seed)))
			facts, requested := readCase(t, file)
			checkExplanation(t, file, facts, requested)
			for range 8 {
				checkExplanation(t, file, brokenFacts(random, facts), requested)
			}
		})
	}
}

// brokenFacts returns facts with fields of other types in their objects, and with other
// messages in their events.
func brokenFacts(random *rand.Rand, facts *Facts) *Facts {
	broken := *facts
	broken.Objects = slices.Clone(facts.Objects)
	broken.Events = slices.Clone(facts.Events)
	for i := range broken.Objects {
		thing := &broken.Objects[i]
		if thing.Object != nil {
			thing.Object, _ = changeTypes(random, map[string]any(thing.Object)).(map[string]any)
		}
	}
	for i := range broken.Events {
		broken.Events[i].Message = hostileText(random)
	}
	return &broken
}

func checkExplanation(t *testing.T, file string, f *Facts, requested []status.ID) {
	t.Helper()
	e := Explain(f, requested...)
	for _, c := range e.Causes {
		if kindIndex(c.Kind) < 0 {
			t.Errorf("%s: %q is not among the kinds", file, c.Kind)
		}
		if len(c.Evidence) == 0 || c.Text == "" || len(c.Blocks) == 0 || len(c.Chain) == 0 {
			t.Errorf("%s: cause without text, evidence, chain or object: %+v", file, c)
		}
		for _, ev := range c.Evidence {
			if ev.Object == (status.ID{}) {
				t.Errorf("%s: %s: evidence of no object: %+v", file, c.Text, ev)
			}
		}
	}
	checkEvidence(t, file, f, e)
	text := e.Text(f.Now)
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) }); i >= 0 {
		t.Errorf("%s: control character in %q", file, text[max(0, i-40):min(len(text), i+10)])
	}
	turned := *f
	turned.Objects, turned.Events = slices.Clone(f.Objects), slices.Clone(f.Events)
	slices.Reverse(turned.Objects)
	if again := Explain(&turned, requested...).Text(f.Now); again != text {
		t.Errorf("%s: in another order it explains\n%s\ninstead of\n%s", file, again, text)
	}
	Queries(f, requested...)
	kept, valid := reread(t, f)
	if again := Explain(kept, requested...).Text(kept.Now); valid && again != text {
		t.Errorf("%s: written and read it explains\n%s\ninstead of\n%s", file, again, text)
	}
	text = Explain(kept, requested...).Text(kept.Now)
	kept, _ = reread(t, kept)
	if again := Explain(kept, requested...).Text(kept.Now); again != text {
		t.Errorf("%s: written and read twice it explains\n%s\ninstead of\n%s", file, again, text)
	}
}

// reread encodes and decodes facts, and reports whether they were valid UTF-8. Encoding
// replaces invalid UTF-8.
func reread(t *testing.T, f *Facts) (same *Facts, valid bool) {
	t.Helper()
	var lines bytes.Buffer
	if err := f.Encode(&lines); err != nil {
		t.Fatal(err)
	}
	valid = !bytes.Contains(lines.Bytes(), []byte(`\ufffd`)) // a valid one is encoded unchanged
	same, err := DecodeFacts(&lines)
	if err != nil {
		t.Fatal(err)
	}
	return same, valid
}

// Decoding finds the problem of the parts in the message of a verdict, and redacts it
// like the message.
func TestPartsOfFactsAreData(t *testing.T) {
	web := ObjectFact{ID: status.ID{Kind: status.Kind{Kind: "Deployment"}, Name: "web"}, Parts: &status.Parts{Count: 2, Kind: "Pod", Name: "web-1", Reason: "CrashLoop", Message: "password=hunter2"}}
	web.Result = status.Result{Status: status.InProgressStatus, Message: "0/2 available"}
	same, valid := reread(t, &Facts{Objects: []ObjectFact{web}})
	if have := same.Objects[0]; !valid || have.Result.Message != web.Result.Message || have.Parts == nil || *have.Parts != *web.Parts {
		t.Errorf("written and read it is %q with %+v", have.Result.Message, have.Parts)
	}
	var redact Redactor
	if have := redact.ObjectFact(web); strings.Contains(have.Message(), "hunter2") || !strings.Contains(web.Message(), "hunter2") {
		t.Errorf("redacted it tells %q, and before %q", have.Message(), web.Message())
	}
}

// changeTypes returns a copy of a value with some fields of another type.
func changeTypes(random *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			m[key] = changeTypes(random, v[key])
		}
		return m
	case status.Map:
		return changeTypes(random, map[string]any(v))
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = changeTypes(random, v[i])
		}
		return list
	}
	if random.Intn(8) > 0 {
		return v
	}
	odd := [...]any{nil, true, 3.5, int64(-1), "", hostileText(random), []any{"x", nil, 4}, map[string]any{"name": []any{}}, []any{map[string]any{"type": 3}}}
	return odd[random.Intn(len(odd))]
}

func hostileText(random *rand.Rand) string {
	texts := [...]string{
		"\x1b[31mred\x07", "\u202egnp.exe", strings.Repeat("a", 20_000), "bad \xff\xfe utf8", "]]}}", "[", "a]b", "..", "%s%d%!", "no matches for kind \"\x1b\" in version \"a/b\"",
		"failed calling webhook \"\x1b[2J\": boom", "namespaces \"a\nb\" not found", "x509: certificate has expired or is not yet valid: current time \x07 is after \x1b", "kubernetes.io/pvc-protection", "_ _ _", "a_b_c_d",
	}
	return texts[random.Intn(len(texts))]
}
