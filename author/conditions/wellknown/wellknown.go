// Package wellknown has the condition types that many readers know, and the
// reasons that package conditions writes.
//
// kubectl wait, kstatus, Helm, Flux, Argo CD and Cluster API read some of the
// types by name. The reasons are API: programs may compare them.
package wellknown

// These are condition types that readers know by name. A kind declares those
// that it uses.
const (
	// TypeReady reports whether the object as a whole is ready. Most readers
	// know it.
	TypeReady = "Ready"
	// TypeAvailable reports whether the object serves requests, also during an
	// update.
	TypeAvailable = "Available"
	// TypePaused reports whether the controller leaves the object alone.
	TypePaused = "Paused"
	// TypeDeleting reports the progress of the deletion.
	TypeDeleting = "Deleting"
	// TypeReconciling is True while the controller works on the object, and absent otherwise.
	TypeReconciling = "Reconciling"
	// TypeStalled is True if the controller cannot continue without a change,
	// and absent otherwise.
	TypeStalled = "Stalled"
)

// These are the reasons that package conditions writes. Every condition type
// may have them.
const (
	// ReasonNotYetReconciled is the reason of a condition that has not been stated yet.
	ReasonNotYetReconciled = "NotYetReconciled"
	// ReasonNewGeneration is the reason of a condition that was stated for an
	// earlier spec than the latest.
	ReasonNewGeneration = "NewGeneration"
	// ReasonReconcileFailed is the reason of a summary after a failed pass, if no
	// part gives another reason.
	ReasonReconcileFailed = "ReconcileFailed"
	// ReasonInvalidStatement is the reason of a condition that was stated against
	// its declaration.
	ReasonInvalidStatement = "InvalidStatement"
	// ReasonNotPaused is the reason of Paused while the object is not paused.
	ReasonNotPaused = "NotPaused"
	// ReasonDeleting is the reason of a summary while the object is being deleted.
	ReasonDeleting = "Deleting"
	// ReasonAsExpected is the reason of a summary of several parts that are all
	// good.
	ReasonAsExpected = "AsExpected"
)

// These are reasons of conditions that are copied or aggregated from other
// objects.
const (
	// ReasonStaleReport means that the other object has not reported on its latest spec yet.
	ReasonStaleReport = "StaleReport"
	// ReasonNotYetReported means that the other object does not exist, or has no such condition.
	ReasonNotYetReported = "NotYetReported"
	// ReasonInvalidReport means that the condition of the other object is malformed.
	ReasonInvalidReport = "InvalidReport"
	// ReasonNoReasonReported means that the other object gives no reason, or an illegal one.
	ReasonNoReasonReported = "NoReasonReported"
	// ReasonNoObjects is the reason of an aggregate of no objects, which is True.
	ReasonNoObjects = "NoObjects"
)
