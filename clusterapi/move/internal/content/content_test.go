package content

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// object reads an object from YAML. Whole numbers are int64, as clients decode them.
func object(t testing.TB, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{}}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = json.Unmarshal(data, &o.Object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const clusterText = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: a
  namespace: shop
  labels: {team: blue}
  annotations: {policy: skip}
  ownerReferences: [{apiVersion: v1, kind: Tenant, name: t, uid: u1, controller: true}]
  finalizers: [cluster.cluster.x-k8s.io]
spec: {controlPlaneEndpoint: {host: a.example, port: 6443}}
`

func TestHash(t *testing.T) {
	before := Hash(object(t, clusterText))
	for _, row := range []struct {
		it, old, new string
		same         bool
	}{
		{"ignores the pause of a Cluster", "spec: {", "spec: {paused: true, ", true},
		{"ignores the annotation that pauses", "{policy: skip}", `{policy: skip, cluster.x-k8s.io/paused: ""}`, true},
		{"ignores what a pause and a move set", "{policy: skip}",
			"{policy: skip, kstatus.dev/move: m/u, kstatus.dev/pause-before: x, kstatus.dev/pause-state: Paused, kstatus.dev/pause-message: x, kstatus.dev/wake: x, clusterctl.cluster.x-k8s.io/delete-for-move: ''}", true},
		{"ignores finalizers", "[cluster.cluster.x-k8s.io]", "[other]", true},
		{"ignores the version", "name: a", "name: a\n  resourceVersion: '7'\n  generation: 3\n  uid: x\n  managedFields: [{manager: m}]", true},
		{"ignores the deletion", "name: a", "name: a\n  deletionTimestamp: '2026-01-01T00:00:00Z'\n  deletionGracePeriodSeconds: 0", true},
		{"ignores the status", "spec:", "status: {phase: Provisioned}\nspec:", true},
		{"sees another field of the spec", "6443", "443", false},
		{"sees a label", "team: blue", "team: red", false},
		{"sees an annotation", "policy: skip", "policy: manage", false},
		{"sees another annotation of our own prefix", "policy: skip", "policy: skip, kstatus.dev/ignore: x", false},
		{"sees an owner", "uid: u1", "uid: u2", false},
		{"sees block-move", "policy: skip", "policy: skip, clusterctl.cluster.x-k8s.io/block-move: ''", false},
	} {
		t.Run(row.it, func(t *testing.T) {
			text := strings.Replace(clusterText, row.old, row.new, 1)
			if text == clusterText {
				t.Fatal("nothing was replaced")
			}
			if same := Hash(object(t, text)) == before; same != row.same {
				t.Errorf("the hash is the same: %t, want %t", same, row.same)
			}
		})
	}
	machine := strings.Replace(clusterText, "kind: Cluster", "kind: Machine", 1)
	if Hash(object(t, machine)) == Hash(object(t, strings.Replace(machine, "spec: {", "spec: {paused: true, ", 1))) {
		t.Error("spec.paused of another kind is not the pause of a Cluster")
	}
}

func TestHashChangesNothing(t *testing.T) {
	o := object(t, strings.Replace(clusterText, "policy: skip", "policy: skip, kstatus.dev/move: m/u", 1))
	before := o.DeepCopy()
	Hash(o)
	Portable(o)
	WithoutMarks(o)
	Active(o)
	Desired(o, Target{Mark: "m/u"})
	if fmt.Sprint(before.Object) != fmt.Sprint(o.Object) {
		t.Error("the original has changed")
	}
}

func TestDesired(t *testing.T) {
	original := object(t, strings.Replace(clusterText, "name: a", "name: a\n  generateName: x-\n  uid: u\n  resourceVersion: '7'\n  managedFields: [{manager: m}]", 1)+"status: {phase: x}\n")
	record := `{"paused":false}`
	annotated := object(t, "{kind: Cluster, apiVersion: cluster.x-k8s.io/v1beta2, metadata: {annotations: {cluster.x-k8s.io/paused: x}}, spec: {}}")
	if o := Desired(annotated, Target{PausedBefore: &record}); o.GetAnnotations()["cluster.x-k8s.io/paused"] != "x" || len(o.Object["spec"].(map[string]any)) > 0 {
		t.Errorf("the copy of an object that was paused by an annotation is %v", o.Object)
	}
	o := Desired(original, Target{Mark: "m/u", Owners: map[types.UID]types.UID{"u1": "t1"}, PausedBefore: &record})
	text, err := yaml.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	for _, absent := range []string{"generateName", "resourceVersion", "managedFields", "phase", "uid: u\n", "uid: u1"} {
		if strings.Contains(string(text), absent) {
			t.Errorf("the copy has %q", absent)
		}
	}
	for _, kept := range []string{"uid: t1", "controller: true", "policy: skip", "team: blue", "cluster.cluster.x-k8s.io\n", "kstatus.dev/move: m/u", "paused: true", "port: 6443", "pause-before"} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("the copy lacks %q", kept)
		}
	}
	if owners := Desired(original, Target{}).GetOwnerReferences(); len(owners) > 0 {
		t.Errorf("the copy has owners that the target does not: %v", owners)
	}
	active := Active(object(t, strings.Replace(clusterText, "policy: skip", "policy: skip, kstatus.dev/move: m/u, cluster.x-k8s.io/paused: '', kstatus.dev/pause-before: x", 1)))
	if a := active.GetAnnotations(); len(a) != 2 || a[MarkAnnotation] != "m/u" || a["policy"] != "skip" {
		t.Errorf("the active copy has the annotations %v", a)
	}
}

func TestMark(t *testing.T) {
	for _, row := range []struct{ it, mark, move, uid string }{
		{"has both", Mark("m", "u"), "m", "u"},
		{"is empty", "", "", ""},
		{"has no UID", "m", "m", ""},
		{"has more", "m/u/x", "m", "u/x"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if move, uid := ParseMark(row.mark); move != row.move || string(uid) != row.uid {
				t.Errorf("it is of move %q and %q", move, uid)
			}
		})
	}
}

func TestMergeOwners(t *testing.T) {
	yes := true
	ref := func(uid types.UID, controller *bool) metav1.OwnerReference {
		return metav1.OwnerReference{UID: uid, Controller: controller}
	}
	have := []metav1.OwnerReference{ref("a", &yes)}
	merged := MergeOwners(have, []metav1.OwnerReference{ref("a", nil), ref("b", &yes)})
	if len(merged) != 2 || merged[0].Controller != &yes || merged[1].UID != "b" || merged[1].Controller != nil {
		t.Errorf("the merged owners are %v", merged)
	}
	if merged := MergeOwners(nil, []metav1.OwnerReference{ref("b", &yes)}); len(merged) != 1 || merged[0].Controller == nil {
		t.Errorf("the owners of an object without any are %v", merged)
	}
}

// A copy that the only manager of an original has created has the same managed fields.
func TestHasFields(t *testing.T) {
	const original = "metadata: {managedFields: [{manager: m, operation: Update, apiVersion: v1, time: t1, fieldsV1: {'f:data': {'f:a': {}}, 'f:metadata': {'f:ownerReferences': {'k:u1': {}}}}}]}"
	for _, row := range []struct {
		it, old, new string
		only         string // the only manager of the copy
		same         bool
	}{
		{"has the same", "", "", "m", true},
		{"is from another time", "t1", "t2", "m", true},
		{"has another owner", "k:u1", "k:u2", "m", true},
		{"has no owner", "'f:ownerReferences': {'k:u1': {}}", "", "m", true},
		{"has the mark of a move", "'f:ownerReferences'", "'f:annotations': {'.': {}, 'f:kstatus.dev/move': {}}, 'f:ownerReferences'", "m", true},
		{"has another annotation", "'f:ownerReferences'", "'f:annotations': {'.': {}, 'f:policy': {}}, 'f:ownerReferences'", "m", false},
		{"has another manager", "manager: m", "manager: kstatus", "kstatus", false},
		{"was applied", "Update", "Apply", "", false},
		{"has another version", "apiVersion: v1", "apiVersion: v2", "m", false},
		{"has another field", "f:a", "f:b", "m", false},
		{"has a second manager", "]}", ", {manager: n, operation: Update}]}", "", false},
		{"has the fields of a subresource", "operation: Update", "subresource: scale, operation: Update", "", false},
	} {
		t.Run(row.it, func(t *testing.T) {
			copied := object(t, strings.Replace(original, row.old, row.new, 1))
			if same := HasFields(copied, ManagedFields(object(t, original), false)); same != row.same {
				t.Errorf("it has the fields: %t, want %t", same, row.same)
			}
			if only := OnlyManager(ManagedFields(copied, true)); only != row.only {
				t.Errorf("the only manager is %q, want %q", only, row.only)
			}
		})
	}
}

func TestManagedFields(t *testing.T) {
	o := object(t, "metadata: {managedFields: [{manager: a}, {manager: b, subresource: status}, {manager: c}]}")
	if n := len(ManagedFields(o, false)); n != 2 {
		t.Errorf("without the status, %d entries are copied, want 2", n)
	}
	if n := len(ManagedFields(o, true)); n != 3 {
		t.Errorf("with the status, %d entries are copied, want 3", n)
	}
	if n := len(ManagedFields(object(t, "metadata: {managedFields: 7}"), false)); n != 0 {
		t.Errorf("a hostile list has %d entries", n)
	}
}

// boxSchema declares defaults at all depths.
const boxSchema = `
spec:
  versions:
  - name: v0
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              size: {default: small}
              count: {default: 3}
              ratio: {default: 1.5}
              list: {default: [1, 2]}
              net:
                default: {}
                properties:
                  port: {default: 443}
                  host: {}
                  deep: {default: {on: true}, properties: {off: {default: false}}}
              disks:
                items: {properties: {type: {default: ssd}}}
              pools:
                additionalProperties: {properties: {zone: {default: a}}}
`

func TestCompare(t *testing.T) {
	s := SchemaOf(object(t, boxSchema), "v1")
	if s == nil || SchemaOf(object(t, boxSchema), "v0") != nil || SchemaOf(object(t, boxSchema), "v2") != nil {
		t.Fatal("the schema is not that of the version")
	}
	for _, row := range []struct{ it, want, have, differences string }{
		{"is equal", "spec: {size: big}", "spec: {size: big}", ""},
		{"lacks a field, as after pruning", "spec: {size: big, colour: red}", "spec: {size: big}", "spec.colour is missing"},
		{"lacks a deep field", "spec: {net: {host: a, mtu: 9}}", "spec: {net: {host: a, port: 443, deep: {on: true, off: false}}}", "spec.net.mtu is missing"},
		{"lacks everything", "spec: {size: big}", "{}", "spec is missing"},
		{"has another value", "spec: {size: big}", "spec: {size: huge}", "spec.size is changed"},
		{"has another type", "spec: {size: big}", "spec: {size: {a: b}}", "spec.size is changed"},
		{"has an additional field", "spec: {}", "spec: {colour: red}", "spec.colour is added"},
		{"has a default", "spec: {}", "spec: {size: small, count: 3, ratio: 1.5, list: [1, 2]}", ""},
		{"has another value than the default", "spec: {}", "spec: {size: big}", "spec.size is added"},
		{"has defaults of a default object", "spec: {}", "spec: {net: {port: 443, deep: {on: true, off: false}}}", ""},
		{"has more than a default object", "spec: {}", "spec: {net: {port: 443, host: x}}", "spec.net is added"},
		{"has a default in an item", "spec: {disks: [{size: 1}]}", "spec: {disks: [{size: 1, type: ssd}]}", ""},
		{"has another value in an item", "spec: {disks: [{size: 1}]}", "spec: {disks: [{size: 1, type: hdd}]}", "spec.disks[0].type is added"},
		{"has a default in a map", "spec: {pools: {x: {n: 1}}}", "spec: {pools: {x: {n: 1, zone: a}}}", ""},
		{"has another item", "spec: {disks: [{size: 1}]}", "spec: {disks: [{size: 1}, {size: 2}]}", "spec.disks is changed"},
		{"has a default instead of null", "spec: {size: null}", "spec: {size: small}", ""},
		{"lacks a null", "spec: {size: null}", "spec: {}", ""},
		{"has another form of a number", "spec: {x: 1}", "spec: {x: 1.0}", ""},
		{"has another number", "spec: {x: 1}", "spec: {x: 1.1}", "spec.x is changed"},
		{"has another large number", "spec: {x: 9007199254740993}", "spec: {x: 9007199254740992}", "spec.x is changed"},
		{"has another boolean", "spec: {x: false}", "spec: {x: 'false'}", "spec.x is changed"},
		{"has a status", "{}", "status: {phase: x}", ""},
		{"lacks a label", "metadata: {labels: {a: b}}", "metadata: {labels: {}}", "metadata.labels.a is missing"},
		{"has another annotation", "metadata: {annotations: {a: b}}", "metadata: {annotations: {a: c}}", "metadata.annotations.a is changed"},
		{"has an additional annotation", "{}", "metadata: {annotations: {a: b}}", "metadata.annotations.a is added"},
		{"lacks a finalizer", "metadata: {finalizers: [a, b]}", "metadata: {finalizers: [b]}", "metadata.finalizers is missing"},
		{"has an additional finalizer", "{}", "metadata: {finalizers: [a]}", ""},
		{"has what servers set", "{}", "metadata: {uid: x, resourceVersion: '1', generation: 1, creationTimestamp: x, managedFields: []}", ""},
		{"lacks an owner", "metadata: {ownerReferences: [{kind: K, name: o, uid: u}]}", "{}", "metadata.ownerReferences of K o is missing"},
		{"has an additional owner", "{}", "metadata: {ownerReferences: [{kind: K, name: o, uid: u}]}", "metadata.ownerReferences is added"},
		{"has another controller", "metadata: {ownerReferences: [{kind: K, name: o, uid: u, controller: true}]}", "metadata: {ownerReferences: [{kind: K, name: o, uid: u}]}",
			"metadata.ownerReferences is added, metadata.ownerReferences of K o is missing"},
		{"has another form of an owner", "metadata: {ownerReferences: [{kind: K, name: o, uid: u, controller: false}]}", "metadata: {ownerReferences: [{kind: K, name: o, uid: u}]}", ""},
		{"lacks the data of a Secret", "data: {a: eA==}", "data: {}", "data.a is missing"},
		{"has several differences", "spec: {a: 1, b: 2, c: 3, d: 4, e: 5}", "spec: {x: 0}", "spec.a is missing, spec.b is missing, spec.c is missing, and 3 others"},
	} {
		t.Run(row.it, func(t *testing.T) {
			want, have := object(t, row.want), object(t, row.have)
			if text := Text(Compare(want, have, s)); text != row.differences {
				t.Errorf("the differences are %q, want %q", text, row.differences)
			}
			if text := Text(Compare(want, want.DeepCopy(), nil)); text != "" {
				t.Errorf("it differs from itself: %s", text)
			}
		})
	}
}

// Texts about differences have no values, since they may be secret.
func TestDifferencesHaveNoValues(t *testing.T) {
	const value = "cGFzc3dvcmQ="
	texts := []string{
		Text(Compare(object(t, "data: {a: "+value+"}"), object(t, "data: {a: x}"), nil)),
		Text(Compare(object(t, "data: {a: x}"), object(t, "data: {a: "+value+"}"), nil)),
		Text(Compare(object(t, "{}"), object(t, "data: {a: "+value+"}"), nil)),
		Text(Compare(object(t, "stringData: {a: "+value+"}"), object(t, "{}"), nil)),
		Text(Compare(object(t, "metadata: {annotations: {a: "+value+"}}"), object(t, "{}"), nil)),
	}
	for _, text := range texts {
		if text == "" || strings.Contains(text, value) {
			t.Errorf("the text is %q", text)
		}
	}
}

func FuzzContent(f *testing.F) {
	f.Add(clusterText, clusterText, boxSchema)
	f.Add("spec: {size: [1]}", "spec: {size: {a: [null]}}", "spec: {versions: [7, {name: v1, schema: {openAPIV3Schema: {properties: [], items: 3, default: {}}}}]}")
	f.Add("metadata: {annotations: 7, ownerReferences: [3], finalizers: {}}", "metadata: x", "{}")
	f.Fuzz(func(t *testing.T, a, b, definition string) {
		x, y, d := anyObject(a), anyObject(b), anyObject(definition)
		if x == nil || y == nil || d == nil {
			return
		}
		s := SchemaOf(d, "v1")
		differences := Compare(x, y, s)
		if !slices.IsSortedFunc(differences, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) }) {
			t.Errorf("the differences are not sorted: %v", differences)
		}
		if len(Compare(x, x.DeepCopy(), s)) > 0 {
			t.Error("an object differs from itself")
		}
		if Hash(x) != Hash(x.DeepCopy()) || Hash(x) != Hash(WithoutMarks(x)) {
			t.Error("the hash differs")
		}
		Active(Desired(x, Target{Mark: "m/u"}))
		HasFields(y, ManagedFields(x, true))
		OnlyManager(ManagedFields(x, true))
	})
}

// anyObject reads an object from YAML that may be anything, and returns nil if it is no object.
func anyObject(text string) *unstructured.Unstructured {
	data, err := yaml.YAMLToJSON([]byte(text))
	o := &unstructured.Unstructured{}
	if err != nil || json.Unmarshal(data, &o.Object) != nil || o.Object == nil {
		return nil
	}
	return o
}
