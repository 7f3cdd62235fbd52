package audit

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"kstatus.dev/author/roles"
	"kstatus.dev/status"
)

const declaredLamp = `[{"group":"example.com","kind":"Lamp","manager":"lamp","whilePaused":[".status.watts*"],"conditions":[
	{"type":"Ready","summary":true,"reasons":["On","Off"]},{"type":"Heated"},{"type":"Wired","optional":true},{"type":"Metered","owner":"meter"}]}]`

// TestDeclared compares the findings of rules with and without declared
// conditions.
func TestDeclared(t *testing.T) {
	declared, err := ParseDeclarations([]byte(declaredLamp))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, stream  string
		with, without []string
	}{
		{"it requires declared conditions at the first reconcile", `
+0s create kubectl
+1s status lamp og=1 Ready=True/On
+1m tick`, []string{"W-17"}, nil},
		{"it permits an optional condition to be missing", `
+0s create kubectl
+1s status lamp og=1 Ready=True/On Heated=True/Warm
+1m status lamp og=1 Wired=True/Wired
+1m status lamp og=1 Wired=
+1m tick`, nil, []string{"W-17", "W-18"}},
		{"it requires one of the declared reasons", `
+0s create kubectl
+1s status lamp og=1 Ready=True/Fine Heated=True/Warm
+1m tick`, []string{"W-09"}, nil},
		{"it permits writes of declared fields during a pause", `
+0s create kubectl
+1s status lamp og=1 Ready=True/On Heated=True/Warm Paused=False/NotPaused
+9s spec kubectl {"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}}
+1s status lamp og=1 Paused=True/Paused
+30s status lamp {"status":{"watts":40}}`, nil, []string{"W-20"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if have := violatedRules(t, Options{Declarations: declared}, c.stream); !reflect.DeepEqual(have, c.with) {
				t.Errorf("finds %v, want %v", have, c.with)
			}
			if have := violatedRules(t, Options{}, c.stream); !reflect.DeepEqual(have, c.without) {
				t.Errorf("finds %v if nothing is declared, want %v", have, c.without)
			}
		})
	}
}

func TestParseDeclared(t *testing.T) {
	for data, want := range map[string]string{
		`[{"kind":"Lamp","conditions":[{"type":"Ready"},{"type":"Ready"}]}]`: `Lamp: want a unique type, have "Ready"`,
		`[{"kind":"Lamp","condition":[]}]`:                                   `unknown field "condition"`,
		`[{}]`:                                                               "item 1: want a kind",
		`{}`:                                                                 "declared conditions",
	} {
		t.Run(data, func(t *testing.T) {
			if _, err := ParseDeclarations([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %v, want one with %q", err, want)
			}
		})
	}
}

func TestRole(t *testing.T) {
	a := New(Options{Roles: map[string]roles.Role{"Lamp.example.com": roles.InfraMachine}})
	for _, c := range []struct {
		group, kind string
		want        roles.Role
	}{
		{"example.com", "Lamp", roles.InfraMachine}, {"example.com", "Door", ""}, {"cluster.x-k8s.io", "Machine", roles.None},
		{"infrastructure.cluster.x-k8s.io", "ShelfCluster", roles.InfraCluster}, {"infrastructure.cluster.x-k8s.io", "ShelfClusterTemplate", roles.InfraClusterTemplate},
		{"infrastructure.cluster.x-k8s.io", "ShelfMachine", roles.InfraMachine}, {"infrastructure.cluster.x-k8s.io", "ShelfMachinePool", roles.InfraMachinePool},
		{"bootstrap.cluster.x-k8s.io", "KubeadmConfig", roles.BootstrapConfig}, {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane", roles.ControlPlane},
	} {
		t.Run(c.kind+"."+c.group, func(t *testing.T) {
			v := &Version{ID: ID{ID: status.ID{Kind: status.Kind{Group: c.group, Kind: c.kind}}}}
			if have := a.newPass(&history{}, nil, v).Role(); have != c.want {
				t.Errorf("the role of %s.%s is %q, want %q", c.kind, c.group, have, c.want)
			}
		})
	}
}

func TestRequestsForMissingObjectsAreDropped(t *testing.T) {
	a := New(Options{Rules: []*Rule{noopRequests}})
	for i := range 2 * maxNames {
		a.processRequest(a.objects.named(ID{ID: status.ID{Kind: status.Kind{Kind: "Lamp"}, Name: strconv.Itoa(i)}}), Write{Request: &Request{Code: 404}}, ID{})
	}
	if len(a.objects.byName) > maxNames+1 {
		t.Errorf("%d places are kept, want %d at most", len(a.objects.byName), maxNames+1)
	}
}
