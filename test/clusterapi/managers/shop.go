package managers

// Shop is a Cluster with one Machine of a control plane, as users write them.
const Shop = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: shop}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfCluster
metadata: {name: shop}
---
apiVersion: v1
kind: Secret
metadata: {name: web-bootstrap}
stringData: {value: "#cloud-config"}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: web
  labels: {cluster.x-k8s.io/control-plane: ""}
spec:
  clusterName: shop
  version: v1.36.3
  bootstrap: {dataSecretName: web-bootstrap}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfMachine, name: web}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfMachine
metadata:
  name: web
  labels: {cluster.x-k8s.io/cluster-name: shop}
spec: {size: small}
`

// Workers are Machines of Shop that Cluster API creates from a template.
const Workers = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: workers}
spec:
  clusterName: shop
  replicas: 1
  selector: {matchLabels: {pool: workers}}
  template:
    metadata: {labels: {pool: workers}}
    spec:
      clusterName: shop
      version: v1.36.3
      bootstrap: {dataSecretName: web-bootstrap}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfMachineTemplate, name: workers}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfMachineTemplate
metadata: {name: workers}
spec: {template: {spec: {size: large, tags: {pool: workers}}}}
`
