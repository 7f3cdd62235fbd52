package redact

import "testing"

func TestText(t *testing.T) {
	rows := []struct{ name, text, want string }{
		{"it keeps plain text", "Back-off restarting failed container c", "Back-off restarting failed container c"},
		{"it keeps names of secrets", `secret "db-password" not found`, `secret "db-password" not found`},
		{"it keeps keys of secrets", "couldn't find key password in Secret shop/db", "couldn't find key password in Secret shop/db"},
		{"it keeps files", "--token-file=/var/run/token --tls-private-key-file=/tls.key", "--token-file=/var/run/token --tls-private-key-file=/tls.key"},
		{"it keeps prose", "invalid bearer token: signature is invalid", "invalid bearer token: signature is invalid"},
		{"it keeps an authentication scheme", "no basic auth credentials; basic authentication failed", "no basic auth credentials; basic authentication failed"},
		{"it keeps times", "2026-01-01T12:00:00Z", "2026-01-01T12:00:00Z"},
		{"it removes an assigned value", "DB_PASSWORD=hunter2 ./run", "DB_PASSWORD=<redacted> ./run"},
		{"it removes an argument", "mysql --password=hunter2 --host=db", "mysql --password=<redacted> --host=db"},
		{"it removes a separate argument", "mysql --password hunter2 --host db", "mysql --password <redacted> --host db"},
		{"it removes a value at the end", "password: hunter2", "password: <redacted>"},
		{"it removes a field of JSON", `{"user":"a","password":"hunter2","n":1}`, `{"user":"a","password":"<redacted>","n":1}`},
		{"it removes a field of spaced JSON", `{"user": "a", "apiKey": "hunter2"}`, `{"user": "a", "apiKey": "<redacted>"}`},
		{"it removes a field of quoted JSON", `config={\"clientSecret\":\"hunter2\"}`, `config={\"clientSecret\":\"<redacted>\"}`},
		{"it removes a password from a URL", "dial postgres://app:hunter2@db:5432/shop: refused", "dial postgres://app:<redacted>@db:5432/shop: refused"},
		{"it removes a token from a URL", "GET https://x/y?a=1&access_token=hunter2&b=2", "GET https://x/y?a=1&access_token=<redacted>&b=2"},
		{"it removes a signature from a URL", "GET https://x/y?sig=hunter2", "GET https://x/y?sig=<redacted>"},
		{"it removes a header", "Authorization: Bearer abcdef012345", "Authorization: Bearer <redacted>"},
		{"it removes a token by its format", "got eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl here", "got <redacted> here"},
		{"it removes a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if have := Text(row.text); have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
			if again := Text(row.want); again != row.want {
				t.Errorf("redacted again, it is %q", again)
			}
		})
	}
}
