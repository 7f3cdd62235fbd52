package status

import "kstatus.dev/status/internal/word"

// Rook: https://rook.io/docs/rook/latest/CRDs/specification/
// TopoLVM: https://github.com/topolvm/topolvm/blob/main/docs/logical-volume.md
// NetApp Trident: https://docs.netapp.com/us-en/trident/
// MinIO: https://min.io/docs/minio/kubernetes/upstream/reference/operator-crd.html
var hintsStorage = hintTable{
	// Rook is done before Ceph is healthy. Warnings are about problems that Ceph repairs or that a
	// user has to check. The phase is the type of the last set condition; a progress condition may
	// remain.
	{"ceph.rook.io", "CephCluster"}: {
		States:  []string{"status.ceph.health"},
		Neutral: []string{"Progressing"},
	},
	// The code is a gRPC code.
	{"topolvm.io", "LogicalVolume"}: {
		Required: []string{"status.volumeID"},
		Errors:   []string{"status.code"},
	},
	{"topolvm.cybozu.com", "LogicalVolume"}: {
		Required: []string{"status.volumeID"},
		Errors:   []string{"status.code"},
	},
	// It stays bound when the backend rejects a change.
	{"trident.netapp.io", "TridentBackendConfig"}: {States: []string{"status.lastOperationStatus"}},
	{"minio.min.io", "Tenant"}: {Words: wordTable{
		"Another MinIO Tenant already exists in the namespace": word.Failing,
		"Different versions across MinIO Pools":                word.Failing,
		"Pool Decommissioning Not Allowed":                     word.Failing,
		"Statefulset not controlled by operator":               word.Failing,
		"Tenant credentials are not set properly":              word.Failing,
	}},
	// Their conditions hold words, and the phase is the summary.
	{"core.libopenstorage.org", "StorageCluster"}: {Ignore: []string{"conditions"}},
	{"core.libopenstorage.org", "StorageNode"}:    {Ignore: []string{"conditions"}},
	{"objectstorage.k8s.io", "BucketAccess"}:      {Required: []string{"status.accessGranted"}},
}
