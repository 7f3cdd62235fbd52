package kwok

import "fmt"

// nodeStages make a Node ready, with resources for all tests. Its kubelet is served at a port.
func nodeStages(kubelet int) []stage {
	return []stage{{
		name: "node-ready", kind: "v1 Node",
		when: `any(.status.conditions[]?; .type == "Ready" and .status == "True") | not`,
		step: step{status: nodeReady + fmt.Sprintf("daemonEndpoints: {kubeletEndpoint: {Port: %d}}\n", kubelet)},
	}}
}

const nodeReady = `
{{ $now := Now }}
phase: Running
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
capacity: &capacity {cpu: "64", memory: 256Gi, ephemeral-storage: 1Ti, pods: 2000}
allocatable: *capacity
addresses:
- {type: InternalIP, address: {{ NodeIP | Quote }}}
- {type: Hostname, address: {{ .metadata.name | Quote }}}
nodeInfo:
  architecture: amd64
  operatingSystem: linux
  osImage: kwok
  kernelVersion: kwok
  containerRuntimeVersion: kwok://{{ Version }}
  kubeletVersion: v{{ Version }}-kwok
  kubeProxyVersion: ""
  bootID: ""
  machineID: ""
  systemUUID: ""
`

// disks provisions volumes, like an external provisioner, for the claims that the controller
// manager delegates to it. It creates the volume; the real controller binds it.
const disks = "disks.kstatus.dev"

var volumeStages = []stage{
	{
		name: "claim-provision", kind: "v1 PersistentVolumeClaim",
		when:  `.metadata.annotations["volume.kubernetes.io/storage-provisioner"] == "` + disks + `" and .spec.volumeName == null and (gone | not)`,
		after: `"0.3s"`,
		step: step{apply: `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-{{ .metadata.uid }}
  annotations:
    pv.kubernetes.io/provisioned-by: ` + disks + `
spec:
  accessModes: {{ toJson .spec.accessModes }}
  capacity: {{ toJson .spec.resources.requests }}
  persistentVolumeReclaimPolicy: Delete
  storageClassName: {{ .spec.storageClassName | Quote }}
  volumeMode: {{ default "Filesystem" .spec.volumeMode | Quote }}
  claimRef:
    apiVersion: v1
    kind: PersistentVolumeClaim
    namespace: {{ .metadata.namespace | Quote }}
    name: {{ .metadata.name | Quote }}
    uid: {{ .metadata.uid | Quote }}
  hostPath:
    path: /var/lib/kstatus/pvc-{{ .metadata.uid }}
    type: DirectoryOrCreate
`},
	},
	{
		name: "volume-delete", kind: "v1 PersistentVolume",
		when: `.metadata.annotations["pv.kubernetes.io/provisioned-by"] == "` + disks + `" and .status.phase == "Released" and .spec.persistentVolumeReclaimPolicy == "Delete" and (gone | not)`,
		step: step{remove: true},
	},
}

// attachStages play the attacher of a CSI driver without its disks. Volumes of other drivers
// are never attached.
var attachStages = []stage{{
	name: "attachment-error", kind: "storage.k8s.io/v1 VolumeAttachment",
	when: `.spec.attacher == "` + lostDisks + `" and .status.attachError == null and (gone | not)`,
	step: step{status: `
attached: false
attachError:
  time: {{ Now | Quote }}
  message: {{ printf "rpc error: code = NotFound desc = Could not attach volume %q to node %q: volume does not exist" .spec.source.persistentVolumeName .spec.nodeName | Quote }}
`},
}}

// lostDisks is a CSI driver that finds none of its disks.
const lostDisks = "lost.disks.kstatus.dev"

// networkStages set the addresses of Services and Ingresses. A Service with a loadBalancerClass
// gets none, because no controller implements a class here.
var networkStages = []stage{
	{
		name: "service-address", kind: "v1 Service",
		when:  `.spec.type == "LoadBalancer" and .spec.loadBalancerClass == null and ([.status.loadBalancer.ingress[]?] | length == 0) and (gone | not)`,
		after: `"1s"`,
		step:  step{status: `loadBalancer: {ingress: [{ip: {{ .spec.clusterIP | replace "10.96." "198.18." | Quote }}, ipMode: VIP}]}`},
	},
	{
		name: "ingress-address", kind: "networking.k8s.io/v1 Ingress",
		when:  `.spec.ingressClassName == "nginx" and ([.status.loadBalancer.ingress[]?] | length == 0) and (gone | not)`,
		after: `"1s"`,
		step:  step{status: `loadBalancer: {ingress: [{ip: 198.18.255.254}]}`},
	},
}
