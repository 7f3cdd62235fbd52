package redact_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/internal/planted"
	"kstatus.dev/redact"
)

// Redacted objects and texts contain none of the secrets.
func TestPlantedSecretsAreRemoved(t *testing.T) {
	shapes := map[string]bool{}
	plants := planted.Plants()
	for _, p := range plants {
		shapes[p.Shape] = true
		t.Run(p.Shape, func(t *testing.T) {
			given, err := json.Marshal(p.Object)
			if err != nil {
				t.Fatal(err)
			}
			if !p.FoundIn(string(given)) && !strings.Contains(p.Shape, "private key") {
				t.Errorf("the secret is not in the object given: %s", given)
			}
			r := new(redact.Objects)
			have := r.Object(p.Object)
			text, err := json.Marshal(have)
			if err != nil {
				t.Fatal(err)
			}
			if p.FoundIn(string(text)) {
				t.Errorf("%q is left in %s", p.Secret, text)
			}
			if again := r.Object(have); !reflect.DeepEqual(again, have) {
				t.Errorf("redacted again, it is %v, and was %v", again, have)
			}
			if now, err := json.Marshal(p.Object); err != nil || string(now) != string(given) {
				t.Errorf("the object given has become %s: %v", now, err)
			}
		})
	}
	if len(plants) < 300 || len(shapes) < 30 {
		t.Errorf("%d secrets in %d shapes, want 300 in 30", len(plants), len(shapes))
	}
}

// Random secrets are redacted at random places, in nested objects and in lists.
func TestRandomSecretsAreRemoved(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			plants := planted.Random(seed)
			for n := 0; n < len(plants); {
				some := plants[n:min(len(plants), n+1+r.IntN(4))]
				n += len(some)
				var all any = map[string]any{}
				for _, p := range some {
					all = nest(r, all, p.Object)
				}
				text, err := json.Marshal(new(redact.Objects).Object(map[string]any{"kind": "Thing", "spec": all}))
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range some {
					if p.FoundIn(string(text)) {
						t.Errorf("%s: %q is left in %s", p.Shape, p.Secret, text)
					}
				}
			}
		})
	}
}

// nest puts two values into one, at random depths.
func nest(r *rand.Rand, a, b any) any {
	for range 1 + r.IntN(3) {
		switch r.IntN(4) {
		case 0:
			a = map[string]any{"first": a, "objects": b}
		case 1:
			a = map[string]any{"manifests": []any{a, b, "text"}}
		case 2:
			a = []any{b, map[string]any{"raw": a}}
		case 3:
			text, err := json.Marshal(b)
			if err != nil {
				panic(err)
			}
			a = map[string]any{"manifest": string(text), "rest": a}
		}
	}
	return a
}

// Wherever a message with a secret is cut, no usable part of the secret is left.
func TestCut(t *testing.T) {
	secret := "Xk7" + strings.Repeat("pQ9z", 6)
	for name, message := range planted.Messages(secret) {
		if strings.HasPrefix(name, "cut") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			message = strings.Repeat("tried again ", 4) + message
			for n := 40; n < len(message); n++ {
				have := redact.Cut(message, n)
				if strings.Contains(have, secret[:6]) {
					t.Errorf("cut at %d it is %q", n, have)
				}
				if len(have) > n {
					t.Errorf("cut at %d it has %d bytes", n, len(have))
				}
			}
		})
	}
}

// A text that was cut before ends with an ellipsis. The beginning of a secret in an
// address is replaced too, although the text after it is missing.
func TestTextThatIsCut(t *testing.T) {
	for _, row := range []struct{ it, have, want string }{
		{"removes the password of an address", "dial postgres://user:SuperSecretPassw0rdLo…", "dial postgres://user:<redacted>…"},
		{"removes it with three dots", "dial postgres://user:SuperSecretPassw0rdLo...", "dial postgres://user:<redacted>..."},
		{"removes the beginning of a token", "with ghp" + "_0123…", "with <redacted>…"},
		{"removes half of a web token", "with ey" + "JhbGciOi…", "with <redacted>…"},
		{"removes a token before a host", "clone https://0123456789abcdefABCD…", "clone https://<redacted>…"},
		{"keeps a port", "GET https://example.com:80…", "GET https://example.com:80…"},
		{"keeps a host", "GET https://registry-1.docker.i…", "GET https://registry-1.docker.i…"},
		{"leaves words", "the controller tries ag…", "the controller tries ag…"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := redact.Text(row.have); have != row.want {
				t.Errorf("Text(%q) = %q, want %q", row.have, have, row.want)
			}
		})
	}
}

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"password=hunter2":                         "a password",
		"got token=9f8e7d6c5b4a":                   "a token",
		"AK" + "IAABCDEFGHIJKLMNOP is not valid":   "an access key",
		"-----BEGIN PRIVATE " + "KEY-----\nMIIE":   "a private key",
		"secret_key=0123":                          "a key",
		"https://admin:hunter2@example.com/x":      "a password",
		"the password is wrong":                    "",
		"password=<redacted> and token=<redacted>": "",
	} {
		if have := redact.Find(text); have != want {
			t.Errorf("Find(%q) = %q, want %q", text, have, want)
		}
	}
}

// Fields that name or describe a secret stay.
func TestObjectsKeepsExplainingFields(t *testing.T) {
	const given = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"t","annotations":{
	  "nginx.ingress.kubernetes.io/auth-secret":"basic-auth","example.com/note":"fine"},"labels":{"app":"web"}},
	 "spec":{"secretName":"a","secretRef":{"name":"a","key":"b"},"tokenTTL":3600,"tokenExpirationSeconds":600,"passwordLength":12,"publicKey":"ssh-rsa AAAA",
	  "imagePullSecrets":[{"name":"regcred"}],"secrets":[{"name":"a"}],"automountServiceAccountToken":false,
	  "privateKey":{"algorithm":"RSA","size":2048,"rotationPolicy":"Always"},
	  "serviceAccountToken":{"audience":"vault","expirationSeconds":600,"path":"token"},
	  "credentials":{"source":"Secret","secretRef":{"name":"a","namespace":"b","key":"c"}},
	  "tolerations":[{"key":"token","operator":"Equal","value":"","effect":"NoSchedule"}],
	  "volumes":[{"name":"v","secret":{"secretName":"a","defaultMode":420,"items":[{"key":"tls.key","path":"tls.key"}]}}],
	  "auth":{"existingSecret":"creds","enabled":true,"username":"app"},
	  "data":[{"secretKey":"password","remoteRef":{"key":"prod/db","property":"password"}}],
	  "env":[{"name":"E","valueFrom":{"secretKeyRef":{"name":"s","key":"password"}}}],
	  "args":["--token-file=/var/run/token","--tls-private-key-file=/tls.key","--user","1000:1000","-p","8080","-v","--secret","shop/tls"],
	  "template":{"metadata":{"labels":{"app":"web"}}},"image":"nginx:1.25@sha256:0123456789abcdef"},
	 "status":{"conditions":[{"type":"TokenReady","status":"False","reason":"SecretNotFound","message":"secret \"db-password\" not found"}]}}`
	var obj map[string]any
	if err := json.Unmarshal([]byte(given), &obj); err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	if have, err := json.Marshal(new(redact.Objects).Object(obj)); err != nil || string(have) != string(want) {
		t.Errorf("it has become %s: %v\nwas %s", have, err, want)
	}
}

func ExampleText() {
	fmt.Println(redact.Text("dial postgres://app:s3cret@db:5432: connection refused"))
	// Output: dial postgres://app:<redacted>@db:5432: connection refused
}

func ExampleCut() {
	fmt.Println(redact.Cut("dial postgres://app:s3cret@db:5432: connection refused", 36))
	// Output: dial postgres://app:<redacted>@db…
}

func ExampleFind() {
	fmt.Println(redact.Find("login with password=s3cret failed"))
	// Output: a password
}

func ExampleObjects_Object() {
	var r redact.Objects
	secret := r.Object(map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"password": "czNjcmV0"}})
	fmt.Println(secret["data"])
	// Output: map[password:<redacted>]
}

func ExampleObjects_Field() {
	var r redact.Objects
	fmt.Println(r.Field("spec.adminPassword", "s3cret"), r.Field("spec.secretName", "admin"))
	// Output: <redacted 1> admin
}

func ExampleObjects_Replace() {
	var r redact.Objects
	fmt.Println(r.Replace("a"), r.Replace("b"), r.Replace("a"))
	// Output: <redacted 1> <redacted 2> <redacted 1>
}

func ExampleObjects_Text() {
	var r redact.Objects
	fmt.Println(r.Text("login with password=s3cret failed"))
	// Output: login with password=<redacted> failed
}

func FuzzText(f *testing.F) {
	for _, message := range planted.Messages("K7x9secretQ2") {
		f.Add(message)
	}
	for _, text := range harmless {
		f.Add(text)
	}
	f.Add(`{"kind":"Secret","data":{"a":"{\"password\":\"b\"}"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		have := redact.Text(text)
		if again := redact.Text(have); again != have {
			t.Errorf("Text(%q) = %q, and of that %q", text, have, again)
		}
		const secret = "K7x9secretQ2"
		if len(text) > 1000 || strings.Contains(text, secret) {
			return
		}
		messages := planted.Messages(secret)
		name := slices.Sorted(maps.Keys(messages))[len(text)%len(messages)] // another message each time
		if have := redact.Text(messages[name] + "\n" + text); strings.Contains(have, secret) && !strings.HasPrefix(name, "cut") {
			t.Errorf("%s: %q is left: %q", name, secret, have)
		}
	})
}
