package check

// definitionChecks lists the checks of definitions and of the objects installed
// with them, in the order of their reports.
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
	moveKinds,
	moveSecrets,
}

// objectChecks lists the checks of objects, in the order of their reports.
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
	moveOwner,
}
