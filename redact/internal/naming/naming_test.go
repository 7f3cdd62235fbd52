package naming_test

import (
	"strings"
	"testing"

	"kstatus.dev/redact/internal/naming"
)

func TestOf(t *testing.T) {
	for class, names := range map[naming.Class]string{
		naming.ClassPassword: "password PASSWORD dbPassword DB_PASSWORD db-passwd passphrase pwd PGPASSWORD password1 passwords adminPassword2 user_pwd",
		naming.ClassSecret: "pass dbPass userPass DB_PASS secret SMTP_SECRET secret_key secretkey secretKey sharedKey AccountKey signing-key encryption_key auth bearer " +
			"cookie dsn token tokens apiKey api_keys APIKey accessKey privateKey clientSecret credentials creds authToken GITHUB_TOKEN X-Api-Key jwt aws_secret_access_key .dockerconfigjson",
		naming.ClassLoose: "passwordValue PASSWORD_PROD tokenValue secretData",
		naming.ClassSetting: "secretName secretRef tokenTTL tokenExpirationSeconds passwordLength tokenFile tls-private-key-file secretKeyRef privateKeySecretRef " +
			"tokenReview secretStore credentialsPath existingSecret apiKeySecretName",
		naming.ClassOther: "key publicKey topologyKey partitionKey monkey bypass compass name passing tokenizer author secretary keys x config",
	} {
		for _, name := range strings.Fields(names) {
			t.Run(name, func(t *testing.T) {
				if have := naming.Of(name); have != class {
					t.Errorf("it is %d, want %d", have, class)
				}
			})
		}
	}
	if have := naming.Of(strings.Repeat("x", 1<<20) + "_password"); have != naming.ClassPassword {
		t.Errorf("a long name is %d", have)
	}
}
