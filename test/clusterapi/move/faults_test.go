package move

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/test/lib/cluster"
)

// A fleet is a Cluster with objects in several steps.
const fleet = "Cluster a : " + bare + "\nCrate c1 < Cluster a : {spec: {size: small}}\nCrate c2 < Crate c1\nCrate c3 < Crate c2\nSecret s < Crate c3 : {data: {token: eA==}}"

// wantFleet checks that the fleet is complete in the target and gone from the source.
func (y *yard) wantFleet() {
	y.t.Helper()
	y.wantActive(y.to, clusters, "a")
	y.wantNames(y.to, crates, "c1", "c2", "c3")
	y.wantOwners(y.to, secrets, "s", "c3")
	y.wantNames(y.from, clusters)
	y.wantNames(y.from, crates)
}

// An API server that restarts while the move uses it only delays the move.
func TestAPIServersRestart(t *testing.T) {
	cluster.Long(t)
	for _, row := range []struct {
		it    string
		phase move.Phase
		side  func(*yard) *site
	}{
		{"the source restarts during the pause", move.Pausing, func(y *yard) *site { return y.from }},
		{"the target restarts while objects are created", move.Creating, func(y *yard) *site { return y.to }},
		{"the source restarts while objects are deleted", move.Deleting, func(y *yard) *site { return y.from }},
		{"the target restarts while objects are unpaused", move.Unpausing, func(y *yard) *site { return y.to }},
	} {
		t.Run(row.it, func(t *testing.T) {
			y := newYard(t)
			y.create(fleet)
			var restart sync.WaitGroup
			o := begin(y.options(), row.phase, func() {
				s := row.side(y)
				if err := s.Kill(cluster.APIServer); err != nil {
					t.Error(err)
				}
				restart.Go(func() {
					time.Sleep(time.Second) // simulates the time that a server needs to start again
					if err := s.Restart(context.Background(), cluster.APIServer); err != nil {
						t.Error(err)
					}
				})
			})
			_, err := y.run(t.Context(), o)
			restart.Wait()
			if err != nil {
				t.Fatal(err)
			}
			y.wantFleet()
		})
	}
}

// A cut is a transport whose connections are refused while it is closed.
type cut struct {
	next   http.RoundTripper
	closed *atomic.Bool
}

// RoundTrip sends a request.
func (c *cut) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.closed.Load() {
		return nil, fmt.Errorf("dial %s: %w", r.URL.Host, syscall.ECONNREFUSED)
	}
	return c.next.RoundTrip(r)
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (c *cut) WrappedRoundTripper() http.RoundTripper { return c.next }

// A network that is cut between the two clusters stops the move after its timeout. Then the move
// is resumed, on the right side of the first deletion.
func TestNetworkIsCut(t *testing.T) {
	cluster.Long(t)
	for _, phase := range []move.Phase{move.Creating, move.Verifying, move.Deleting, move.Unpausing} {
		t.Run("it is cut while "+strings.ToLower(string(phase)), func(t *testing.T) {
			y := newYard(t)
			y.create(fleet)
			var closed atomic.Bool
			o := begin(y.options(), phase, func() { closed.Store(true) })
			o.Target.Wrap(func(next http.RoundTripper) http.RoundTripper { return &cut{next, &closed} })
			o.Timeout = 5 * time.Second
			_, err := y.run(t.Context(), o)
			interrupted, is := errors.AsType[*move.InterruptedError](err)
			if phase == move.Deleting && err == nil {
				y.wantFleet() // only the source is needed for the deletion, and the end of it
				return
			}
			if !is || !strings.Contains(err.Error(), "connection refused") {
				t.Fatalf("have %v, want an interruption by refused connections", err)
			}
			t.Log(interrupted)
			closed.Store(false)
			o.OnEvent, o.Timeout = y.options().OnEvent, patience
			if _, err := y.mover(o).Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
			y.wantFleet()
		})
	}
}

// A permission that is taken away stops the move with the name of the permission. The move is
// resumed when it is back.
func TestRightsAreTakenAway(t *testing.T) {
	cluster.Long(t)
	for _, phase := range []move.Phase{move.Creating, move.Deleting} {
		t.Run("they are taken away while "+strings.ToLower(string(phase)), func(t *testing.T) {
			y := newYard(t)
			y.create(fleet)
			binding := strings.ReplaceAll(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: NAME}
subjects: [{kind: User, name: mover-NAME, apiGroup: rbac.authorization.k8s.io}]
roleRef: {kind: ClusterRole, name: cluster-admin, apiGroup: rbac.authorization.k8s.io}
`, "NAME", y.ns)
			for _, s := range []*site{y.from, y.to} {
				s.Apply(t, "default", binding)
				t.Cleanup(func() { s.Delete(t, "default", binding) })
			}
			side := map[move.Phase]*site{move.Creating: y.to, move.Deleting: y.from}[phase]
			o := y.options()
			o.Source, o.Target = y.from.As("mover-"+y.ns), y.to.As("mover-"+y.ns)
			until(t, "the user may read", func() error {
				_, err := y.mover(o).Plan(t.Context())
				return err
			})
			o = begin(o, phase, func() {
				side.Delete(t, "default", binding)
				until(t, "the user may not read", func() error {
					m, err := move.New(t.Context(), o)
					if err != nil {
						return nil
					}
					m.Close()
					return errors.New("the user still may")
				})
			})
			_, err := y.run(t.Context(), o)
			if _, is := errors.AsType[*move.InterruptedError](err); !is || !strings.Contains(err.Error(), "cannot") {
				t.Fatalf("have %v, want an interruption that names the missing permission", err)
			}
			side.Apply(t, "default", binding)
			until(t, "the user may read again", func() error {
				m, err := move.New(t.Context(), o)
				if err == nil {
					m.Close()
				}
				return err
			})
			o.OnEvent = y.options().OnEvent
			if _, err := y.mover(o).Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
			y.wantFleet()
		})
	}
}

// A target that begins to reject an object during the move stops it before anything is deleted.
func TestObjectIsRejectedDuringTheMove(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create(fleet)
	policy := strings.ReplaceAll(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAME}
spec:
  failurePolicy: Fail
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}
    resourceRules: [{apiGroups: [depot.example.com], apiVersions: ["*"], operations: [CREATE], resources: [crates]}]
  validations: [{expression: "object.metadata.name != 'c3'", message: "no room for c3"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME, validationActions: [Deny]}
`, "NAME", y.ns)
	y.to.Apply(t, "default", "{apiVersion: v1, kind: Namespace, metadata: {name: "+y.ns+"}}")
	probe := "{apiVersion: depot.example.com/v1, kind: Crate, metadata: {name: c3}}"
	o := begin(y.options(), move.Creating, func() {
		y.to.Apply(t, "default", policy)
		until(t, "the policy works", func() error {
			err := y.dryCreate(y.to, crates, probe)
			if err != nil && strings.Contains(err.Error(), "no room for c3") {
				return nil
			}
			return fmt.Errorf("a dry run has the error %v", err)
		})
	})
	y.mustFail(o, "no room for c3")
	y.wantNames(y.from, crates, "c1", "c2", "c3")
	y.to.Delete(t, "default", policy)
	until(t, "the policy is gone", func() error { return y.dryCreate(y.to, crates, probe) })
	o.OnEvent = y.options().OnEvent
	if _, err := y.mover(o).Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	y.wantFleet()
}
