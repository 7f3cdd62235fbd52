package e2e

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// A relay forwards bytes between clients and a server. It can make connections dead: they stay
// open, but forward nothing.
type relay struct {
	listener net.Listener
	server   string

	mu         sync.Mutex // guards the fields below
	open, gone []*relayedConn
}

type relayedConn struct {
	client, server net.Conn
	blocked        chan struct{}
}

// startRelay returns a config for the cluster through a relay.
func startRelay(t *testing.T, config *rest.Config) (*rest.Config, *relay) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: listener, server: server.Host}
	t.Cleanup(func() {
		listener.Close()
		r.cut()
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", r.server)
			if err != nil {
				client.Close()
				continue
			}
			w := &relayedConn{client, server, make(chan struct{})}
			r.mu.Lock()
			r.open = append(r.open, w)
			r.mu.Unlock()
			go w.forward(client, server)
			go w.forward(server, client)
		}
	}()
	config = rest.CopyConfig(config)
	config.Host = "https://" + listener.Addr().String()
	return config, r
}

func (w *relayedConn) forward(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		select {
		case <-w.blocked:
			return // drops the bytes silently
		default:
		}
		if err != nil {
			to.Close()
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			from.Close()
			return
		}
	}
}

// kill makes the open connections dead.
func (r *relay) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.open {
		close(w.blocked)
	}
	r.gone, r.open = append(r.gone, r.open...), nil
}

// cut closes the open connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range append(r.open, r.gone...) {
		w.client.Close()
		w.server.Close()
	}
	r.open, r.gone = nil, nil
}

// The client gives up a connection that died silently, and a canceled wait does not wait for
// it.
func TestConnectionsThatAreDead(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("here"))
	config, r := startRelay(t, c.Config())
	targets := []observe.Target{manifest.Target("", "ConfigMap", ns, "here"), manifest.Target("", "ConfigMap", ns, "comes")}
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var killed time.Time
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: config}}).Updates(ctx, targets...) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Synced && killed.IsZero() {
			killed = time.Now()
			r.kill()
			c.Apply(t, ns, manifest.ConfigMap("comes"))
		}
		if u.Target.Name == "comes" && u.Result.Reason == "NoStatusExpected" {
			break
		}
	}
	took := time.Since(killed)
	t.Logf("seen after %s", took)
	if ctx.Err() != nil {
		t.Errorf("a change was not seen within %s", took)
	}

	again, stop := context.WithCancel(t.Context())
	var stopped time.Time
	err := (&source.Cluster{Config: config}).Observe(again, targets[:1], func(observe.Event) bool {
		if stopped.IsZero() {
			r.kill()
			stopped = time.Now()
			stop()
		}
		return true
	})
	// The client notices a dead connection after 45 seconds.
	if took := time.Since(stopped); err != nil || took > 30*time.Second {
		t.Errorf("it ended after %s, %v", took, err)
	}
}

// Credentials that are renewed in time do not end the wait.
func TestTokensThatAreRenewed(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "token")
	renew := func(account string) {
		answer, err := client.CoreV1().ServiceAccounts(ns).CreateToken(t.Context(), account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(answer.Status.Token), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	may := cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{"configmaps"}}
	c.User(t, ns, "old", may)
	c.User(t, ns, "new", may)
	renew("old")
	config, r := startRelay(t, c.Config())
	config = rest.CopyConfig(config)
	config.BearerToken, config.BearerTokenFile = "", file
	config.CertData, config.KeyData, config.CertFile, config.KeyFile = nil, nil, "", ""
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	refused := false
	for u, err := range (observe.Watcher{Source: &source.Cluster{Client: clientOf(t, config, c.Config())}}).Updates(ctx, manifest.Target("", "ConfigMap", ns, "m")) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case u.Result.Reason == "NoStatusExpected":
			if !refused {
				t.Error("the old token has not been refused")
			}
			return
		case !u.StaleSince.IsZero() && !refused:
			refused = true
			renew("new")
			c.Apply(t, ns, manifest.ConfigMap("m"))
		case !refused:
			if err := client.CoreV1().ServiceAccounts(ns).Delete(ctx, "old", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			// The server caches accepted credentials for 10 s.
			time.AfterFunc(12*time.Second, r.cut)
		}
	}
	t.Error("the new token was not used")
}
