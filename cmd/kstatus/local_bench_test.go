package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// BenchmarkGetLocal judges and prints 10,000 objects of a file. BenchmarkDecode only decodes the
// same text like kubectl, one document after the other. The difference should be small.
func BenchmarkGetLocal(b *testing.B) {
	for _, input := range benchInputs(b) {
		for _, format := range []string{"table", "json"} {
			b.Run(input.name+"/"+format, func(b *testing.B) {
				b.SetBytes(int64(len(input.text)))
				for b.Loop() {
					env := cli.Env{In: strings.NewReader(""), Out: io.Discard, Err: os.Stderr, Now: time.Now}
					args := []string{"kstatus", "get", "--local", "-f", input.file, "-o", format}
					if code := run(b.Context(), env, args); code != exit.OK {
						b.Fatalf("exit code %d", code)
					}
				}
			})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	decode := map[string]func([]byte) error{
		"kubectl": func(text []byte) error {
			var m map[string]any
			return sigsyaml.Unmarshal(text, &m)
		},
		"nodes": func(text []byte) error {
			var n yaml.Node
			return yaml.Unmarshal(text, &n)
		},
		"values": func(text []byte) error {
			var m map[string]any
			return yaml.Unmarshal(text, &m)
		},
	}
	for _, input := range benchInputs(b) {
		if input.name == "json" {
			b.Run("json/values", func(b *testing.B) {
				b.SetBytes(int64(len(input.text)))
				for b.Loop() {
					var m map[string]any
					if err := json.Unmarshal(input.text, &m); err != nil {
						b.Fatal(err)
					}
				}
			})
			continue
		}
		for name, decode := range decode {
			b.Run(input.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(input.text)))
				for b.Loop() {
					for _, document := range bytes.Split(input.text, []byte("\n---\n")) {
						if err := decode(document); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// A benchInput is a set of objects in one format.
type benchInput struct {
	name, file string
	text       []byte
}

// benchInputs writes 10,000 objects as a stream of YAML documents and as a JSON list.
func benchInputs(b *testing.B) []benchInput {
	const objects = 10_000
	var documents bytes.Buffer
	list := map[string]any{"apiVersion": "v1", "kind": "List"}
	var items []any
	for i := range objects {
		text := fmt.Sprintf(benchObjects[i%len(benchObjects)], i)
		fmt.Fprintf(&documents, "---\n%s", text)
		var object map[string]any
		if err := sigsyaml.Unmarshal([]byte(text), &object); err != nil {
			b.Fatal(err)
		}
		items = append(items, object)
	}
	list["items"] = items
	encoded, err := json.MarshalIndent(list, "", "    ")
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	inputs := []benchInput{
		{"yaml", filepath.Join(dir, "objects.yaml"), documents.Bytes()},
		{"json", filepath.Join(dir, "objects.json"), encoded},
	}
	for _, input := range inputs {
		if err := os.WriteFile(input.file, input.text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return inputs
}

var benchObjects = []string{benchDeployment, benchPod, benchConfigMap, benchWidget}

const benchDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    deployment.kubernetes.io/revision: "4"
  creationTimestamp: "2026-11-20T15:00:00Z"
  generation: 4
  labels: {app: web, tier: front}
  name: web-%[1]d
  namespace: shop
  resourceVersion: "10%[1]d"
  uid: 0c4a7dd2-6b6e-4c80-8b0c-3d5a2a1d7f11
spec:
  progressDeadlineSeconds: 600
  replicas: 3
  revisionHistoryLimit: 10
  selector:
    matchLabels: {app: web}
  strategy:
    rollingUpdate:
      maxSurge: 25%%
      maxUnavailable: 25%%
    type: RollingUpdate
  template:
    metadata:
      labels: {app: web, tier: front}
    spec:
      containers:
      - env:
        - name: LOG_LEVEL
          value: info
        - name: POD_IP
          valueFrom:
            fieldRef: {apiVersion: v1, fieldPath: status.podIP}
        image: registry.example.com/shop/web:1.9.0
        imagePullPolicy: IfNotPresent
        name: web
        ports:
        - containerPort: 8080
          name: http
          protocol: TCP
        readinessProbe:
          failureThreshold: 3
          httpGet: {path: /ready, port: http, scheme: HTTP}
          periodSeconds: 10
          successThreshold: 1
          timeoutSeconds: 1
        resources:
          limits: {cpu: 500m, memory: 256Mi}
          requests: {cpu: 100m, memory: 128Mi}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
status:
  availableReplicas: 3
  conditions:
  - lastTransitionTime: "2026-11-20T15:01:00Z"
    lastUpdateTime: "2026-11-20T15:01:00Z"
    message: Deployment has minimum availability.
    reason: MinimumReplicasAvailable
    status: "True"
    type: Available
  - lastTransitionTime: "2026-11-20T15:00:00Z"
    lastUpdateTime: "2026-11-20T15:01:00Z"
    message: ReplicaSet "web-7c9f" has successfully progressed.
    reason: NewReplicaSetAvailable
    status: "True"
    type: Progressing
  observedGeneration: 4
  readyReplicas: 3
  replicas: 3
  updatedReplicas: 3
`

const benchPod = `apiVersion: v1
kind: Pod
metadata:
  creationTimestamp: "2026-11-20T15:00:00Z"
  generateName: web-7c9f-
  labels: {app: web, pod-template-hash: 7c9f}
  name: web-7c9f-%[1]d
  namespace: shop
  ownerReferences:
  - apiVersion: apps/v1
    blockOwnerDeletion: true
    controller: true
    kind: ReplicaSet
    name: web-7c9f
    uid: 5d1b9d0e-7a43-4f0e-a5b4-64f1d5f1a0cb
  uid: 9a0f6b3c-6a14-4d3c-8fd9-37c1b7a5b7aa
spec:
  containers:
  - image: registry.example.com/shop/web:1.9.0
    imagePullPolicy: IfNotPresent
    name: web
    resources:
      limits: {cpu: 500m, memory: 256Mi}
    volumeMounts:
    - mountPath: /var/run/secrets/kubernetes.io/serviceaccount
      name: kube-api-access
      readOnly: true
  nodeName: node-7
  restartPolicy: Always
  tolerations:
  - effect: NoExecute
    key: node.kubernetes.io/not-ready
    operator: Exists
    tolerationSeconds: 300
  volumes:
  - name: kube-api-access
    projected:
      defaultMode: 420
      sources:
      - serviceAccountToken: {expirationSeconds: 3607, path: token}
status:
  conditions:
  - {lastProbeTime: null, lastTransitionTime: "2026-11-20T15:00:00Z", status: "True", type: PodScheduled}
  - {lastProbeTime: null, lastTransitionTime: "2026-11-20T15:00:01Z", status: "True", type: Initialized}
  - {lastProbeTime: null, lastTransitionTime: "2026-11-20T15:00:09Z", status: "True", type: ContainersReady}
  - {lastProbeTime: null, lastTransitionTime: "2026-11-20T15:00:09Z", status: "True", type: Ready}
  containerStatuses:
  - containerID: containerd://5b0bcabd1ed22e9fb1310cf6c2dec7cdef19f0ad69efa1f392e94a4333501270
    image: registry.example.com/shop/web:1.9.0
    imageID: registry.example.com/shop/web@sha256:5b0bcabd1ed22e9fb1310cf6c2dec7cdef19f0ad69efa1f392e94a4333501270
    lastState: {}
    name: web
    ready: true
    restartCount: 0
    started: true
    state:
      running: {startedAt: "2026-11-20T15:00:08Z"}
  hostIP: 10.0.0.7
  phase: Running
  podIP: 10.1.2.3
  qosClass: Burstable
  startTime: "2026-11-20T15:00:00Z"
`

const benchConfigMap = `apiVersion: v1
kind: ConfigMap
metadata:
  creationTimestamp: "2026-11-20T15:00:00Z"
  name: web-%[1]d
  namespace: shop
data:
  nginx.conf: |
    server {
      listen 8080;
      location / {
        root /srv;
      }
    }
  LOG_LEVEL: info
`

const benchWidget = `apiVersion: example.com/v1
kind: Widget
metadata:
  creationTimestamp: "2026-11-20T15:00:00Z"
  generation: 2
  name: widget-%[1]d
  namespace: shop
spec:
  interval: 10m
  sourceRef: {kind: Source, name: shop}
status:
  conditions:
  - lastTransitionTime: "2026-11-20T15:00:30Z"
    message: Applied revision main@sha1:5b0bcabd1ed22e9fb1310cf6c2dec7cdef19f0ad
    observedGeneration: 2
    reason: ReconciliationSucceeded
    status: "True"
    type: Ready
  observedGeneration: 2
`
