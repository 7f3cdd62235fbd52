// Package planted creates objects that contain secrets, for tests that search
// output, files and requests for them. The secrets are generated, the same each
// time. None was ever valid, and none is in a file.
package planted

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Plant is an object that contains a secret.
type Plant struct {
	Shape  string // the way in which the object contains it
	Secret string
	Object map[string]any
}

// FoundIn reports whether a text contains the secret: as it is, in base64, or
// the beginning of a long one.
func (p Plant) FoundIn(text string) bool {
	return slices.ContainsFunc(p.traces(), func(trace string) bool { return strings.Contains(text, trace) })
}

// traces returns texts, of which each means that the secret is in a text.
func (p Plant) traces() []string {
	const long = 12
	secret := p.Secret
	if len(secret) > long {
		secret = secret[:long]
	}
	quoted := strings.NewReplacer(`&`, `\u0026`, `<`, `\u003c`, `>`, `\u003e`).Replace(secret)
	encoded := base64.StdEncoding.EncodeToString([]byte(p.Secret))
	return []string{secret, quoted, encoded[:len(encoded)&^3-4]}
}

// Count returns how many of the secrets a text contains.
func Count(plants []Plant, text string) int { return len(Find(plants, text)) }

// A carrier is a way in which an object contains a secret.
type carrier struct {
	name string
	make func(secret string) map[string]any
	any  bool                      // the secret may be any text, not only letters and digits
	of   func(r *rand.Rand) string // generates special secrets
}

const (
	lower   = "abcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	mixed   = lower + upper + digits
	special = "!#$%^*+~?"
)

// random returns a random text of n letters.
func random(r *rand.Rand, letters string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

// values returns secrets of several types.
func values(r *rand.Rand, all bool) []string {
	secrets := []string{
		random(r, lower, 6) + random(r, digits, 3),
		"K" + random(r, lower, 3) + "7" + random(r, mixed, 20),
		random(r, "0123456789abcdef", 31) + "f",
		"x9" + random(r, mixed, 60) + "B",
		random(r, lower, 4) + "-" + random(r, lower, 3) + random(r, digits, 2) + "-" + random(r, upper, 4),
		random(r, lower, 3) + random(r, special, 2) + "4" + random(r, mixed, 6),
	}
	if all {
		secrets = append(secrets, random(r, lower, 11), "a&"+random(r, mixed, 5)+",;"+random(r, mixed, 6), random(r, lower, 5)+" "+random(r, lower, 9)+" "+random(r, lower, 7))
	}
	return secrets
}

// Plants returns objects with secrets in many shapes. The result is the same
// each time.
func Plants() []Plant { return plants(rand.New(rand.NewPCG(1, 2)), values) }

// Random returns as many objects with random secrets. The seed determines them.
func Random(seed uint64) []Plant { return plants(rand.New(rand.NewPCG(seed, seed+1)), values) }

func plants(r *rand.Rand, values func(*rand.Rand, bool) []string) (all []Plant) {
	for _, s := range carriers() {
		secrets := values(r, s.any)
		if s.of != nil {
			secrets = secrets[:0]
			for range 3 {
				secrets = append(secrets, s.of(r))
			}
		}
		for _, secret := range secrets {
			obj := s.make(secret)
			metadata := obj["metadata"].(map[string]any)
			if metadata["name"] == nil {
				metadata["name"] = fmt.Sprintf("plant-%d", len(all)+1)
			}
			metadata["namespace"] = "shop"
			metadata["uid"] = fmt.Sprintf("00000000-0000-0000-0000-%012d", len(all)+1)
			all = append(all, Plant{s.name, secret, obj})
		}
	}
	return all
}

// Messages returns texts with one secret each, like messages of conditions and
// lines of logs, by the name of their shape.
func Messages(secret string) map[string]string {
	all := map[string]string{}
	for name, format := range messages {
		all[name] = strings.ReplaceAll(format, "@@", secret)
	}
	return all
}

// messages are texts in which @@ is replaced by a secret.
var messages = map[string]string{
	"password=":           `login of app with password=@@ failed`,
	"pass=":               `connect: pass=@@: refused`,
	"pwd=":                `connect to db with pwd=@@, after 3 attempts`,
	"secret_key=":         `secret_key=@@ is not accepted`,
	"secret:":             `answer {"user":"a","secret":"@@","n":1} is malformed`,
	"quoted JSON":         `answer "{\"user\":\"a\",\"password\":\"@@\"}" is malformed`,
	"connection string":   `open Server=db;User Id=app;Pwd=@@;Timeout=30 failed`,
	"account key":         `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=@@;EndpointSuffix=core.windows.net`,
	"user of a URL":       `dial postgres://app:@@@db.shop:5432/shop?sslmode=disable: connection refused`,
	"signature of a URL":  `GET https://a.blob.core.windows.net/c/b?sv=2024-01-01&sig=@@: 403`,
	"signature of AWS":    `GET https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature=@@: 403`,
	"access token in URL": `GET https://api.example.com/v1?access_token=@@&page=2: 401`,
	"DSN of MySQL":        `open app:@@@tcp(db:3306)/shop: refused`,
	"bearer":              `GET https://api.example.com: 401, request had Authorization: Bearer K7x@@`,
	"basic":               `request had header "Authorization: Basic Q@@="`,
	"cookie":              `request had Cookie: theme=dark; session=@@`,
	"header of a key":     `request had X-Api-Key: @@`,
	"flag":                `command "run --user app --db-pass @@ --host db" failed`,
	"flag=":               `command "run --secret=@@ --host db" failed`,
	"mysql -p":            `command mysql -uapp -p@@ -h db failed`,
	"curl -u":             `command curl -s -u app:@@ https://example.com failed`,
	"redis-cli -a":        `command redis-cli -h redis -a @@ ping failed`,
	"--basic":             `command run --basic app:@@ --v 2 failed`,
	"printed map":         `got map[password:@@ user:app]`,
	"printed struct":      `got {User:app Password:@@ Port:5432}`,
	"XML":                 `got <user>app</user><password>@@</password>`,
	"environment":         "env:\nDB_HOST=db\nDB_PASSWORD=@@\nDB_PORT=5432",
	"exported variable":   `sh -c 'export SMTP_SECRET=@@; ./run'`,
	"YAML":                "parse config:\nuser: app\ndbPassword: @@\nhost: db",
	"Secret as YAML":      "apply:\napiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  pin: @@\ntype: Opaque",
	"Secret as JSON":      `apply {"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"stringData":{"pin":"@@"}}: denied`,
	"pair":                `container has {"name":"DB_PASSWORD","value":"@@"}`,
	"cut":                 strings.Repeat("the controller tries again ", 36) + `and dial postgres://app:@@@@@@@db.shop:5432/shop`,
	"cut after 500":       strings.Repeat("the controller tries again ", 17) + `and dial postgres://app:@@@@@@@@@db.shop:5432/shop`,
	"cut after 4096":      strings.Repeat("the controller tries again ", 151) + `and dial postgres://app:@@@@@@@db.shop:5432/shop`,
}

// fieldNames are names of fields whose values are secrets.
var fieldNames = []string{
	"pass", "dbPass", "userPass", "DB_PASS", "pwd", "secret", "SMTP_SECRET", "secret_key", "secretkey", "sharedKey", "AccountKey", "signing-key",
	"encryption_key", "auth", "bearer", "cookie", "dsn", "password", "apiToken", "clientSecret", "adminPasswordValue", "privateKey",
}

// tokens are the forms of tokens of known issuers.
var tokens = map[string]func(*rand.Rand) string{
	"AWS":        func(r *rand.Rand) string { return "AK" + "IA" + random(r, upper+digits, 16) },
	"GitHub":     func(r *rand.Rand) string { return "gh" + "p_" + random(r, mixed, 36) },
	"GitHub PAT": func(r *rand.Rand) string { return "github" + "_pat_" + random(r, mixed, 40) },
	"GitLab":     func(r *rand.Rand) string { return "gl" + "pat-" + random(r, mixed, 20) },
	"Slack":      func(r *rand.Rand) string { return "xo" + "xb-" + random(r, digits, 11) + "-" + random(r, mixed, 24) },
	"Stripe":     func(r *rand.Rand) string { return "sk" + "_live_" + random(r, mixed, 24) },
	"Google":     func(r *rand.Rand) string { return "AI" + "za" + random(r, mixed, 35) },
	"npm":        func(r *rand.Rand) string { return "np" + "m_" + random(r, mixed, 36) },
	"PyPI":       func(r *rand.Rand) string { return "py" + "pi-AgE" + random(r, mixed, 60) },
	"SendGrid":   func(r *rand.Rand) string { return "S" + "G." + random(r, mixed, 22) + "." + random(r, mixed, 43) },
	"hook": func(r *rand.Rand) string {
		return "T" + random(r, upper, 8) + "/B" + random(r, upper, 8) + "/" + random(r, mixed, 24)
	},
	"web token": func(r *rand.Rand) string {
		return "ey" + "J" + random(r, mixed, 30) + ".eyJ" + random(r, mixed, 40) + "." + random(r, mixed, 43)
	},
	"private key": func(r *rand.Rand) string { return "MIIE" + random(r, mixed, 60) + "\n" + random(r, mixed+"+/", 64) },
	"key in DER": func(r *rand.Rand) string {
		return base64.StdEncoding.EncodeToString([]byte("\x30\x82\x04\xbd\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48" + random(r, mixed, 300)))
	},
	"token of URL": func(r *rand.Rand) string { return random(r, mixed, 24) + "7" },
}

// tokenText returns a sentence with a token.
func tokenText(name, token string) string {
	switch name {
	case "hook":
		return "POST https://hooks.slack" + ".com/services/" + token + ": 404"
	case "private key":
		return "parse -----BEGIN PRIVATE " + "KEY-----\n" + token + "\n-----END PRIVATE " + "KEY-----: malformed"
	case "token of URL":
		return "clone https://" + token + "@git.example.com/a/b.git failed"
	}
	return "the request with " + token + " was refused"
}

func object(apiVersion, kind string, fields map[string]any) map[string]any {
	obj := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"generation": int64(1)}}
	for name, v := range fields {
		if name == "annotations" || name == "labels" {
			obj["metadata"].(map[string]any)[name] = v
			continue
		}
		obj[name] = v
	}
	return obj
}

// widget returns a custom resource that is not ready.
func widget(spec map[string]any) map[string]any {
	return object("example.com/v1", "Widget", map[string]any{"spec": spec, "status": notReadyStatus("it does not exist")})
}

func notReadyStatus(message string) map[string]any {
	return map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "Refused", "message": message}}}
}

// pod returns a Pod whose container fails.
func pod(container map[string]any, message string) map[string]any {
	container["name"], container["image"] = "c", "shop/c:1"
	return object("v1", "Pod", map[string]any{
		"spec": map[string]any{"containers": []any{container}},
		"status": map[string]any{"phase": "Pending", "containerStatuses": []any{map[string]any{
			"name": "c", "restartCount": int64(7), "ready": false,
			"state":     map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff", "message": message}},
			"lastState": map[string]any{"terminated": map[string]any{"exitCode": int64(1), "reason": "Error", "message": message}},
		}}},
	})
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// carriers returns all shapes in order.
func carriers() (all []carrier) {
	add := func(name string, any bool, make func(string) map[string]any) {
		all = append(all, carrier{name: name, any: any, make: make})
	}
	for i, name := range sortedNames(messages) {
		add("message: "+name, false, func(s string) map[string]any {
			text := Messages(s)[name]
			switch i % 3 {
			case 0:
				return pod(map[string]any{}, text)
			case 1:
				return object("example.com/v1", "Widget", map[string]any{"status": notReadyStatus(text)})
			}
			return object("apps/v1", "Deployment", map[string]any{"spec": map[string]any{"replicas": int64(1)}, "status": map[string]any{
				"conditions": []any{map[string]any{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": text}},
			}})
		})
	}
	for _, name := range sortedNames(tokens) {
		all = append(all, carrier{name: "token: " + name, of: tokens[name], make: func(s string) map[string]any {
			return object("example.com/v1", "Widget", map[string]any{"spec": map[string]any{"note": tokenText(name, s)}, "status": notReadyStatus(tokenText(name, s))})
		}})
	}
	for _, name := range fieldNames {
		add("field: "+name, true, func(s string) map[string]any { return widget(map[string]any{"connection": map[string]any{name: s}}) })
	}
	for _, name := range []string{"tokens", "apiKeys", "passwords"} {
		add("list: "+name, true, func(s string) map[string]any { return widget(map[string]any{name: []any{"", s}}) })
	}
	for _, name := range []string{"passwords", "secrets", "credentials"} {
		add("map: "+name, true, func(s string) map[string]any { return widget(map[string]any{name: map[string]any{"admin": s}}) })
	}
	secret := func(s string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "db"}, "data": map[string]any{"pin": base64.StdEncoding.EncodeToString([]byte(s))}}
	}
	add("Secret", true, secret)
	add("Secret: stringData", true, func(s string) map[string]any {
		return object("v1", "Secret", map[string]any{"stringData": map[string]any{"pin": s}})
	})
	add("annotation of a Secret", true, func(s string) map[string]any {
		return object("v1", "Secret", map[string]any{"annotations": map[string]any{"example.com/original": s}})
	})
	add("ConfigMap", true, func(s string) map[string]any {
		return object("v1", "ConfigMap", map[string]any{"data": map[string]any{"app.conf": "pin " + s}})
	})
	add("Secret of a ManifestWork", true, func(s string) map[string]any {
		return object("work.open-cluster-management.io/v1", "ManifestWork", map[string]any{"spec": map[string]any{"workload": map[string]any{"manifests": []any{secret(s)}}}, "status": notReadyStatus("no")})
	})
	add("Secret of a ResourceSet", true, func(s string) map[string]any {
		return object("fluxcd.controlplane.io/v1", "ResourceSet", map[string]any{"spec": map[string]any{"resources": []any{
			map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": map[string]any{"pin": s}}}}, "status": notReadyStatus("no")})
	})
	add("Secret of an Object", true, func(s string) map[string]any {
		return object("kubernetes.crossplane.io/v1alpha2", "Object", map[string]any{"spec": map[string]any{"forProvider": map[string]any{"manifest": secret(s)}},
			"status": map[string]any{"atProvider": map[string]any{"manifest": secret(s)}, "conditions": notReadyStatus("no")["conditions"]}})
	})
	add("template of an ExternalSecret", true, func(s string) map[string]any {
		return object("external-secrets.io/v1", "ExternalSecret", map[string]any{"spec": map[string]any{"target": map[string]any{"template": map[string]any{"data": map[string]any{"pin": s}}}}, "status": notReadyStatus("no")})
	})
	add("template of a SealedSecret", true, func(s string) map[string]any {
		return object("bitnami.com/v1alpha1", "SealedSecret", map[string]any{"spec": map[string]any{"template": map[string]any{"stringData": map[string]any{"pin": s}}}, "status": notReadyStatus("no")})
	})
	add("variable", true, func(s string) map[string]any {
		return pod(map[string]any{"env": []any{map[string]any{"name": "A", "value": s}}}, "no")
	})
	add("pair by key", true, func(s string) map[string]any {
		return widget(map[string]any{"settings": []any{map[string]any{"key": "SMTP_PASSWORD", "value": s}}})
	})
	commands := map[string]func(string) []any{
		"1 --db-pass x": func(s string) []any { return []any{"run", "--db-pass", s, "-v"} },
		"2 --secret=x":  func(s string) []any { return []any{"run", "--secret=" + s} },
		"3 -p x":        func(s string) []any { return []any{"-u", "app", "-p", s} },
		"4 mysql -px":   func(s string) []any { return []any{"mysql", "-p" + s} },
		"5 curl -u":     func(s string) []any { return []any{"curl", "-u", "app:" + s} },
		"6 redis -a":    func(s string) []any { return []any{"redis-cli", "-a", s} },
		"7 --basic":     func(s string) []any { return []any{"run", "--basic", "app:" + s} },
		"8 script":      func(s string) []any { return []any{"sh", "-c", "mysql -h db -p" + s + " < in"} },
	}
	for _, name := range sortedNames(commands) {
		add("args: "+name, false, func(s string) map[string]any { return pod(map[string]any{"command": commands[name](s)}, "no") })
	}
	add("args after command", false, func(s string) map[string]any {
		return pod(map[string]any{"command": []any{"/usr/bin/mysqladmin"}, "args": []any{"ping", "-p" + s}}, "no")
	})
	add("last applied", true, func(s string) map[string]any {
		return object("example.com/v1", "Widget", map[string]any{"annotations": map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": fmt.Sprintf(`{"spec":{"pin":%q}}`, s)}, "status": notReadyStatus("no")})
	})
	add("object in an annotation", true, func(s string) map[string]any {
		return object("example.com/v1", "Widget", map[string]any{"annotations": map[string]any{"example.com/was": fmt.Sprintf(`{"pin":%q}`, s)}, "status": notReadyStatus("no")})
	})
	add("JSON in a field", true, func(s string) map[string]any {
		return widget(map[string]any{"config": fmt.Sprintf(`{"db":{"user":"a","password":%q,"port":5432}}`, s)})
	})
	add("Secret as JSON in a field", true, func(s string) map[string]any {
		return widget(map[string]any{"manifest": fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","stringData":{"pin":%q}}`, s)})
	})
	add("Secret as YAML in a field", true, func(s string) map[string]any {
		return widget(map[string]any{"manifest": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  pin: '" + s + "'\n"})
	})
	add("YAML in a field", true, func(s string) map[string]any {
		return widget(map[string]any{"valuesContent": "db:\n  user: app\n  password: \"" + s + "\"\n"})
	})
	add("field of the status", true, func(s string) map[string]any {
		obj := widget(map[string]any{})
		obj["status"].(map[string]any)["adminPassword"] = s
		return obj
	})
	return all
}
