package audit

import (
	"strings"
	"testing"
)

func TestSecretsAreSeen(t *testing.T) {
	for _, c := range []struct{ it, text, kind, secret string }{
		{"an assignment", "password=hunter2", "a password", "hunter2"},
		{"a field of JSON", `{"password":"hunter22"}`, "a password", "hunter22"},
		{"a cut quotation", "dial: PGPASSWORD='correct horse", "a password", "correct"},
		{"a word with a prefix", "db_password: s3cretValue,", "a password", "s3cretValue"},
		{"a URL", "https://admin:hunter2@example.com/x", "a password", "hunter2"},
		{"a header", "Authorization: Bearer abcDEF123456ghi.jkl", "a token", "abcDEF123456ghi.jkl"},
		{"an assigned token", "token=9f8e7d6c5b4a39281706", "a token", "9f8e7d6c5b4a39281706"},
		{"an access key", "AKIAABCDEFGHIJKLMNOP is not valid", "an access key", "AKIAABCDEFGHIJKLMNOP"},
		{"a key of a cloud", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "a key", "wJalrXUtnFEMI/K7MDENG"},
		{"a token by its form", "with ghp_0123456789abcdefghijklmnopqrstuvwxyz.", "a token", "ghp_0123456789abcdefghijklmnopqrstuvwxyz"},
		{"a JSON Web Token", "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl bad", "a token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"},
		{"a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "a private key", "MIIE"},
		{"a private key that is cut", "-----BEGIN PRIVATE KEY-----\nMIIEcut", "a private key", "MIIEcut"},
	} {
		t.Run(c.it, func(t *testing.T) {
			if found := secretIn(c.text, 0); found.kind != c.kind || !strings.Contains(c.text[found.start:found.end], c.secret) {
				t.Errorf("secretIn(%q) = %+v, want %s", c.text, found, c.kind)
			}
			if m := masked("at: " + c.text + " and " + c.text); strings.Contains(m, c.secret) || !strings.HasPrefix(m, "at: ") {
				t.Errorf("masked says %q of %q", m, c.text)
			}
		})
	}
}

func TestNoSecretsAreSeen(t *testing.T) {
	for _, text := range []string{
		"", "=", "password", "password=", "password=<redacted>", "password=***", "password=xxxxxx", "password: must be set", "password is required",
		"token: expired", "token=${TOKEN}", "the token default/my-token was not found", "secret=prod/db-creds-1", "secret \"db-creds-1\" not found",
		"tokenReview: authentication.k8s.io/v1", "https://example.com:8080/a@b", "oci://example.com/image:v1@sha256:0123456789abcdef", "ssh://git@example.com:22/r", "docker-pullable://nginx:latest@sha256:0123456789abcdef",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "AKIA", "XAKIAABCDEFGHIJKLMNOP", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "bearer of news",
		"pods \"web-6f9c4d7b8-x2x9z\" is forbidden: exceeded quota", "3 of 5 replicas are ready",
	} {
		t.Run(text, func(t *testing.T) {
			if found := secretIn(text, 0); found.kind != "" {
				t.Errorf("secretIn(%q) = %+v, want none", text, found)
			}
			if m := masked(text); m != text {
				t.Errorf("masked(%q) = %q", text, m)
			}
		})
	}
}

// TestFindingsKeepSecrets sees that no rule tells a secret of a message that it
// quotes for another reason.
func TestFindingsKeepSecrets(t *testing.T) {
	const stream = `
+0s create kubectl {"spec":{"providerID":"lamp://admin:hunter22@example.com"}}
+1s status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:00:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:01:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:02:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:03:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:04:01Z"
+1m spec kubectl {"spec":{"providerID":"lamp://admin:hunter23@example.com"}}
`
	a := New(Options{})
	for _, w := range play(t, stream) {
		a.Add(w)
	}
	rules := map[string]bool{}
	for _, f := range a.Findings() {
		rules[f.Rule] = true
		if strings.Contains(f.Evidence, "hunter2") || strings.Contains(f.Path, "hunter2") {
			t.Errorf("%s tells %s: %s", f.Rule, f.Path, f.Evidence)
		}
	}
	if !rules["W-53"] || !rules["W-38"] || !rules["W-27"] {
		t.Errorf("found %v, want W-53, W-38 and one that quotes the message", rules)
	}
}
