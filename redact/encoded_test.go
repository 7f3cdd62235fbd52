package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kstatus.dev/redact"
)

const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- name: east
  cluster: {server: "https://east.example.com:6443"}
users:
- name: admin
  user:
    token: Xk7pQ9zT4vRw2m
`

// lines breaks a text into lines.
func lines(text, lineBreak string, width int) string {
	var b strings.Builder
	for len(text) > width {
		b.WriteString(text[:width] + lineBreak)
		text = text[width:]
	}
	return b.String() + text
}

// Text in base64 that has secrets is a secret.
func TestEncodedTextsWithSecrets(t *testing.T) {
	config := base64.StdEncoding.EncodeToString([]byte(kubeconfig))
	url := base64.RawURLEncoding.EncodeToString([]byte(`{"auths":{"registry.example.com":{"username":"??>>","password":"Xk7pQ9zT4v"}}}`))
	for _, row := range []struct{ it, text, secret string }{
		{"finds a kubeconfig", "created " + config + " for it", config[:40]},
		{"finds a kubeconfig in a field of YAML", "status:\n  kubeconfig: " + config, config[40:80]},
		{"finds a kubeconfig in lines", "status:\n  kubeconfig: |\n    " + lines(config, "\n    ", 76), config[80:120]},
		{"finds a kubeconfig in escaped lines", `"config":"` + lines(config, `\n`, 76) + `"`, config[80:120]},
		{"finds a kubeconfig after an escaped line break", `message: "config:\n` + config + `"`, config[40:80]},
		{"finds a kubeconfig that was encoded twice", base64.StdEncoding.EncodeToString([]byte(config)), base64.StdEncoding.EncodeToString([]byte(config))[:40]},
		{"finds a kubeconfig that is cut", "created " + config[:len(config)-2] + "…", config[40:80]},
		{"finds the alphabet of addresses", "with " + url, url[:40]},
		{"finds a kubeconfig after a word", "kubeconfig-v1-" + config, config[:40]},
		{"finds a kubeconfig after a path", "secret/" + config, config[:40]},
		{"finds a password", "cloud-init: " + base64.StdEncoding.EncodeToString([]byte("#cloud-config\npassword: hunter2Xk7\nchpasswd: {expire: false}\n")), "cGFzc3dvcm"},
		{"finds an assignment", base64.StdEncoding.EncodeToString([]byte("DB_PASSWORD=hunter2Xk7")), "REJfUEFTU1dPUkQ"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := redact.Text(row.text); strings.Contains(have, row.secret) || !strings.Contains(have, redact.Placeholder) {
				t.Errorf("it is %q", have)
			}
			object := map[string]any{"kind": "Thing", "status": map[string]any{"output": row.text}}
			if have := fmt.Sprint(new(redact.Objects).Object(object)); strings.Contains(have, row.secret) {
				t.Errorf("the object is %q", have)
			}
		})
	}
	for _, row := range []struct{ it, text string }{
		{"keeps encoded text without secrets", "output " + base64.StdEncoding.EncodeToString([]byte("the controller has created the cluster east in the region north"))},
		{"keeps an encoded certificate", base64.StdEncoding.EncodeToString([]byte("-----BEGIN CERTIFICATE-----\n" + strings.Repeat("MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n", 4) + "-----END CERTIFICATE-----\n"))},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := redact.Text(row.text); have != row.text {
				t.Errorf("it is %q", have)
			}
		})
	}
}

// The name of a secret may stand after its value.
func TestNamesAfterValues(t *testing.T) {
	for _, row := range []struct{ it, text, want string }{
		{"finds a value before its name in YAML", "env:\n- value: hunter2\n  name: DB_PASSWORD\n", "env:\n- value: <redacted>\n  name: DB_PASSWORD\n"},
		{"finds a quoted value", "env:\n  - value: \"hunter2\"\n    name: DB_PASSWORD", "env:\n  - value: \"<redacted>\"\n    name: DB_PASSWORD"},
		{"finds a value in JSON", `env {"value":"hunter2","name":"DB_PASSWORD"}`, `env {"value":"<redacted>","name":"DB_PASSWORD"}`},
		{"finds a value in escaped JSON", `env {\"value\": \"hunter2\", \"name\": \"DB_PASSWORD\"}`, `env {\"value\": \"<redacted>\", \"name\": \"DB_PASSWORD\"}`},
		{"finds a value with a field between", `env {"value":"hunter2","kind":"env","name":"DB_PASSWORD"}`, `env {"value":"<redacted>","kind":"env","name":"DB_PASSWORD"}`},
		{"finds a value with a key", `tag {"Value":"hunter2","Key":"db-password"}`, `tag {"Value":"<redacted>","Key":"db-password"}`},
		{"finds a value after its name", `env {"name":"DB_PASSWORD","value":"hunter2"}`, `env {"name":"DB_PASSWORD","value":"<redacted>"}`},
		{"keeps the value before the next item", "env:\n- name: LOG_LEVEL\n  value: debug\n- name: DB_PASSWORD\n  value: hunter2\n", "env:\n- name: LOG_LEVEL\n  value: debug\n- name: DB_PASSWORD\n  value: <redacted>\n"},
		{"keeps the value of another name", `env {"value":"debug","name":"LOG_LEVEL"}, {"value":"hunter2","name":"DB_PASSWORD"}`, `env {"value":"debug","name":"LOG_LEVEL"}, {"value":"<redacted>","name":"DB_PASSWORD"}`},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := redact.Text(row.text); have != row.want {
				t.Errorf("have %q\nwant %q", have, row.want)
			}
		})
	}
}

// Commands and settings have secrets under further names.
func TestFurtherNames(t *testing.T) {
	for _, row := range []struct{ it, text, want string }{
		{"finds a scheme in a flag", "curl --auth-header=Bearer hunter2 https://example.com", "curl --auth-header=Bearer <redacted> https://example.com"},
		{"finds a scheme in a quoted flag", `curl "--auth-header=Basic aHVudGVyMg"`, `curl "--auth-header=Basic <redacted>"`},
		{"finds a scheme after a flag", "curl --auth-header Bearer hunter2", "curl --auth-header Bearer <redacted>"},
		{"finds a scheme in the quotes of a value", "curl --auth-header='Bearer hunter2' x", "curl --auth-header='Bearer <redacted>' x"},
		{"finds the secret of an AppRole", "vault write auth/approle/login role_id=web secret_id=hunter2", "vault write auth/approle/login role_id=web secret_id=<redacted>"},
		{"finds the secret of an AppRole in a variable", "VAULT_SECRET_ID=hunter2 vault login", "VAULT_SECRET_ID=<redacted> vault login"},
		{"finds a setting of the AWS command", "aws configure set aws_secret_access_key hunter2 --profile web", "aws configure set aws_secret_access_key <redacted> --profile web"},
		{"finds a setting of a profile", "aws configure set profile.web.aws_secret_access_key abcDEF123", "aws configure set profile.web.aws_secret_access_key <redacted>"},
		{"finds a setting of a server", "redis-cli config set requirepass foobared", "redis-cli config set requirepass <redacted>"},
		{"finds a PSK", "psk=hunter2, ipsec psk: \"hunter2xyz\"", "psk=<redacted>, ipsec psk: \"<redacted>\""},
		{"keeps a sentence about settings", "the operator has set password rotation", "the operator has set password rotation"},
		{"keeps a sentence about a configuration", "config set: token is required", "config set: token is required"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := redact.Text(row.text); have != row.want {
				t.Errorf("have %q\nwant %q", have, row.want)
			}
		})
	}
	for _, given := range []string{
		`{"spec":{"psk":"Hunter2Hunter2"}}`, `{"spec":{"ipsecPSK":"Hunter2Hunter2"}}`, `{"spec":{"presharedKey":"Hunter2Hunter2"}}`, `{"spec":{"preSharedKey":"Hunter2Hunter2"}}`,
		`{"spec":{"sshKey":"Hunter2Hunter2"}}`, `{"status":{"sshKey":"Hunter2Hunter2"}}`, `{"spec":{"args":["configure","set","aws_secret_access_key","Hunter2Hunter2"]}}`,
		`{"spec":{"command":["aws","configure","set","aws_secret_access_key"],"args":["Hunter2Hunter2"]}}`,
		`{"spec":{"args":["write","auth/approle/login","secret_id=Hunter2Hunter2"]}}`, `{"spec":{"args":["--auth-header=Bearer Hunter2Hunter2"]}}`,
		`{"spec":{"args":["--auth-header=Bearer","Hunter2Hunter2"]}}`, `{"spec":{"args":["--auth-header","Bearer Hunter2Hunter2"]}}`,
		`{"spec":{"args":["--auth-header","Token Hunter2Hunter2"]}}`, `{"spec":{"args":["--auth-header","Bearer","Hunter2Hunter2"]}}`, `{"spec":{"env":[{"value":"Hunter2Hunter2","name":"DB_PASSWORD"}]}}`,
	} {
		t.Run(given, func(t *testing.T) {
			var object map[string]any
			if err := json.Unmarshal([]byte(given), &object); err != nil {
				t.Fatal(err)
			}
			if have := fmt.Sprint(new(redact.Objects).Object(object)); strings.Contains(have, "Hunter2Hunter2") {
				t.Errorf("it is %s", have)
			}
		})
	}
}
