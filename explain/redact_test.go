package explain

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/status"
)

func TestRedactedText(t *testing.T) {
	rows := []struct{ name, text, want string }{
		{"it leaves plain text", "Back-off restarting failed container c", "Back-off restarting failed container c"},
		{"it leaves names of secrets", `secret "db-password" not found`, `secret "db-password" not found`},
		{"it leaves keys of secrets", "couldn't find key password in Secret shop/db", "couldn't find key password in Secret shop/db"},
		{"it leaves files", "--token-file=/var/run/token --tls-private-key-file=/tls.key", "--token-file=/var/run/token --tls-private-key-file=/tls.key"},
		{"it leaves prose", "invalid bearer token: signature is invalid", "invalid bearer token: signature is invalid"},
		{"it leaves a way to authenticate", "no basic auth credentials; basic authentication failed", "no basic auth credentials; basic authentication failed"},
		{"it leaves times", "2026-01-01T12:00:00Z", "2026-01-01T12:00:00Z"},
		{"it takes an assignment", "DB_PASSWORD=hunter2 ./run", "DB_PASSWORD=<redacted> ./run"},
		{"it takes an argument", "mysql --password=hunter2 --host=db", "mysql --password=<redacted> --host=db"},
		{"it takes an argument apart", "mysql --password hunter2 --host db", "mysql --password <redacted> --host db"},
		{"it takes what is at the end", "password: hunter2", "password: <redacted>"},
		{"it takes a field of JSON", `{"user":"a","password":"hunter2","n":1}`, `{"user":"a","password":"<redacted>","n":1}`},
		{"it takes a field of spaced JSON", `{"user": "a", "apiKey": "hunter2"}`, `{"user": "a", "apiKey": "<redacted>"}`},
		{"it takes a field of quoted JSON", `config={\"clientSecret\":\"hunter2\"}`, `config={\"clientSecret\":\"<redacted>\"}`},
		{"it takes a password from a URL", "dial postgres://app:hunter2@db:5432/shop: refused", "dial postgres://app:<redacted>@db:5432/shop: refused"},
		{"it takes a token from a URL", "GET https://x/y?a=1&access_token=hunter2&b=2", "GET https://x/y?a=1&access_token=<redacted>&b=2"},
		{"it takes a signature from a URL", "GET https://x/y?sig=hunter2", "GET https://x/y?sig=<redacted>"},
		{"it takes a header", "Authorization: Bearer abcdef012345", "Authorization: Bearer <redacted>"},
		{"it takes a token by its looks", "got eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl here", "got <redacted> here"},
		{"it takes a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if have := Redacted(row.text); have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
			if again := Redacted(row.want); again != row.want {
				t.Errorf("redacted again, it is %q", again)
			}
		})
	}
}

const secretive = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":{
  "kubectl.kubernetes.io/last-applied-configuration":"hunter2",
  "example.com/original":"{\"spec\":{\"x\":\"hunter2\"}}",
  "example.com/note":"fine","example.com/token":"hunter2"}},
 "spec":{"password":"hunter2","pin":{"accessKey":271828},"automountServiceAccountToken":false,
  "containers":[{"name":"c","image":"c:1","args":["--token","hunter2","--password=hunter2","-v"],
   "env":[{"name":"A","value":"hunter2"},{"name":"B","value":"hunter2"},{"name":"C","value":"hunter3"},{"name":"D","value":""},
    {"name":"E","valueFrom":{"secretKeyRef":{"name":"s","key":"password"}}}]}],
  "tolerations":[{"key":"k","value":"v"}]}}`

const discreet = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":{
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

// words returns an object with W for each word that a value is replaced by.
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
	given := decoded(t, secretive)
	r := &Redactor{}
	have := r.Object(given)
	if want := decoded(t, discreet); !reflect.DeepEqual(words(t, have), want) {
		t.Errorf("have %v, want %v", words(t, have), want)
	}
	if !reflect.DeepEqual(given, decoded(t, secretive)) {
		t.Error("the object given has changed")
	}
	if again := r.Object(have); !reflect.DeepEqual(again, have) {
		t.Errorf("redacted again: %v", again)
	}
	n := &node{Thing: &Thing{Object: have}}
	f := fields{m: have, node: n}
	a, b, c := f.text("spec.containers[c].env[A].value"), f.text("spec.containers[c].env[B].value"), f.text("spec.containers[c].env[C].value")
	if a != b || a == c || a == "" {
		t.Errorf("equal values are %q and %q, another %q", a, b, c)
	}
	data := decoded(t, `{"kind":"Secret","apiVersion":"v1","data":{"k":"aHVudGVyMg=="},"stringData":{"k":"hunter2"}}`)
	if have := fmt.Sprint(r.Object(data)); strings.Contains(have, "hunter2") || strings.Contains(have, "aHVu") || !strings.Contains(have, "k:") {
		t.Errorf("of a Secret: %s", have)
	}
}

func BenchmarkRedactor(b *testing.B) {
	obj := status.Map{}
	if err := json.Unmarshal([]byte(secretive), &obj); err != nil {
		b.Fatal(err)
	}
	r := &Redactor{}
	for b.Loop() {
		r.Object(obj)
	}
}
