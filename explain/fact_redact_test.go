package explain

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

const secretText = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":{
  "kubectl.kubernetes.io/last-applied-configuration":"hunter2",
  "example.com/original":"{\"spec\":{\"x\":\"hunter2\"}}",
  "example.com/note":"fine","example.com/token":"hunter2"}},
 "spec":{"password":"hunter2","pin":{"accessKey":271828},"automountServiceAccountToken":false,
  "containers":[{"name":"c","image":"c:1","args":["--token","hunter2","--password=hunter2","-v"],
   "env":[{"name":"A","value":"hunter2"},{"name":"B","value":"hunter2"},{"name":"C","value":"hunter3"},{"name":"D","value":""},
    {"name":"E","valueFrom":{"secretKeyRef":{"name":"s","key":"password"}}}]}],
  "tolerations":[{"key":"k","value":"v"}]}}`

const redactedText = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":{
  "example.com/original":"<redacted>",
  "example.com/note":"fine","example.com/token":"W"}},
 "spec":{"password":"W","pin":{"accessKey":"W"},"automountServiceAccountToken":false,
  "containers":[{"name":"c","image":"c:1","args":["--token","W","--password=<redacted>","-v"],
   "env":[{"name":"A","value":"W"},{"name":"B","value":"W"},{"name":"C","value":"W"},{"name":"D","value":""},
    {"name":"E","valueFrom":{"secretKeyRef":{"name":"s","key":"password"}}}]}],
  "tolerations":[{"key":"k","value":"v"}]}}`

func decoded(t *testing.T, text string) status.Map {
	t.Helper()
	m := status.Map{}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// words returns an object with W for each word in a replacement.
func words(t *testing.T, m status.Map) status.Map {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	for n := range 9 {
		s = strings.ReplaceAll(s, fmt.Sprintf(`\u003credacted %d\u003e`, n+1), "W")
	}
	return decoded(t, s)
}

func TestRedactorTakesSecretsFromObjects(t *testing.T) {
	given := decoded(t, secretText)
	r := &Redactor{}
	have := r.ObjectFact(ObjectFact{Object: given}).Object
	if want := decoded(t, redactedText); !reflect.DeepEqual(words(t, have), want) {
		t.Errorf("have %v, want %v", words(t, have), want)
	}
	if !reflect.DeepEqual(given, decoded(t, secretText)) {
		t.Error("the object given has changed")
	}
	if again := r.ObjectFact(ObjectFact{Object: have}).Object; !reflect.DeepEqual(again, have) {
		t.Errorf("redacted again: %v", again)
	}
	f := fields.Section{Map: have}
	a, b, c := f.Text("spec.containers[c].env[A].value"), f.Text("spec.containers[c].env[B].value"), f.Text("spec.containers[c].env[C].value")
	if a != b || a == c || a == "" {
		t.Errorf("equal values are %q and %q, another %q", a, b, c)
	}
	data := decoded(t, `{"kind":"Secret","apiVersion":"v1","data":{"k":"aHVudGVyMg=="},"stringData":{"k":"hunter2"}}`)
	if have := fmt.Sprint(r.ObjectFact(ObjectFact{Object: data}).Object); strings.Contains(have, "hunter2") || strings.Contains(have, "aHVu") || !strings.Contains(have, "k:") {
		t.Errorf("of a Secret: %s", have)
	}
}

func BenchmarkRedactor(b *testing.B) {
	obj := status.Map{}
	if err := json.Unmarshal([]byte(secretText), &obj); err != nil {
		b.Fatal(err)
	}
	r := &Redactor{}
	for b.Loop() {
		r.ObjectFact(ObjectFact{Object: obj})
	}
}

// All texts of events and results are redacted, also a reason and a caveat.
func TestTextsOfFactsAreRedacted(t *testing.T) {
	var r Redactor
	event := r.Event(Event{Reason: "password=hunter2", Message: "password=hunter2", From: "password=hunter2"})
	fact := r.ObjectFact(ObjectFact{Result: status.Result{
		Message: "password=hunter2", Caveat: "password=hunter2", Warnings: []string{"password=hunter2"},
		Conditions: []status.Condition{{Reason: "password=hunter2", Message: "password=hunter2"}},
	}})
	if have := fmt.Sprint(event, fact); strings.Contains(have, "hunter2") {
		t.Errorf("a secret is left in %s", have)
	}
}
