package wire

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/leaks"
	"kstatus.dev/test/lib/poll"
)

// grant is a grant in the namespace of the scene.
func (s *fixture) grant(verbs string, resources ...string) cluster.Grant {
	return cluster.Grant{Namespace: s.namespace, Verbs: strings.Fields(verbs), Resources: resources}
}

// configWith returns a config for a service account with these permissions.
func (s *fixture) configWith(grants ...cluster.Grant) *rest.Config {
	s.t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", s.cluster.User(s.t, s.namespace, "ci", grants...))
	if err != nil {
		s.t.Fatal(err)
	}
	return config
}

// isUnreadable reports whether the object of an update is unreadable.
func isUnreadable(u observe.Update) bool { return u.Progress == observe.ProgressUnreadable }

func ofTarget(t observe.Target, of func(observe.Update) bool) func(observe.Update) bool {
	return func(u observe.Update) bool { return u.Target.Name == t.Name && of(u) }
}

func isKnown(u observe.Update) bool { return !isUnknown(u) }

// Each row waits as a user with few permissions.
func TestWaitWithFewRights(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ it, verbs string }{
		{"may get, list and watch", "get list watch"},
		{"may list and watch", "list watch"},
		{"may get and list", "get list"},
		{"may list", "list"},
		{"may get", "get"},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			s := newFixture(t)
			w := s.waitFor(s.configWith(s.grant(row.verbs, resources[:2]...)), observe.Policy{})
			w.waitForSync()
			w.succeeds(s)
		})
	}
}

func TestWaitWithoutRights(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	w := s.waitFor(s.configWith(), observe.Policy{})
	w.requireOutcome(observe.OutcomeForbidden)
	if n := w.count(isUnreadable); n != 3 {
		t.Errorf("%d targets are barred, want 3: %s", n, w)
	}
	user := "user system:serviceaccount:" + s.namespace + ":ci may not "
	for _, u := range w.updates {
		if !strings.HasPrefix(u.Result.Message, user) {
			t.Errorf("have %s, want it to say that %s…", u.Result.Message, user)
		}
	}
}

// Unreadable objects do not affect the others.
func TestOneKindIsForbidden(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	w := s.waitFor(s.configWith(s.grant("get list watch", "configmaps")), observe.Policy{KeepGoing: true})
	w.waitForSync()
	w.pending()
	s.completeTargets()
	w.requireOutcome(observe.OutcomeForbidden)
	standings := w.board.ProgressCounts()
	if standings[observe.ProgressReached] != 2 || standings[observe.ProgressUnreadable] != 1 || w.count(isUnknown) != w.count(ofTarget(web, isUnreadable)) {
		t.Errorf("have %v: %s", standings, w)
	}
}

// New or restored permissions are noticed.
func TestPermissionsGrantedLater(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		it     string
		grants []string // the permissions at the start
		take   bool     // revoke the permission for Deployments after their first read
	}{
		{"is permitted later", []string{"configmaps"}, false},
		{"is forbidden for a while", resources[:2], true},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			s, p := proxied(t)
			w := s.waitFor(p.Through(s.configWith(s.grant("get list watch", row.grants...))), observe.Policy{KeepGoing: true})
			w.waitForSync()
			restore := func() { s.cluster.Permit(t, s.namespace, "ci", s.grant("get list watch", "deployments.apps")) }
			if row.take {
				deployments := faults.Match{Resources: []string{"deployments.apps"}}
				taken := inject(p, []matchedFault{{deployments, faults.Cut{}}, {deployments, faults.Answer{Code: http.StatusForbidden}}})
				restore = func() {
					for _, in := range taken {
						in.Off()
					}
				}
			}
			poll.Wait(t, "the Deployment may not be read", func() bool { return w.count(ofTarget(web, isUnreadable)) > 0 })
			before := w.count(ofTarget(web, isKnown))
			restore()
			poll.Wait(t, "the Deployment is read", func() bool { return w.count(ofTarget(web, isKnown)) > before })
			w.succeeds(s)
		})
	}
}

// An expired token is read again from its file.
func TestTokenIsRotated(t *testing.T) {
	t.Parallel()
	s, p := proxied(t)
	config := p.Through(s.configWith(s.grant("get list watch", resources[:2]...)))
	expired := config.BearerToken
	config.BearerToken, config.BearerTokenFile = "", filepath.Join(t.TempDir(), "token")
	write := func(token string) {
		if err := os.WriteFile(config.BearerTokenFile, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(expired)
	w := s.waitFor(config, observe.Policy{})
	w.waitForSync()
	refused := inject(p, []matchedFault{{faults.Match{Token: expired, Verbs: watches.Verbs}, faults.Cut{}},
		{faults.Match{Token: expired}, faults.Answer{Code: http.StatusUnauthorized}}})
	poll.Wait(t, "the token is refused", func() bool { return haveAllApplied(refused) })
	answer, err := s.client().CoreV1().ServiceAccounts(s.namespace).
		CreateToken(context.Background(), "ci", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Status.Token == expired {
		t.Fatal("the server gave the same token again")
	}
	write(answer.Status.Token)
	w.succeeds(s)
}

// A permanently rejected token ends the wait.
func TestTokenIsRefused(t *testing.T) {
	t.Parallel()
	s, p := proxied(t)
	p.Inject(all, faults.Answer{Code: http.StatusUnauthorized})
	w := s.waitFor(p.Config(), observe.Policy{})
	poll.Wait(t, "the wait ends", w.ended)
	if w.err == nil || w.count(func(u observe.Update) bool { return u.Result.Status == status.CurrentStatus }) > 0 {
		t.Errorf("have %v, want an error: %s", w.err, w)
	}
	leaks.Check(t, w.label)
}
