package conditions_test

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/conditions"
	"kstatus.dev/kube/conditions/conditionstest"
	"kstatus.dev/kube/conditions/wellknown"
	"kstatus.dev/status"
)

// A server is created, comes up, and is looked at again: two requests in all.
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

	reconcile := func(say func(*conditions.Pass)) {
		if err := cluster.ReadCached(machine); err != nil {
			panic(err)
		}
		pass, err := set.Begin(machine)
		if err != nil {
			panic(err)
		}
		say(pass)
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
	// 0 of 3 are well
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
