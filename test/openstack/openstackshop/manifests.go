package openstackshop

// ClusterManifest is a Cluster as users write it, with an OpenStackCluster.
const ClusterManifest = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop}
spec:
  infrastructureRef: {apiGroup: infrastructure.openstack.kstatus.dev, kind: OpenStackCluster, name: shop}
---
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackCluster
metadata:
  name: shop
  labels: {cluster.x-k8s.io/cluster-name: shop}
spec:
  identityRef: {name: cloud-config, cloudName: stack}
  managedSubnets: [{cidr: 10.6.0.0/24, dnsNameservers: [192.0.2.53]}]
  managedSecurityGroups: {allowAllInClusterTraffic: true}
`

// MachineManifest is a Machine of the control plane.
const MachineManifest = `
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
  infrastructureRef: {apiGroup: infrastructure.openstack.kstatus.dev, kind: OpenStackMachine, name: web}
---
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackMachine
metadata:
  name: web
  labels: {cluster.x-k8s.io/cluster-name: shop}
spec:
  image: {filter: {name: debian}}
  flavor: {filter: {name: small}}
`

// Class is a ClusterClass with its templates, for the control planes of package rack.
const Class = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: shop}
spec:
  infrastructure:
    templateRef: {apiVersion: infrastructure.openstack.kstatus.dev/v1beta1, kind: OpenStackClusterTemplate, name: shop}
  controlPlane:
    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1, kind: RackControlPlaneTemplate, name: shop}
    machineInfrastructure:
      templateRef: {apiVersion: infrastructure.openstack.kstatus.dev/v1beta1, kind: OpenStackMachineTemplate, name: shop}
  workers:
    machineDeployments:
    - class: web
      bootstrap:
        templateRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1, kind: RackConfigTemplate, name: shop}
      infrastructure:
        templateRef: {apiVersion: infrastructure.openstack.kstatus.dev/v1beta1, kind: OpenStackMachineTemplate, name: shop}
---
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackClusterTemplate
metadata: {name: shop}
spec:
  template:
    spec:
      identityRef: {name: cloud-config, cloudName: stack}
      managedSubnets: [{cidr: 10.6.0.0/24}]
      managedSecurityGroups: {}
---
apiVersion: controlplane.cluster.x-k8s.io/v1
kind: RackControlPlaneTemplate
metadata: {name: shop}
spec: {template: {spec: {}}}
---
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: shop}
spec: {template: {spec: {image: {filter: {name: debian}}, flavor: {filter: {name: small}}}}}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1
kind: RackConfigTemplate
metadata: {name: shop}
spec: {template: {spec: {}}}
`

// Topology is a Cluster of the class.
const Topology = `
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop}
spec:
  topology:
    classRef: {name: shop}
    version: v1.36.3
    controlPlane: {replicas: 1}
    workers:
      machineDeployments: [{class: web, name: web, replicas: 3}]
`
