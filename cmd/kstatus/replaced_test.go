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
