package helm

import (
	"context"
	"slices"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"helm.sh/helm/v4/pkg/kube"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// A Client is a client of Helm whose waits use kstatus. [Wrap] returns one. Fields are set before
// the first wait.
type Client struct {
	*kube.Client

	// Context ends all waits with its end. Nil: the WaitContext of the client of Helm, or no
	// context. It replaces kube.WithWaitContext.
	Context context.Context

	// Readers judge the objects of the kinds that they support, in waits of Helm beside those of
	// kstatus. They replace kube.WithKStatusReaders.
	Readers []engine.StatusReader

	// Evaluator computes the status of objects. Its profile is that of the method.
	Evaluator status.Evaluator

	// Rules are rules for kinds in addition to the built-in ones; nil: none.
	Rules source.Rules

	// FailFast ends a wait at the first failure, although other objects are still in progress or
	// the object may recover. The times for recovery are those of [grace.Default].
	FailFast bool
}

var (
	_ kube.Interface            = (*Client)(nil)
	_ kube.InterfaceWaitOptions = (*Client)(nil)
)

// Wrap returns a client that does everything with c, and waits with kstatus.
func Wrap(c *kube.Client) *Client { return &Client{Client: c} }

// GetWaiter returns the Waiter of a strategy.
func (c *Client) GetWaiter(strategy kube.WaitStrategy) (kube.Waiter, error) {
	return c.GetWaiterWithOptions(strategy)
}

// GetWaiterWithOptions returns the Waiter of a strategy. A Waiter with kstatus cannot read the
// options; see the package.
func (c *Client) GetWaiterWithOptions(strategy kube.WaitStrategy, options ...kube.WaitOption) (kube.Waiter, error) {
	if strategy != kube.StatusWatcherStrategy {
		return c.Client.GetWaiterWithOptions(strategy, options...)
	}
	config, err := c.Factory.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	if len(options) > 0 {
		c.Logger().Debug("the wait uses kstatus, which cannot read the options of a wait", "options", len(options))
	}
	w := &waiter{client: c, config: config}
	if len(c.Readers) > 0 {
		w.helm = func(ctx context.Context) (kube.Waiter, error) {
			own := append(slices.Clone(options), kube.WithKStatusReaders(c.Readers...), kube.WithWaitContext(ctx))
			return c.Client.GetWaiterWithOptions(strategy, own...)
		}
		if _, err := w.helm(context.Background()); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// SetWaiter sets the Waiter that the methods of the client itself use.
func (c *Client) SetWaiter(strategy kube.WaitStrategy) error {
	return c.SetWaiterWithOptions(strategy)
}

// SetWaiterWithOptions is SetWaiter with options, like [Client.GetWaiterWithOptions].
func (c *Client) SetWaiterWithOptions(strategy kube.WaitStrategy, options ...kube.WaitOption) error {
	w, err := c.GetWaiterWithOptions(strategy, options...)
	if err != nil {
		return err
	}
	c.Waiter = w
	return nil
}

// requirements returns the requirements of a wait with these goals. Without goals, objects are
// Current.
func (c *Client) requirements(goals ...observe.Goal) observe.Requirements {
	r := observe.Requirements{Goals: goals, FirstStatus: firstStatus, Grace: map[string]time.Duration{
		"": endless,
		// The controller itself has given up.
		"Stalled": 0, "ProgressDeadlineExceeded": 0,
	}}
	if c.FailFast {
		r.Grace = grace.Default()
	}
	return r
}

const (
	// firstStatus is how long the controller of a custom resource has for its first report. It is
	// that of kstatus wait.
	firstStatus = 30 * time.Second
	// endless is longer than any wait.
	endless = 365 * 24 * time.Hour
)

// context returns the context of all waits, or nil.
func (c *Client) context() context.Context {
	if c.Context != nil {
		return c.Context
	}
	//lint:ignore SA1019 programs still set it, and Helm uses it as well
	return c.WaitContext
}
