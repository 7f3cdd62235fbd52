package redact

import (
	"fmt"
	"strings"
	"testing"
)

// The running time grows linearly with the length of any text: ten times the text takes at most
// fifteen times the steps.
func TestEffortIsLinear(t *testing.T) {
	for _, part := range []string{
		"token:", "token=", "password: \"", "password=a,", "secret:a/b:", "key: ", "cookie:", "Authorization: Bearer ", "cookie: a; ",
		"://", "://a:", "a:b@", "@", "https://a:b/c@", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-----BEGIN ", "-----END ",
		"eyJ", "eyJa.", "ghp_", "AKIA", "sk-", "MIIE", "a", "a=", "\\\\\\\"", "--token ", "-p ", "mysql -p", "\"", "'--token'", "[", ",",
		"data: {", "stringData:\n ", "kind: Secret\ndata:\n", "data:map[", "</password>", "<password>", "<token></token>", "<redacted>", "<redacted 1>", "password=<redacted>",
		"name: token value: ", "value=", "{\"name\":\"token\",\"value\":\"", "token: |\n  a\n", "token: |\n", "password=hunter2 and ", "\xff", "…", "...",
		"value: x\n  name: ", "value=a name=", "ZHVtbXkgdGV4dCB3aXRob3V0IGFueXRoaW5nIGluIGl0IQ", "ZHVtbXkgdGV4dCB3aXRob3V0IGFueXRoaW5nIGlu\n",
		"ZHVtbXkgdGV4dCB3aXRob3V0IGFueXRoaW5nIGlu\\n", "config set token ", "--auth-header=Bearer ", "secret_id=",
		"password = ", "pass:/:/", "\n\t ", "{\"a\":", "[\"--token\",", "aws_secret AKIA/",
	} {
		t.Run(part, func(t *testing.T) {
			const size = 2000
			small, large := countSteps(strings.Repeat(part, size/len(part))), countSteps(strings.Repeat(part, 10*size/len(part)))
			if large > 15*small {
				t.Errorf("%d steps for %d bytes, and %d for ten times as many", small, size, large)
			}
		})
	}
}

// countSteps returns the number of steps for scanning a text.
func countSteps(text string) int {
	sc := scanner{s: text}
	sc.scan()
	sc.merged()
	return sc.steps
}

// A long text that many fields share is scanned once.
func TestSharedTextsAreRedactedOnce(t *testing.T) {
	long := strings.Repeat("password=hunter2 ", 100)
	list := make([]any, 1000)
	for i := range list {
		list[i] = long
	}
	var r Objects
	have := r.Object(map[string]any{"kind": "Thing", "spec": map[string]any{"texts": list}})
	if len(r.texts) != 1 {
		t.Errorf("%d texts were looked at", len(r.texts))
	}
	if strings.Contains(fmt.Sprint(have), "hunter2") {
		t.Error("a secret is left")
	}
}
