package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// starting is webDeployment before its Pods are ready, with labels and annotations.
func starting(labels string) string {
	return strings.NewReplacer("availableReplicas: 1", "availableReplicas: 0", "readyReplicas: 1", "readyReplicas: 0",
		"namespace: shop,", "namespace: shop, "+labels).Replace(webDeployment)
}

// replacement is the next generation of webDeployment, with another image.
func replacement(labels string) string {
	return strings.NewReplacer("generation: 2", "generation: 3", "observedGeneration: 2", "observedGeneration: 3", "web:2", "web:1",
		"namespace: shop,", "namespace: shop, "+labels).Replace(webDeployment)
}

// revision is the Secret of a revision of the Helm release web with a Deployment.
func revision(number int, state string) string {
	document, _ := json.Marshal(map[string]any{ // of texts and numbers
		"name": "web", "namespace": "shop", "version": number, "info": map[string]any{"status": state},
		"manifest": "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n",
	})
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(document) // a buffer accepts all
	_ = w.Close()
	once := base64.StdEncoding.EncodeToString(packed.Bytes())
	return fmt.Sprintf(`apiVersion: v1
kind: Secret
metadata: {name: sh.helm.release.v1.web.v%[1]d, uid: r%[1]d, labels: {owner: helm, name: web, status: %[2]s, version: "%[1]d"}}
type: helm.sh/release.v1
data: {release: %[3]s}
`, number, state, base64.StdEncoding.EncodeToString([]byte(once)))
}

// A wait for a set whose applied version it does not know warns if another one runs in the end.
func TestWaitForReplacedSets(t *testing.T) {
	const part = `labels: {applyset.kubernetes.io/part-of: the-id, kapp.k14s.io/app: "1"},`
	const template = "another change has replaced generation 2, with which the wait began, by generation 3: it has another spec.template.spec"
	for _, row := range []struct {
		set, labels string
		records     []string // the objects that describe the set
		changed     []string // those that another change writes
		want        string
	}{
		{"applyset/all", part, []string{`apiVersion: v1
kind: ConfigMap
metadata:
  name: all
  uid: s
  labels: {applyset.kubernetes.io/id: the-id}
  annotations: {applyset.kubernetes.io/contains-group-kinds: Deployment.apps}
`}, nil, template},
		{"kapp/all", part, []string{`apiVersion: v1
kind: ConfigMap
metadata: {name: all, uid: s, labels: {kapp.k14s.io/is-app: ""}}
data: {spec: '{"labelKey": "kapp.k14s.io/app", "labelValue": "1", "usedGKs": [{"Group": "apps", "Kind": "Deployment"}]}'}
`}, nil, template},
		{"kpt/all", "", []string{`apiVersion: v1
kind: ConfigMap
metadata: {name: all, uid: s, labels: {cli-utils.sigs.k8s.io/inventory-id: all}}
data: {shop_web_apps_Deployment: ""}
`}, nil, template},
		{"helm/web", "", []string{revision(1, "superseded"), revision(2, "deployed")}, []string{revision(2, "superseded"), revision(3, "deployed")},
			"helm/web: revision 2 was replaced during the wait by revision 3, which counts; --revision 2 would make that a failure"},
	} {
		for _, format := range []string{"text", "json"} {
			t.Run(row.set+" as "+format, func(t *testing.T) {
				t.Parallel()
				c := newMemoryCluster(t, append(row.records, starting(row.labels))...)
				report := filepath.Join(t.TempDir(), "report.md")
				have := c.during([]string{"wait", row.set, "--timeout", "5m", "-o", format, "--report", "md=" + report}, func() {
					for _, o := range append(row.changed, replacement(row.labels)) {
						c.put(o)
					}
				})
				if have.code != exit.OK || !strings.Contains(have.out+have.notes, row.want) {
					t.Errorf("have %d, want 0 with %q\n%s%s", have.code, row.want, have.out, have.notes)
				}
				text, err := os.ReadFile(report)
				if err != nil || !strings.Contains(strings.ReplaceAll(string(text), `\`, ""), row.want) {
					t.Errorf("the report lacks the warning: %v\n%s", err, text)
				}
			})
		}
	}
}

// A wait for a set warns if the set has other objects in the end.
func TestWaitForChangedSets(t *testing.T) {
	const part = `labels: {applyset.kubernetes.io/part-of: the-id, kapp.k14s.io/app: "1"},`
	extra := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: shop, uid: x, " + part + "}\n"
	applySet := func(kinds string) string {
		return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: all
  uid: s
  labels: {applyset.kubernetes.io/id: the-id}
  annotations: {applyset.kubernetes.io/contains-group-kinds: "%s"}
`, kinds)
	}
	app := func(kinds string) string {
		return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {name: all, uid: s, labels: {kapp.k14s.io/is-app: ""}}
data: {spec: '{"labelKey": "kapp.k14s.io/app", "labelValue": "1", "usedGKs": [{"Group": "apps", "Kind": "Deployment"}%s]}'}
`, kinds)
	}
	inventory := func(more string) string {
		return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {name: all, uid: s, labels: {cli-utils.sigs.k8s.io/inventory-id: all}}
data: {shop_web_apps_Deployment: ""%s}
`, more)
	}
	const changed = ": its objects have changed during the wait, and the former ones count: "
	for _, row := range []struct {
		it, set       string
		before, after []string
		want          string // in the warning; empty if there is none
	}{
		{"has another object of an ApplySet", "applyset/all", []string{applySet("Deployment.apps")}, []string{extra, applySet("ConfigMap,Deployment.apps")}, "applyset/all" + changed + "added ConfigMap/shop/extra"},
		{"has another object of an app", "kapp/all", []string{app("")}, []string{extra, app(`, {"Group": "", "Kind": "ConfigMap"}`)}, "kapp/all" + changed + "added ConfigMap/shop/extra"},
		{"has another object of an inventory", "kpt/all", []string{inventory("")}, []string{extra, inventory(`, shop_extra__ConfigMap: ""`)}, "kpt/all" + changed + "added ConfigMap/shop/extra"},
		{"has an object less", "kpt/all", []string{extra, inventory(`, shop_extra__ConfigMap: ""`)}, []string{inventory("")}, "kpt/all" + changed + "removed ConfigMap/shop/extra"},
		{"has two changes", "kpt/all", []string{extra, inventory(`, shop_extra__ConfigMap: ""`)}, []string{inventory(`, shop_more__ConfigMap: ""`)},
			"kpt/all" + changed + "added ConfigMap/shop/more; removed ConfigMap/shop/extra"},
		{"is no set any more", "kpt/all", []string{inventory("")}, []string{strings.ReplaceAll(inventory(""), "labels:", "annotations:")}, "kpt/all: the set was deleted during the wait; its former objects count"},
		{"has the same objects", "kpt/all", []string{inventory("")}, []string{inventory("")}, ""},
	} {
		for _, format := range []string{"text", "json"} {
			t.Run(row.it+" as "+format, func(t *testing.T) {
				t.Parallel()
				c := newMemoryCluster(t, append(row.before, starting(part))...)
				report := filepath.Join(t.TempDir(), "report.md")
				have := c.during([]string{"wait", row.set, "--timeout", "5m", "-o", format, "--report", "md=" + report}, func() {
					ready := strings.Replace(webDeployment, "namespace: shop,", "namespace: shop, "+part, 1)
					for _, o := range append(row.after, ready) {
						c.put(o)
					}
				})
				text, err := os.ReadFile(report)
				if err != nil {
					t.Fatal(err)
				}
				for where, have := range map[string]string{"output": have.out + have.notes, "report": strings.ReplaceAll(string(text), `\`, "")} {
					if !strings.Contains(have, row.want) || row.want == "" && strings.Contains(have, "during the wait") {
						t.Errorf("the %s lacks the warning %q, or has it without a change:\n%s", where, row.want, have)
					}
				}
				if have.code != exit.OK {
					t.Errorf("have %d, want 0", have.code)
				}
			})
		}
	}
}

// during runs kstatus, and calls change once it has printed that an object is in progress.
func (c *memoryCluster) during(args []string, change func()) answer {
	c.t.Helper()
	var out, notes textBuffer
	env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &notes, Now: time.Now}
	ended := make(chan exit.Code)
	go func() { ended <- run(c.t.Context(), env, append(append([]string{"kstatus"}, args...), c.flags...)) }()
	for !strings.Contains(notes.String()+out.String(), "InProgress") {
		select {
		case code := <-ended:
			c.t.Fatalf("it ends with %d\n%s%s", code, out.String(), notes.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	change()
	return answer{<-ended, out.String(), notes.String()}
}
