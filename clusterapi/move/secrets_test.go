package move_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/kube/wiretest"
)

// vault is a Secret of a namespace that is not moved.
const vault = "Secret vault/token : {data: {token: eA==}}\n"

// nameVault has an object of the Clusters name the Secret of the vault.
func nameVault(w *world) {
	w.change("Login shop/own", set(map[string]any{"name": "token", "namespace": "vault"}, "spec", "tokenSecretRef"))
}

// An object of the namespace names a Secret of another namespace, before or during the move. The
// target never gets it.
func TestForeignSecretsAreRefused(t *testing.T) {
	const refused = "Secret vault/token: Login.infrastructure.cluster.x-k8s.io shop/own names it in spec.tokenSecretRef, and its namespace is not moved; remove the reference, or copy the Secret to the target: --accept foreign-secret=vault/token"
	for _, row := range []struct {
		it     string
		phase  move.Phase // empty: before the move
		accept []string
		want   string // in the error; empty: the move succeeds
	}{
		{it: "refuses the move", want: refused},
		{it: "is not accepted by the check", accept: []string{"foreign-secret"}, want: refused},
		{it: "is not accepted by another name", accept: []string{"foreign-secret=vault/other"}, want: refused},
		{it: "stops while it pauses", phase: move.Pausing, want: refused},
		{it: "stops while it copies", phase: move.Creating, want: refused},
		{it: "stops while it verifies", phase: move.Verifying, want: refused},
		{it: "does not copy it while it deletes", phase: move.Deleting},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers+vault, targetStrangers)
			o := with(w.options(), func(o *move.Options) { o.Accept = row.accept })
			if row.phase == "" {
				nameVault(w)
			} else {
				o = at(o, row.phase, func() { nameVault(w) })
			}
			_, err := run(t.Context(), o)
			switch _, isBlocked := errors.AsType[*move.BlockedError](err); {
			case row.want == "" && err != nil:
				t.Fatal(err)
			case row.want == "":
				w.watcher.checkMoved(copied...)
			default:
				w.mustFail(err, row.want)
				if !isBlocked {
					t.Errorf("have %#v, want a BlockedError", err)
				}
				if _, err := rollBack(t.Context(), o); err != nil && row.phase != "" {
					t.Fatal(err)
				}
				w.watcher.checkRolledBack()
			}
			if w.read(w.from, "vault") || w.find(w.to, "Secret vault/token") != nil {
				t.Errorf("the Secret was read, or the target has %v", w.find(w.to, "Secret vault/token"))
			}
		})
	}
}

// read reports whether the values of a Secret of a namespace were read.
func (w *world) read(s *wiretest.Server, namespace string) bool {
	for _, r := range s.Requests() {
		if r.Resource == "secrets" && r.Namespace == namespace && !r.Metadata {
			return true
		}
	}
	return false
}

// A new object names a foreign Secret while the Clusters are deleted. It stays in the source.
func TestForeignSecretsOfNewObjects(t *testing.T) {
	inBubble(t, "it stops", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+vault, targetStrangers)
		_, err := run(t.Context(), at(w.options(), move.Deleting, func() {
			w.put(w.from, "Box shop/new < Cluster shop/a cluster.x-k8s.io/cluster-name=a : {spec: {secretRef: {name: token, namespace: vault}}}")
		}))
		w.mustFail(err, "--accept foreign-secret=vault/token")
		if w.read(w.from, "vault") || w.find(w.to, "Secret vault/token") != nil || w.find(w.to, "Box shop/new") != nil {
			t.Errorf("the Secret was read, or the target has %s", w.names(target))
		}
	})
}

// The accepted Secret is copied, and stays in the source.
func TestForeignSecretsAreAccepted(t *testing.T) {
	inBubble(t, "it is copied", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers+vault, targetStrangers)
		nameVault(w)
		w.mustRun(with(w.options(), func(o *move.Options) { o.Accept = []string{"foreign-secret=vault/token"} }))
		w.watcher.checkMoved(copied...)
		if have := field(w.find(w.to, "Secret vault/token"), "data", "token"); have != "eA==" {
			t.Errorf("the target has the token %q", have)
		}
	})
}

// A backup of a namespace has no Secret of another one.
func TestForeignSecretsAreNotSaved(t *testing.T) {
	inBubble(t, "it refuses the backup", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers+vault, "")
		nameVault(w)
		synctest.Wait()
		folder := filepath.Join(t.TempDir(), "saved")
		_, err := run(t.Context(), w.saving(folder))
		w.mustFail(err, "--accept foreign-secret=vault/token")
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) || w.read(w.from, "vault") {
			t.Errorf("the folder exists, or the Secret was read: %v", err)
		}
		w.watcher.checkRolledBack()
	})
}

// The name of a Secret is no path: it cannot make the plan read something else, or fail.
func TestHostileNamesOfSecrets(t *testing.T) {
	for _, name := range []string{"../../../../../apis/cluster.x-k8s.io/v1/clusters", "a/b", "..", "%2e%2e"} {
		inBubble(t, "it ignores "+name, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+vault, "")
			w.change("Login shop/own", set(map[string]any{"name": name, "namespace": "vault"}, "spec", "secretRef"))
			p, err := use(t.Context(), w.options(), func(m *move.Mover) (*plan.Plan, error) { return m.Plan(t.Context()) })
			if err != nil || len(p.Problems) != 1 {
				t.Errorf("the plan has the problems %v: %v", p, err)
			}
			for _, r := range w.from.Requests() {
				if r.Namespace == "vault" || r.Resource == "clusters" && r.Verb == "get" {
					t.Errorf("it has sent %s %s", r, r.Escaped)
				}
			}
		})
	}
}
