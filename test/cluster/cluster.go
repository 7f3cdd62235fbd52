package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/test/cluster/internal/kwok"
)

// startTimeout is how long a program may take to say that it is up.
const startTimeout = 90 * time.Second

// pause is how long we wait between two looks at something that is not there yet.
const pause = 50 * time.Millisecond

// order is the order in which the programs are started: each needs those before it.
var order = []Program{Etcd, APIServer, ControllerManager, Scheduler, Kwok}

// Options says how a cluster is started. The zero value is what tests want.
type Options struct {
	// Nodes is how many Nodes the cluster has; zero means 3.
	Nodes int
	// Dir is where data, logs and the kubeconfig go. Empty means a temporary folder,
	// which Stop removes.
	Dir string
	// ClusterAPI adds the core manager of Cluster API with its CRDs and webhooks.
	ClusterAPI bool
	// AuditPolicy, if not empty, is the Policy of audit.k8s.io by which the API server
	// logs requests to the file that AuditLog names.
	AuditPolicy string
	// Log hears what takes time and what goes wrong; nil means standard error.
	Log io.Writer
}

// Cluster is a running cluster. Its methods may be called from several goroutines.
type Cluster struct {
	layout    layout
	config    *rest.Config
	log       io.Writer
	processes map[Program]*process
	temporary bool
	unlock    func()
	servants  servants // what we ourselves run for the cluster
	stop      sync.Once
	stopErr   error
}

// Start starts a cluster and returns when it can be used: every program has said
// that it is up, and Pods find ready Nodes. The programs are built first if they
// have not been; see Build. When Start fails, nothing is left running, and the error
// names the program that did not start and shows the end of its log. ctx bounds the
// start; the cluster then runs until Stop.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if o.Nodes == 0 {
		o.Nodes = 3
	}
	if o.Log == nil {
		o.Log = os.Stderr
	}
	programs, err := buildPrograms(ctx, o.Log)
	if err != nil {
		return nil, err
	}
	c, err := prepare(o, programs)
	if err != nil {
		return nil, err
	}
	err = c.start(ctx, o.Nodes)
	if err == nil && o.ClusterAPI {
		err = c.addClusterAPI(ctx)
	}
	switch {
	case err != nil && ctx.Err() != nil: // nobody wants to read the logs
		return nil, errors.Join(context.Cause(ctx), c.Stop())
	case err != nil:
		return nil, errors.Join(err, c.abandon())
	}
	return c, nil
}

// prepare gives a cluster its folder, ports and credentials. Nothing runs yet.
func prepare(o Options, programs map[Program]string) (*Cluster, error) {
	c := &Cluster{log: o.Log, processes: map[Program]*process{}, temporary: o.Dir == ""}
	var err error
	if c.layout.dir, c.unlock, err = folder(o.Dir); err != nil {
		return nil, err
	}
	l := &c.layout
	l.ports, err = freePorts("etcd", "etcd-peer", "apiserver", "controllers", "scheduler", "kwok", "kubelet", "cluster-api", "webhooks")
	if err == nil {
		l.creds, err = newCredentials(l.dir)
	}
	var stageFile []byte
	if err == nil {
		stageFile, err = kwok.Config(l.ports["kubelet"])
	}
	if err == nil {
		err = os.WriteFile(l.path("kwok.yaml"), stageFile, 0o644)
	}
	if l.audited = o.AuditPolicy != ""; err == nil && l.audited {
		err = os.WriteFile(l.path("audit-policy.yaml"), []byte(o.AuditPolicy), 0o644)
	}
	c.config = &rest.Config{
		Host:            l.url("https", "apiserver", ""),
		BearerToken:     l.creds.token,
		TLSClientConfig: rest.TLSClientConfig{CAData: l.creds.certPEM},
		QPS:             -1, // our own clients are not held back either
	}
	if err == nil {
		err = WriteKubeconfig(l.kubeconfig(), c.config, "default")
	}
	if err != nil {
		return nil, errors.Join(err, c.abandon())
	}
	for _, name := range append(slices.Clone(order), ClusterAPI) {
		c.processes[name] = &process{
			name: name, path: programs[name], args: l.args(name),
			log: l.path(string(name) + ".log"), tell: o.Log,
		}
	}
	return c, nil
}

// start brings up everything: etcd and the API server one after the other, then
// whatever talks to them.
func (c *Cluster) start(ctx context.Context, nodes int) error {
	for _, name := range []Program{Etcd, APIServer} {
		if err := c.launch(ctx, name); err != nil {
			return err
		}
	}
	var group sync.WaitGroup
	failures := make([]error, len(order))
	for i, name := range order[2:] {
		group.Go(func() { failures[i] = c.launch(ctx, name) })
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	ready, cancel := context.WithTimeoutCause(ctx, startTimeout, errTimeout)
	defer cancel()
	if err := c.furnish(ready, nodes); err != nil {
		return fmt.Errorf("setting up the new cluster: %w; the end of kwok's log:\n%s", err, c.processes[Kwok].tail())
	}
	return c.serve(ready)
}

// launch starts one program and waits until it says that it is up.
func (c *Cluster) launch(ctx context.Context, name Program) error {
	p := c.processes[name]
	if err := p.start(); err != nil {
		return err
	}
	r := p.current()
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errTimeout)
	defer cancel()
	err := until(ctx, pause, func() error {
		if !r.alive() {
			return fmt.Errorf("%w: %s", errEnded, r.how())
		}
		return c.healthy(ctx, name)
	})
	if err != nil {
		return fmt.Errorf("%s does not start: %w; the end of %s:\n%s", name, err, p.log, p.tail())
	}
	return nil
}

var (
	errTimeout = fmt.Errorf("not up within %s", startTimeout)
	errEnded   = errors.New("it ended")
)

// healthy asks a program whether it is up.
func (c *Cluster) healthy(ctx context.Context, name Program) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.layout.health(name), nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.layout.creds.token)
	// The controller manager and the scheduler serve with certificates that they make up.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", req.URL, resp.Status)
	}
	return nil
}

// until repeats try until it succeeds, its program has ended, or the time is over.
// The last error of try says what was still missing.
func until(ctx context.Context, pause time.Duration, try func() error) error {
	for {
		err := try()
		if err == nil || errors.Is(err, errEnded) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-time.After(pause):
		}
	}
}

// Stop ends all programs and waits until they are gone, then removes the temporary
// folder. It may be called more than once.
func (c *Cluster) Stop() error {
	c.stop.Do(func() {
		c.stopErr = c.halt()
		if c.temporary && c.stopErr == nil {
			c.stopErr = os.RemoveAll(c.layout.dir)
		}
		c.unlock()
	})
	return c.stopErr
}

// abandon ends what runs and leaves the folder, so that the logs can be read.
func (c *Cluster) abandon() error {
	err := c.halt()
	c.unlock()
	fmt.Fprintf(c.log, "cluster: logs are in %s\n", c.layout.dir)
	return err
}

// halt kills the programs, those that need others first. Nobody will read what they
// might still write.
func (c *Cluster) halt() error {
	c.servants.dismiss()
	errs := []error{c.processes[ClusterAPI].stop(true)}
	for i := len(order) - 1; i >= 0; i-- {
		if p := c.processes[order[i]]; p != nil {
			errs = append(errs, p.stop(true))
		}
	}
	return errors.Join(errs...)
}

// Config is how to reach the API server as a user who may do everything.
// The caller may change it.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Kubeconfig is the path of a file that says the same.
func (c *Cluster) Kubeconfig() string { return c.layout.kubeconfig() }

// Dir is the folder with data and logs; each program's log is <name>.log.
func (c *Cluster) Dir() string { return c.layout.dir }

// AuditLog is the file with the requests that Options.AuditPolicy has logged.
func (c *Cluster) AuditLog() string { return c.layout.path("audit.log") }

// Pid is the process id of a program, and 0 while it does not run.
func (c *Cluster) Pid(name Program) int {
	p := c.processes[name]
	if p == nil {
		return 0
	}
	r := p.current()
	if r == nil || !r.alive() {
		return 0
	}
	return r.pid
}

// Kill ends a program at once, as a crash would. Everything else goes on.
func (c *Cluster) Kill(name Program) error { return c.end(name, true) }

// Terminate asks a program to end, as an upgrade would, and waits until it has.
func (c *Cluster) Terminate(name Program) error { return c.end(name, false) }

func (c *Cluster) end(name Program, now bool) error {
	p := c.processes[name]
	if p == nil {
		return fmt.Errorf("the cluster has no program %q", name)
	}
	return p.stop(now)
}

// Restart ends a program if it runs and starts it again, at the same address and with
// the same data, and returns when it is up.
func (c *Cluster) Restart(ctx context.Context, name Program) error {
	if err := c.Terminate(name); err != nil {
		return err
	}
	return c.launch(ctx, name)
}
