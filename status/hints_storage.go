package status

// Rook: https://rook.io/docs/rook/latest/CRDs/specification/
// Longhorn: https://longhorn.io/docs/latest/references/
// TopoLVM: https://github.com/topolvm/topolvm/blob/main/docs/logical-volume.md
// NetApp Trident: https://docs.netapp.com/us-en/trident/
// MinIO: https://min.io/docs/minio/kubernetes/upstream/reference/operator-crd.html
var hintsStorage = Hints{
	// Rook is done before Ceph is healthy. Warnings are about what Ceph repairs,
	// or what somebody is to look at.
	{"ceph.rook.io", "CephCluster"}: {
		States: []string{"status.ceph.health"},
		Words:  Words{"HEALTH_WARN": busy},
	},
	// A volume that nobody uses is detached, and its robustness is not known. It
	// serves while it is degraded, and Longhorn makes the lacking replica.
	{"longhorn.io", "Volume"}: {
		States:  []string{"status.robustness"},
		Words:   Words{"detached": good, "unknown": neutral, "degraded": busy},
		Busy:    []ConditionType{"Restore", "restore", "WaitForBackingImage", "OfflineRebuilding"},
		Neutral: []ConditionType{"TooManySnapshots", "toomanysnapshots"},
	},
	// The code is one of gRPC's.
	{"topolvm.io", "LogicalVolume"}: {
		Required: []string{"status.volumeID"},
		Errors:   []string{"status.code"},
	},
	// It stays bound when a change to the backend is refused.
	{"trident.netapp.io", "TridentBackendConfig"}: {States: []string{"status.lastOperationStatus"}},
	{"minio.min.io", "Tenant"}: {Words: Words{
		"Another MinIO Tenant already exists in the namespace": bad,
		"Different versions across MinIO Pools":                bad,
		"Pool Decommissioning Not Allowed":                     bad,
		"Statefulset not controlled by operator":               bad,
		"Tenant credentials are not set properly":              bad,
	}},
}
