package capi

// definitionChecks lists every check of definitions and of what is installed
// with them, in the order in which they report.
var definitionChecks = []*check{
	crdName,
	contractLabel,
	contractLabelVersions,
	contractLabelOthers,
	contractDeadline,
	fieldTypes,
	aggregateRole,
	metadataContract,

	namespaced,
	listKind,
	statusSubresource,
	apiGroup,
	observedGeneration,
	failureFields,
	initialization,
	statusReady,
	initializationMin,
	initializationSticky,

	controlPlaneEndpoint,
	endpointOptional,
	failureDomains,
	failureDomainsList,
	classTemplate,

	providerID,
	fieldBounds,
	addresses,
	specFailureDomain,
	statusFailureDomain,
	templateMissing,
	templateShape,
	templateCapacity,

	poolReady,
	providerIDList,
	poolMachines,
	poolFailureFields,

	dataSecretName,

	replicaCounters,
	scale,
	availableColumn,
	controlPlaneVersion,
	statusVersions,
	machineTemplateRef,

	conditionsList,
	conditionItems,
	legacyConditions,
	shadowedConditions,

	poolConditions,
	metadata,
	metadataKind,
	providerLabel,
	components,
	moveLabel,
}

// objectChecks lists every check of objects, in the order in which they report.
var objectChecks = []*check{
	earlyLabel,
	liveTypes,
	pauseAcknowledged,
	takenBack,
	fails,

	withoutEndpoint,
	endpointDiffers,
	failureDomainNames,
	staleSummary,
	managedByLabel,
	infrastructureGone,

	withoutProviderID,
	providerIDTwice,
	providerIDDiffers,
	addressTypesKnown,
	overwritesFailureDomain,

	poolFlags,
	poolWithoutIDs,
	poolFails,

	withoutSecretName,
	bootstrapSecret,
	kubeconfigSecret,
	withoutSummary,

	shadowed,
	conditionsRejected,
	conditionsPanic,
	withoutReason,
	withoutGeneration,
	hasSeverity,
	conditionTwice,

	addressClaims,
}
