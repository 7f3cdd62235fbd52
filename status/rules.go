package status

import "maps"

// A Rule says where an object of one kind stands. It is called only for objects
// that are not being deleted and, unless its [Entry] says otherwise, whose
// latest generation has been observed. The zero Result means that the rule has
// nothing to say.
type Rule func(*Fields) Result

// An Entry is how a kind is judged.
type Entry struct {
	Rule       Rule
	Generation Generation
	NoStatus   bool // the kind has no status field, so Augment never gives it one
}

// A Generation says how a kind's status.observedGeneration is to be read.
type Generation int

// The ways to read an observed generation.
const (
	Compare       Generation = iota // where both are there they must be equal; absent proves nothing
	Required                        // the API says that absent means that the controller has not acted
	TolerateAhead                   // as Compare, but a status ahead of the spec is taken as it is
	Own                             // the rule looks at it itself, or the kind has none
)

// Rules holds one entry per kind. To change how a kind is judged, copy
// [Builtin], assign, and give the copy to an [Evaluator].
type Rules map[Kind]Entry

// Builtin returns a copy of the table that [Compute] uses.
func Builtin() Rules { return maps.Clone(builtin) }

// The table of kinds. A row's file, rule_<name>.go, holds its rule, and
// testdata/rules/<name>.cases a case for every branch of it.
var builtin = Rules{
	// workloads
	{"apps", "Deployment"}:        {Rule: deployment, Generation: Required},
	{"extensions", "Deployment"}:  {Rule: deployment, Generation: Required},
	{"apps", "ReplicaSet"}:        {Rule: replicaSet, Generation: Required},
	{"extensions", "ReplicaSet"}:  {Rule: replicaSet, Generation: Required},
	{"", "ReplicationController"}: {Rule: replicaSet, Generation: Required},
	{"apps", "StatefulSet"}:       {Rule: statefulSet, Generation: Required},
	{"apps", "DaemonSet"}:         {Rule: daemonSet, Generation: Required},
	{"extensions", "DaemonSet"}:   {Rule: daemonSet, Generation: Required},

	// networking

	// storage

	// policy and scaling
	{"policy", "PodDisruptionBudget"}:          {Rule: podDisruptionBudget, Generation: Own},
	{"autoscaling", "HorizontalPodAutoscaler"}: {Rule: horizontalPodAutoscaler, Generation: Own},

	// API machinery, certificates and nodes
	{"apiextensions.k8s.io", "CustomResourceDefinition"}: {Rule: customResourceDefinition},
	{"apiregistration.k8s.io", "APIService"}:             {Rule: apiService, Generation: Own},
	{"", "Namespace"}:                                    {Rule: namespace, Generation: Own},
	{"", "Node"}:                                         {Rule: node, Generation: Own},
	{"certificates.k8s.io", "CertificateSigningRequest"}: {Rule: certificateSigningRequest, Generation: Own},
	{"certificates.k8s.io", "PodCertificateRequest"}:     {Rule: podCertificateRequest, Generation: Own},

	// dynamic resources, job sets and groups of leaders and workers

	// Cluster API

	// kinds without a status
}
