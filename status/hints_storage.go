package status

import "kstatus.dev/status/internal/word"

// Rook: https://rook.io/docs/rook/latest/CRDs/specification/
// TopoLVM: https://github.com/topolvm/topolvm/blob/main/docs/logical-volume.md
// NetApp Trident: https://docs.netapp.com/us-en/trident/
// MinIO: https://min.io/docs/minio/kubernetes/upstream/reference/operator-crd.html
var hintsStorage = hintTable{
	// Rook is done before Ceph is healthy. Warnings are about what Ceph repairs,
	// or what somebody is to look at. The phase is the condition that was set last;
	// one of progress may stay.
	{"ceph.rook.io", "CephCluster"}: {
		States:  []string{"status.ceph.health"},
		Words:   wordTable{"HEALTH_WARN": word.Progressing},
		Neutral: []string{"Progressing"},
	},
	// The code is one of gRPC's.
	{"topolvm.io", "LogicalVolume"}: {
		Required: []string{"status.volumeID"},
		Errors:   []string{"status.code"},
	},
	{"topolvm.cybozu.com", "LogicalVolume"}: {
		Required: []string{"status.volumeID"},
		Errors:   []string{"status.code"},
	},
	// It stays bound when a change to the backend is refused.
	{"trident.netapp.io", "TridentBackendConfig"}: {States: []string{"status.lastOperationStatus"}},
	{"minio.min.io", "Tenant"}: {Words: wordTable{
		"Another MinIO Tenant already exists in the namespace": word.Failing,
		"Different versions across MinIO Pools":                word.Failing,
		"Pool Decommissioning Not Allowed":                     word.Failing,
		"Statefulset not controlled by operator":               word.Failing,
		"Tenant credentials are not set properly":              word.Failing,
	}},
	// Their conditions hold words, and the phase sums these up.
	{"core.libopenstorage.org", "StorageCluster"}: {Ignore: []string{"conditions"}},
	{"core.libopenstorage.org", "StorageNode"}:    {Ignore: []string{"conditions"}},
	// Either is what the spec asks for; the conditions tell how it goes.
	{"replication.storage.openshift.io", "VolumeReplication"}: {Words: wordTable{"Primary": word.Ready, "Secondary": word.Ready}},
	{"objectstorage.k8s.io", "BucketAccess"}:                  {Required: []string{"status.accessGranted"}},
}
