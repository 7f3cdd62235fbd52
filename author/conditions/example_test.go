package conditions_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/status"
)

// A server is created, becomes ready, and is reconciled again: two requests in
// all.
func Example() {
	clock := conditionstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	set := conditions.MustSet(
		conditions.Summary(wellknown.TypeReady, "ServerUp", "Degraded"),
		conditions.Positive("ServerUp", "Running", "Creating"),
		conditions.Negative("Degraded", "DiskFull", "Healthy"),
	).WithOptions(conditions.Options{Clock: clock.Now})
	machine := &Server{ObjectMeta: metav1.ObjectMeta{Name: "web", Generation: 1}}
	cluster, err := conditionstest.NewServer(machine) // ctrl.NewWriter(…) in a controller
	if err != nil {
		panic(err)
	}

	reconcile := func(statements func(*conditions.Pass)) {
		if err := cluster.ReadCached(machine); err != nil {
			panic(err)
		}
		pass, err := set.Begin(machine)
		if err != nil {
			panic(err)
		}
		statements(pass)
		changed, err := pass.Commit(context.Background(), cluster)
		fmt.Printf("%-6t %s\n", changed, set.Line(machine.Status.Conditions, conditions.PrintOptions{Generation: machine.Generation}))
		if err != nil {
			fmt.Println(err)
		}
	}
	reconcile(func(pass *conditions.Pass) {
		pass.False("ServerUp", "Creating", "asked the cloud for a server")
	})
	up := func(pass *conditions.Pass) {
		pass.True("ServerUp", "Running", "")
		pass.False("Degraded", "Healthy", "")
		pass.MarkInitialized("provisioned")
		machine.Status.Addresses = []string{"10.0.0.1"}
	}
	reconcile(up)
	reconcile(up)
	fmt.Println(cluster.WriteCount(), "requests")
	// Output:
	// true   Ready=False(Creating)! ServerUp=False(Creating)! Degraded=Unknown(NotYetReconciled)?
	// true   Ready=True ServerUp=True Degraded=False
	// false  Ready=True ServerUp=True Degraded=False
	// 2 requests
}

func ExampleMirror() {
	network := newServer()
	network.Name, network.Generation = "net", 2
	network.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up", ObservedGeneration: 1}}
	c := conditions.Mirror(network, conditions.Mapping{From: "Ready", To: "NetworkReady"})
	fmt.Println(c.Type, c.Status, c.Reason, "-", c.Message)
	// Output: NetworkReady Unknown StaleReport - Server shop/net has not reported on its latest spec yet
}

func ExampleAggregate() {
	var servers []*Server
	for _, name := range []string{"c", "b", "a"} {
		s := newServer()
		s.Name = name
		s.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionFalse, Reason: "NoQuota", Message: "no quota"}}
		servers = append(servers, s)
	}
	c := conditions.Aggregate(servers, conditions.Mapping{From: "Ready", To: "ServersReady"})
	fmt.Printf("%s %s %s\n%s\n", c.Type, c.Status, c.Reason, c.Message)
	// Output:
	// ServersReady False NoQuota
	// 0 of 3 are good
	// * a, b, c: no quota
}

func ExamplePass_Verdict() {
	set := conditions.MustSet(conditions.Positive(wellknown.TypeReady, "Up"))
	pass, err := set.Begin(newServer())
	if err != nil {
		panic(err)
	}
	verdict, err := pass.Verdict(status.Evaluator{})
	if err != nil {
		panic(err)
	}
	fmt.Println(verdict.Status)
	// Output: InProgress
}

// One error contains all problems of the declarations.
func ExampleNewSet() {
	_, err := conditions.NewSet(
		conditions.Summary(wellknown.TypeReady, "ServerUp"),
		conditions.Positive("DiskHealthy", "no spaces allowed"),
	)
	fmt.Println(err)
	// Output:
	// condition DiskHealthy: reason "no spaces allowed" is not a word such as WaitingForServer
	// condition Ready: part ServerUp is not declared
}

// The kinds of Cluster API give a summary reasons of its own.
func ExampleDeclaration_WithReasons() {
	set := conditions.MustSet(
		conditions.Summary(wellknown.TypeReady, "ServerUp", "Scanned").WithReasons("Ready", "NotReady", "ReadyUnknown"),
		conditions.Positive("ServerUp", "Running", "Creating").WithDoc("The server runs."),
		conditions.Positive("Scanned").OwnedBy("scanner").IgnoreIfMissing(),
	)
	pass := begin(set)
	pass.False("ServerUp", "Creating", "")
	fmt.Println(pass.Get(wellknown.TypeReady).Reason)
	// Output: NotReady
}

// A controller that writes the status itself takes the conditions from memory.
func ExampleSet_BeginInMemory() {
	set := conditions.MustSet(conditions.Positive(wellknown.TypeReady, "Up"))
	var list []metav1.Condition
	for range 2 {
		pass := set.BeginInMemory(&list, 1)
		pass.True(wellknown.TypeReady, "Up", "")
		changed, err := pass.CommitInMemory()
		fmt.Println(len(list), list[0].Status, changed, err)
	}
	// Output:
	// 1 True true <nil>
	// 1 True false <nil>
}

// A statement against the declaration is an error, and makes the condition Unknown.
func ExamplePass_Set() {
	pass := begin(conditions.MustSet(conditions.Positive("ServerUp", "Running", "Creating")))
	pass.Set(metav1.Condition{Type: "ServerUp", Status: metav1.ConditionTrue, Reason: "Runing"})
	_, err := pass.CommitInMemory()
	invalid, ok := errors.AsType[*conditions.InvalidError](err)
	fmt.Println(ok, invalid.Problem)
	fmt.Println(pass.Get("ServerUp").Status, pass.Get("ServerUp").Reason)
	// Output:
	// true the reason is not declared; the declared reasons are Running, Creating
	// Unknown InvalidStatement
}

func ExamplePass_Fail() {
	pass := begin(conditions.MustSet(
		conditions.Summary(wellknown.TypeReady, "ServerUp"),
		conditions.Positive("ServerUp", "Running"),
	))
	pass.True("ServerUp", "Running", "")
	pass.Fail(errors.New("cannot list the disks"))
	ready := pass.Get(wellknown.TypeReady)
	fmt.Println(ready.Status, ready.Reason, ready.Message)
	// Output: Unknown ReconcileFailed cannot list the disks
}

func ExamplePass_Pause() {
	pass := begin(conditions.MustSet(
		conditions.Positive("ServerUp", "Running"),
		conditions.Neutral(wellknown.TypePaused),
	))
	pass.True("ServerUp", "Running", "") // not written
	pass.Pause("ClusterPaused", "the cluster is paused")
	fmt.Println(pass.Get(wellknown.TypePaused).Status)
	// Output: True
}

// The end of a pause is written before the work goes on.
func ExamplePass_Resume() {
	set := conditions.MustSet(conditions.Positive("ServerUp", "Running"), conditions.Neutral(wellknown.TypePaused))
	stored := []metav1.Condition{{Type: wellknown.TypePaused, Status: metav1.ConditionTrue, Reason: "ClusterPaused"}}
	pass := set.BeginInMemory(&stored, 1)
	if pass.Resume() {
		changed, err := pass.CommitInMemory()
		fmt.Println(changed, err, len(stored), stored[0].Status)
	}
	fmt.Println(set.BeginInMemory(&stored, 1).Resume())
	// Output:
	// true <nil> 1 False
	// false
}

// A commit writes such a condition while it is True, and removes it once it is
// False.
func ExamplePresentOnlyWhenTrue() {
	pass := begin(conditions.MustSet(
		conditions.PresentOnlyWhenTrue(wellknown.TypeReconciling, "Progressing"),
		conditions.Positive("ServerUp", "Running"),
	))
	pass.Unknown("ServerUp", "Running", "no heartbeat yet")
	pass.True(wellknown.TypeReconciling, "Progressing", "")
	fmt.Println(pass.Get("ServerUp").Status, pass.Get(wellknown.TypeReconciling).Status)
	pass.False(wellknown.TypeReconciling, "Progressing", "")
	fmt.Println(pass.Get(wellknown.TypeReconciling).Status)
	// Output:
	// Unknown True
	// False
}

// The first commit removes a type of an earlier release.
func ExampleObsolete() {
	set := conditions.MustSet(conditions.Positive("ServerUp", "Running"), conditions.Obsolete("Available"))
	_, declared := set.Lookup("Available")
	fmt.Println(declared)
	// Output: true
}

// A message must not differ at each reconcile.
func ExamplePass_Warnings() {
	pass := begin(conditions.MustSet(conditions.Positive("ServerUp", "Creating")))
	pass.False("ServerUp", "Creating", "requested at 2026-03-01T12:00:00Z")
	fmt.Println(pass.Get("ServerUp").Message)
	fmt.Println(pass.Warnings())
	// Output:
	// requested at <time>
	// [condition ServerUp: its message contains a timestamp, which differs although nothing has changed: 2026-03-01T12:00:00Z]
}

func ExampleSummarize() {
	ready := conditions.Summarize(wellknown.TypeReady,
		conditions.Part{Condition: metav1.Condition{Type: "ServerUp", Status: metav1.ConditionTrue, Reason: "Running"}},
		conditions.Part{Condition: metav1.Condition{Type: "Degraded", Status: metav1.ConditionTrue, Reason: "DiskFull", Message: "/var has 0 bytes left"},
			Polarity: conditions.PolarityNegative},
		conditions.Part{Condition: metav1.Condition{Type: "NetworkReady"}},
	)
	fmt.Printf("%s %s\n%s\n", ready.Status, ready.Reason, ready.Message)
	// Output:
	// False DiskFull
	// * Degraded: /var has 0 bytes left
	// * NetworkReady: NotYetReconciled
}

func ExampleSet_Table() {
	set := conditions.MustSet(
		conditions.Summary(wellknown.TypeReady, "ServerUp", "Degraded"),
		conditions.Positive("ServerUp", "Running"),
		conditions.Negative("Degraded", "DiskFull", "Healthy"),
	)
	created := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	fmt.Print(set.Table([]metav1.Condition{
		{Type: "Ready", Status: metav1.ConditionFalse, Reason: "DiskFull", Message: "Degraded: /var is full", LastTransitionTime: created},
		{Type: "ServerUp", Status: metav1.ConditionTrue, Reason: "Running", LastTransitionTime: created},
		{Type: "Degraded", Status: metav1.ConditionTrue, Reason: "DiskFull", Message: "/var is full", LastTransitionTime: created},
	}, conditions.PrintOptions{Now: created.Add(90 * time.Second)}))
	// Output:
	// Ready        False  DiskFull  90s   Degraded: /var is full
	// ├─ ServerUp  True   Running   90s
	// └─ Degraded  True   DiskFull  90s   /var is full
}

func ExampleSet_Lookup() {
	declaration, ok := declared.Lookup("Degraded")
	fmt.Println(ok, declaration.Polarity, declaration.Reasons)
	for _, d := range declared.Declarations()[:2] {
		fmt.Println(d.Type)
	}
	// Output:
	// true bad when True [DiskFull Healthy]
	// Ready
	// ServerUp
}

// begin begins a pass over a new Server.
func begin(set *conditions.Set) *conditions.Pass {
	pass, err := set.Begin(newServer())
	if err != nil {
		panic(err)
	}
	return pass
}
