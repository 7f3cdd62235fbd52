package e2e

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"kstatus.dev/test/lib/apply"
)

// The secret texts in the values and the chart of every release of a test.
const secretValue = "hunter2"

// release creates a revision of a release in the cluster, as Helm stores it.
func (s *stage) release(abs func(string) string, args []string) error {
	kind := "Secret"
	if len(args) > 0 && args[0] == "-configmap" {
		kind, args = "ConfigMap", args[1:]
	}
	if len(args) != 4 {
		return errors.New("want [-configmap] NAME REVISION STATUS FILE")
	}
	revision, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(abs(args[3]))
	if err != nil {
		return err
	}
	text, err := releaseObject(kind, s.namespace, args[0], revision, args[2], string(manifest))
	if err != nil {
		return err
	}
	objects, err := apply.Parse([]byte(text))
	if err != nil {
		return err
	}
	return apply.To(context.Background(), s.cluster.Config(), s.namespace, objects, nil)
}

// releaseObject returns the object in which Helm stores a revision. The documented format is
// JSON, compressed, in base64.
func releaseObject(kind, namespace, name string, revision int, status, manifest string) (string, error) {
	description := secretValue
	if status == "failed" { // the description of the revision
		description = fmt.Sprintf("Upgrade %q failed: post-upgrade hooks failed: password=%s.", name, secretValue)
	}
	document, err := json.Marshal(map[string]any{
		"name": name, "namespace": namespace, "version": revision, "manifest": manifest,
		"info":   map[string]any{"first_deployed": "2026-11-20T10:00:00Z", "status": status, "description": description, "notes": secretValue},
		"chart":  map[string]any{"metadata": map[string]any{"name": name}, "values": map[string]any{"password": secretValue}},
		"config": map[string]any{"password": secretValue, "manifest": secretValue},
		"hooks":  []any{map[string]any{"name": "migrate", "manifest": "kind: Job\nmetadata: {name: migrate}"}},
	})
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(document); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	data := base64.StdEncoding.EncodeToString(packed.Bytes())
	object := map[string]any{
		"apiVersion": "v1", "kind": kind,
		"metadata": map[string]any{
			"name":   fmt.Sprintf("sh.helm.release.v1.%s.v%d", name, revision),
			"labels": map[string]any{"owner": "helm", "name": name, "status": status, "version": strconv.Itoa(revision)},
		},
		"data": map[string]any{"release": data},
	}
	if kind == "Secret" {
		object["type"] = "helm.sh/release.v1"
		object["data"] = map[string]any{"release": base64.StdEncoding.EncodeToString([]byte(data))}
	}
	text, err := json.Marshal(object)
	return string(text), err
}

// fillNamespaces replaces NAMESPACE in files by the namespace of the script, and
// NAMESPACE-CONTEXT by those of contexts.
func fillNamespaces(ts *testscript.TestScript, _ bool, args []string) {
	s := stageOf(ts)
	for _, file := range args {
		text := ts.ReadFile(file)
		for name, namespace := range s.contexts {
			text = strings.ReplaceAll(text, "NAMESPACE-"+name, namespace)
		}
		text = strings.ReplaceAll(text, "NAMESPACE", s.namespace)
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o600))
	}
}
