package redact_test

import (
	"testing"

	"kstatus.dev/redact"
)

// harmless are texts from clusters that describe problems and contain no secrets.
var harmless = []string{
	`Back-off restarting failed container c in pod web-6f9c4d7b8-x2x9z_shop(0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0)`,
	`Back-off pulling image "registry.example.com:5000/shop/api:1.2.3"`,
	`Failed to pull image "shop/api:1": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/shop/api:1": failed to resolve reference "docker.io/shop/api:1": docker.io/shop/api:1: not found`,
	`Failed to pull image "nginx@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef": manifest unknown`,
	`docker-pullable://nginx:latest@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`,
	`oci://ghcr.io/org/chart:1.0.0@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`,
	`pull access denied for shop/api, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`,
	`failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://auth.docker.io/token?scope=repository%3Ashop%2Fapi%3Apull&service=registry.docker.io: 401 Unauthorized`,
	`Error: secret "db" not found`,
	`secret "db-password" not found`,
	`secrets "db-credentials" is forbidden: User "system:serviceaccount:shop:default" cannot get resource "secrets" in API group "" in the namespace "shop"`,
	`couldn't find key password in Secret shop/db`,
	`couldn't find key tls.key in Secret shop/web-tls`,
	`failed to get key foo from secret bar`,
	`failed to get key foo from secret bar: not found`,
	`references non-existent secret key: password`,
	`references non-existent config key: app.conf`,
	`MountVolume.SetUp failed for volume "kube-api-access-7k2fq" : object "kube-system"/"kube-root-ca.crt" not registered`,
	`MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found`,
	`MountVolume.SetUp failed for volume "token" : failed to fetch token: serviceaccounts "builder" not found`,
	`Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-7k2fq]: timed out waiting for the condition`,
	`token expired`, `token: expired`, `the token has expired`, `token is required`, `the token default/my-token was not found`,
	`invalid bearer token`, `invalid bearer token: signature is invalid`, `Bearer token was rejected`, `bearer of news`, `missing bearer authentication`,
	`no basic auth credentials`, `basic authentication failed`, `no basic auth credentials; basic authentication failed`,
	`oauth2: cannot fetch token: 401 Unauthorized`, `oauth2: "invalid_grant" "Token has been expired or revoked."`,
	`error verifying token: oidc: token is expired (Token Expiry: 2026-01-01 12:00:00 +0000 UTC)`,
	`failed to verify token: square/go-jose: error in cryptographic primitive`,
	`unable to get token: connection refused`, `could not refresh token: context deadline exceeded`,
	`password authentication failed for user "app"`, `FATAL: password authentication failed for user "app" (SQLSTATE 28P01)`,
	`the password is wrong`, `password is required`, `password: must be set`, `password must be at least 8 characters`, `wrong password: access denied`, `password mismatch`,
	`Access denied for user 'app'@'10.0.0.1' (using password: YES)`, `ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: NO)`,
	`WRONGPASS invalid username-password pair or user is disabled.`, `NOAUTH Authentication required.`,
	`password=<redacted>`, `password=***`, `token=${TOKEN}`, `--password=$(DB_PASSWORD)`, `token=****`, `password=`, `password: ""`, `DB_PASSWORD=$DB_PASSWORD`, `{{ .Values.password }}`,
	`secret=prod/db-creds-1`, `secret "db-creds-1" not found`, `"key"="default/foo" "secret"="cert-manager/web-tls"`, `secret: shop/db: not found`,
	`failed to sync secret cache: timed out waiting for the condition`, `failed to sync configmap cache: timed out waiting for the condition`,
	`SecretSyncedError: could not get secret data from provider`, `could not get secret data from provider: key "prod/db" does not exist`,
	`error processing spec.data[0] (key: prod/db/password), err: Secret does not exist`,
	`Secret was synced`, `Generated a new signing key`, `Stored new private key in temporary Secret resource "web-tls-2x9k7"`,
	`Issuing certificate as Secret does not exist`, `Certificate does not have the "tls.key" key`, `Secret contains a private key that does not match its certificate`,
	`private key size 1024 is too small`, `tls: private key does not match public key`, `x509: certificate signed by unknown authority`, `tls: failed to find any PEM data in key input`,
	`x509: certificate is valid for 10.96.0.1, not 10.0.0.1`, `x509: certificate has expired or is not yet valid: current time 2026-01-01T12:00:00Z is after 2025-01-01T00:00:00Z`,
	`0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 Insufficient cpu. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling.`,
	`node(s) didn't match Pod's node affinity/selector`, `taint {key: dedicated, value: gpu}`, `label selector key=value is not valid`,
	`Liveness probe failed: HTTP probe failed with statuscode: 500`, `Readiness probe failed: Get "http://10.0.0.1:8080/healthz": dial tcp 10.0.0.1:8080: connect: connection refused`,
	`Startup probe failed: dial tcp 10.0.0.1:5432: i/o timeout`, `Get "https://example.com:8080/a@b": EOF`, `ssh://git@example.com:22/r`, `git@github.com:org/repo.git`,
	`failed to checkout and determine revision: unable to clone 'ssh://git@github.com/org/repo': ssh: handshake failed: knownhosts: key mismatch`,
	`ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain`,
	`chart pull error: failed to get chart version for remote reference: GET "https://example.com/index.yaml?page=2&size=10": 404`,
	`Helm install failed for release shop/web with chart web@1.2.3: context deadline exceeded`,
	`pods "web-6f9c4d7b8-x2x9z" is forbidden: exceeded quota: compute, requested: cpu=2, used: cpu=3, limited: cpu=4`,
	`admission webhook "validate.example.com" denied the request: spec.replicas: Invalid value: 0: must be greater than 0`,
	`ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: failed expression: object.spec.replicas <= 5`,
	`Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`,
	`create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: error looking up service account shop/web: serviceaccount "web" not found`,
	`Job has reached the specified backoff limit`, `Deployment does not have minimum availability.`, `ReplicaSet "web-6f9c4d7b8" has timed out progressing.`,
	`waiting for a volume to be created, either by external provisioner "ebs.csi.aws.com" or manually created by system administrator`,
	`failed to provision volume with StorageClass "gp3": rpc error: code = Internal desc = AccessDenied: User: arn:aws:sts::123456789012:assumed-role/ebs/1 is not authorized to perform: ec2:CreateVolume`,
	`operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 403, RequestID: 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0, api error AccessDenied: Not authorized`,
	`api error InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.`, `ExpiredToken: The security token included in the request is expired`,
	`AADSTS700016: Application with identifier '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0' was not found in the directory`,
	`googleapi: Error 403: Permission 'compute.instances.get' denied on resource (or it may not exist)., forbidden`,
	`level=error ts=2026-01-01T12:00:00.000Z caller=main.go:42 msg="reconcile failed" err="secret not found" namespace=shop name=db`,
	`E0101 12:00:00.000000       1 controller.go:42] "Unhandled Error" err="shop/web failed with : tokenreviews.authentication.k8s.io is forbidden" logger="UnhandledError"`,
	`{"level":"error","ts":1767268800.0,"msg":"Reconciler error","controller":"secret","Secret":{"name":"db","namespace":"shop"},"error":"not found"}`,
	`flag needs an argument: --token`, `unknown flag: --api-key`, `flag --password is required`, `the --token flag must be set`, `--token-file=/var/run/token --tls-private-key-file=/tls.key`,
	`tokenReview: authentication.k8s.io/v1`, `TokenRequest failed: audience not allowed`, `tokenExpirationSeconds: 3600`, `spec.tokenTTL: Invalid value: "1x": time: unknown unit`,
	`spec.secretName: Required value`, `spec.tls[0].secretName: not found`, `spec.auth.secretRef.key: Required value`, `spec.secretKeyRef.name: must be set`,
	`passwordLength: 12`, `idempotency key: 0f1e2d3c`, `partition key: user_id`, `topologyKey: kubernetes.io/hostname`, `sort key: created`, `group key=web`,
	`2026-01-01T12:00:00Z`, `10.0.0.1:8080`, `[::1]:8080`, `sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`, `0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0`,
	`revision main@sha1:0123456789abcdef0123456789abcdef01234567`, `Applied revision: main@sha1:0123456789abcdef0123456789abcdef01234567`, `stored artifact for digest 'sha256:0123'`,
	`exec /usr/bin/curl: no such file or directory`, `mysql -h db -P 3306 failed`, `psql -h db -p 5432 -U app failed`, `docker run -p 8080:80 shop/web`, `curl -u is not allowed`,
	`authorization failed: denied by policy`, `Authorization: denied by policy "strict"`, `cookie: invalid`, `the signature is invalid`, `signature: malformed`, `session: closed`,
	`AK` + `IA`, `XAK` + `IAABCDEFGHIJKLMNOP`, `ey` + `J`, `task-runner-sk-controller is waiting`, `npm_config_cache is not set`,
	`-----BEGIN CERTIFICATE-----` + "\nMIIE\n" + `-----END CERTIFICATE-----`, `-----BEGIN PUBLIC KEY-----` + "\nMIIB\n" + `-----END PUBLIC KEY-----`,
	`bypass=true`, `compass=north`, `keyboard=de`, `monkey: banana`, `passing: 3, failing: 2`, `tokenizer=standard`, `authority=example.com`, `author: jane`, `secretary: jane`,
	`map[cpu:100m memory:128Mi]`, `{"a":1,"b":[true,null]}`, `3 of 5 replicas are ready`, `current=3 wanted=5`, `a == b, c != d, e := f`, `k1=v1&k2=v2`,
}

func TestHarmlessTextsAreKept(t *testing.T) {
	for _, text := range harmless {
		t.Run(text, func(t *testing.T) {
			if have := redact.Text(text); have != text {
				t.Errorf("it has become\n%s", have)
			}
			if kind := redact.Find(text); kind != "" {
				t.Errorf("it is said to hold %s", kind)
			}
		})
	}
	if len(harmless) < 100 {
		t.Errorf("there are %d", len(harmless))
	}
}
