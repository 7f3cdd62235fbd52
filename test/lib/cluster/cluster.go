package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/test/lib/cluster/internal/kwok"
	"kstatus.dev/test/lib/node"
	"kstatus.dev/test/lib/process"
	"kstatus.dev/test/lib/stutter"
)

// startTimeout is how long a program may take until it is healthy. A program that ends is noticed
// at once.
const startTimeout = 4 * time.Minute

// pause is the interval between two checks of something that is not ready yet.
const pause = 50 * time.Millisecond

// startOrder is the order in which the programs start: each needs those before it.
var startOrder = []Program{Etcd, APIServer, ControllerManager, Scheduler, Kwok}

// Options configures a cluster. The zero value suits tests.
type Options struct {
	// Nodes is the number of simulated Nodes. Zero means 3, or none with RealNodes.
	Nodes int
	// RealNodes is the number of Nodes with a kubelet and containers: real-1, real-2, … They need
	// root on Linux; see node.Supported.
	RealNodes int
	// Dir is the folder for data, logs and the kubeconfig. Empty means a temporary folder,
	// which Stop removes.
	Dir string
	// ClusterAPI adds the core manager of Cluster API with its CRDs and webhooks.
	ClusterAPI bool
	// AuditPolicy, if not empty, is the Policy of audit.k8s.io for the API server's audit log.
	// AuditLog returns the file of the log.
	AuditPolicy string
	// Log receives progress and problems; nil means standard error.
	Log io.Writer
}

// Cluster is a running cluster. Its methods may be called from several goroutines.
type Cluster struct {
	layout       layout
	config       *rest.Config
	log          io.Writer
	processes    map[Program]*process.Process
	plan         stutter.Plan // from the environment
	temporary    bool
	unlock       func()
	localServers localServers // goroutines of this process that serve the cluster
	kubelet      net.Listener // of the server of logs
	realNodes    *node.Nodes  // nil without Options.RealNodes
	stop         sync.Once
	stopErr      error
}

// Start starts a cluster and returns when it is usable: every program is healthy, and the
// scheduler has ready Nodes. It builds the programs first if necessary; see Build. If Start
// fails, it stops everything. Its error names the program that did not start and contains the
// end of its log. ctx bounds only the start; the cluster runs until Stop.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if o.Nodes == 0 && o.RealNodes == 0 {
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
	life, cancel := context.WithCancel(context.Background())
	c.localServers.cancel = cancel
	if o.RealNodes > 0 {
		err = c.prepareRealNodes(ctx)
	}
	if err == nil {
		err = c.start(ctx, life, o.Nodes)
	}
	if err == nil && o.ClusterAPI {
		err = c.addClusterAPI(ctx)
	}
	switch {
	case err != nil && ctx.Err() != nil: // canceled: the logs are of no use
		return nil, errors.Join(context.Cause(ctx), c.Stop())
	case err != nil:
		return nil, errors.Join(err, c.discard())
	}
	c.stutter(life)
	return c, nil
}

// prepare sets the folder, the ports and the credentials of a cluster. It starts nothing.
func prepare(o Options, programs map[Program]string) (*Cluster, error) {
	c := &Cluster{log: o.Log, processes: map[Program]*process.Process{}, temporary: o.Dir == ""}
	var err error
	if c.plan, err = stutterPlan(); err != nil {
		return nil, err
	}
	if c.layout.dir, c.unlock, err = folder(o.Dir); err != nil {
		return nil, err
	}
	l := &c.layout
	if c.kubelet, err = listen(); err == nil {
		var release func()
		l.ports, release, err = claimPorts("etcd", "etcd-peer", "apiserver", "controllers", "scheduler", "kwok", "cluster-api", "webhooks")
		if unlock := c.unlock; err == nil {
			c.unlock = func() { release(); unlock() }
		}
	}
	if err == nil {
		l.realNodes = o.RealNodes
		l.creds, err = newCredentials(l.dir, o.RealNodes)
	}
	var stageFile []byte
	if err == nil {
		stageFile, err = kwok.Config(portOf(c.kubelet))
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
		QPS:             -1, // do not limit our own clients either
	}
	if err == nil {
		err = WriteKubeconfig(l.kubeconfig(), c.config, "default")
	}
	if err != nil {
		return nil, errors.Join(err, c.discard())
	}
	for _, name := range append(slices.Clone(startOrder), ClusterAPI) {
		c.processes[name] = &process.Process{
			Name: string(name), Path: programs[name], Args: l.args(name),
			Log: l.path(string(name) + ".log"), Tell: o.Log,
		}
	}
	return c, nil
}

// start starts everything: etcd and the API server one after the other, then the clients of the
// API server. The local servers run until life ends.
func (c *Cluster) start(ctx, life context.Context, nodes int) error {
	for _, name := range []Program{Etcd, APIServer} {
		if err := c.launch(ctx, name); err != nil {
			return err
		}
	}
	var group sync.WaitGroup
	failures := make([]error, len(startOrder))
	for i, name := range startOrder[2:] {
		group.Go(func() { failures[i] = c.launch(ctx, name) })
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	if c.realNodes != nil {
		if err := c.realNodes.Join(ctx); err != nil {
			return err
		}
	}
	ready, cancel := context.WithTimeoutCause(ctx, startTimeout, errTimeout)
	defer cancel()
	if err := c.createBaseObjects(ready, nodes); err != nil {
		return fmt.Errorf("setting up the new cluster: %w; the end of kwok's log:\n%s", err, c.processes[Kwok].Tail())
	}
	return c.serve(ready, life)
}

// launch starts one program and waits until it is healthy.
func (c *Cluster) launch(ctx context.Context, name Program) error {
	p := c.processes[name]
	if err := p.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errTimeout)
	defer cancel()
	err := until(ctx, pause, func() error {
		if exit := p.Exit(); exit != "" {
			return fmt.Errorf("%w: %s", errEnded, exit)
		}
		return c.healthy(ctx, name)
	})
	if err != nil {
		return fmt.Errorf("%s does not start: %w; the end of %s:\n%s", name, err, p.Log, p.Tail())
	}
	return nil
}

var (
	errTimeout = fmt.Errorf("not up within %s", startTimeout)
	errEnded   = errors.New("it ended")
)

// healthy asks a program for its health.
func (c *Cluster) healthy(ctx context.Context, name Program) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.layout.health(name), nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.layout.creds.token)
	// The controller manager and the scheduler serve with self-signed certificates.
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

// until repeats try until it succeeds, its program has ended, or the timeout has passed. Its
// error contains the last error of try.
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

// Stop ends all programs, waits for their end, and then removes the temporary folder. Callers
// may call it more than once.
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

// discard ends all programs and keeps the folder with its logs.
func (c *Cluster) discard() error {
	err := c.halt()
	c.unlock()
	fmt.Fprintf(c.log, "cluster: logs are in %s\n", c.layout.dir)
	return err
}

// halt kills the programs, in the reverse order of their dependencies. Their last log lines do
// not matter.
func (c *Cluster) halt() error {
	c.localServers.stop()
	if c.kubelet != nil {
		c.kubelet.Close() // the server of logs has closed it, if it has started
	}
	errs := []error{c.processes[ClusterAPI].Stop(true)}
	if c.realNodes != nil {
		errs = append(errs, c.realNodes.Stop())
	}
	for i := len(startOrder) - 1; i >= 0; i-- {
		if p := c.processes[startOrder[i]]; p != nil {
			errs = append(errs, p.Stop(true))
		}
	}
	return errors.Join(errs...)
}

// Config returns a configuration for the API server as an administrator. The caller may change
// it.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Kubeconfig returns the path of a kubeconfig file for the same.
func (c *Cluster) Kubeconfig() string { return c.layout.kubeconfig() }

// Dir returns the folder with data and logs; each program's log is <name>.log.
func (c *Cluster) Dir() string { return c.layout.dir }

// AuditLog returns the path of the audit log that Options.AuditPolicy configures.
func (c *Cluster) AuditLog() string { return c.layout.path("audit.log") }

// Pid returns the process ID of a program, and 0 while it does not run.
func (c *Cluster) Pid(name Program) int {
	p := c.processes[name]
	if p == nil {
		return 0
	}
	return p.Pid()
}

// Kill ends a program at once, like a crash. Everything else continues.
func (c *Cluster) Kill(name Program) error { return c.end(name, true) }

// Terminate asks a program to end, like an upgrade, and waits for its end.
func (c *Cluster) Terminate(name Program) error { return c.end(name, false) }

func (c *Cluster) end(name Program, now bool) error {
	p := c.processes[name]
	if p == nil {
		return fmt.Errorf("the cluster has no program %q", name)
	}
	return p.Stop(now)
}

// Restart stops a program if it runs and starts it again, at the same address and with the same
// data. It returns when the program is healthy.
func (c *Cluster) Restart(ctx context.Context, name Program) error {
	if err := c.Terminate(name); err != nil {
		return err
	}
	return c.launch(ctx, name)
}
