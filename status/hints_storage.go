package status

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
		Words:   wordTable{"HEALTH_WARN": busy},
		Neutral: []ConditionType{"Progressing"},
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
		"Another MinIO Tenant already exists in the namespace": bad,
		"Different versions across MinIO Pools":                bad,
		"Pool Decommissioning Not Allowed":                     bad,
		"Statefulset not controlled by operator":               bad,
		"Tenant credentials are not set properly":              bad,
	}},
	// Their conditions hold words, and the phase sums these up.
	{"core.libopenstorage.org", "StorageCluster"}: {Ignore: []string{"conditions"}},
	{"core.libopenstorage.org", "StorageNode"}:    {Ignore: []string{"conditions"}},
	// Either is what the spec asks for; the conditions tell how it goes.
	{"replication.storage.openshift.io", "VolumeReplication"}: {Words: wordTable{"Primary": good, "Secondary": good}},
	{"objectstorage.k8s.io", "BucketAccess"}:                  {Required: []string{"status.accessGranted"}},
}
