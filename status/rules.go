package status

import "maps"

// A Rule says where an object of one kind stands. It is called only for objects
// that are not being deleted and, unless its [KindRule] says otherwise, whose
// latest generation has been observed. The zero Result means that the rule has
// nothing to say.
type Rule func(*Fields) Result

// A KindRule is how a kind is judged.
type KindRule struct {
	Override     Rule // what has its say before all else that judges the kind; nil: nothing
	Rule         Rule // nil: the kind is judged by what its objects report
	Generation   Generation
	DeletionRule Rule // what the deletion of an object waits for besides its finalizers; nil: nothing else
	NoStatus     bool // the kind has no status field, so Augment never gives it one
}

// A Generation says how a kind's status.observedGeneration is to be read.
type Generation int

// The ways to read an observed generation.
const (
	GenerationCompare    Generation = iota // where both are there they must be equal; absent proves nothing
	GenerationRequired                     // the API says that absent means that the controller has not acted
	GenerationAllowAhead                   // as Compare, but a status ahead of the spec is taken as it is
	GenerationByRule                       // the rule looks at it itself, or the kind has none
	GenerationAsDeclared                   // as Compare, but one that the schema of the kind promises must be there, as for kinds without a rule
)

// Rules holds one entry per kind. To change how a kind is judged, copy
// [Builtin], assign, and give the copy to an [Evaluator].
type Rules map[Kind]KindRule

// Builtin returns a copy of the table that [Compute] uses.
func Builtin() Rules { return maps.Clone(builtin) }

// The table of kinds. A row's file, rule_<name>.go, holds its rule, and
// testdata/rules/<name>.cases a case for every branch of it.
var builtin = Rules{
	// workloads
	{"", "Pod"}:                   {Rule: pod, DeletionRule: podDeletion},
	{"apps", "Deployment"}:        {Rule: deployment, Generation: GenerationRequired},
	{"extensions", "Deployment"}:  {Rule: deployment, Generation: GenerationRequired},
	{"apps", "ReplicaSet"}:        {Rule: replicaSet, Generation: GenerationRequired},
	{"extensions", "ReplicaSet"}:  {Rule: replicaSet, Generation: GenerationRequired},
	{"", "ReplicationController"}: {Rule: replicaSet, Generation: GenerationRequired},
	{"apps", "StatefulSet"}:       {Rule: statefulSet, Generation: GenerationRequired},
	{"apps", "DaemonSet"}:         {Rule: daemonSet, Generation: GenerationRequired},
	{"extensions", "DaemonSet"}:   {Rule: daemonSet, Generation: GenerationRequired},
	{"batch", "Job"}:              {Rule: job},
	{"batch", "CronJob"}:          {Rule: cronJob},

	// networking
	{"gateway.networking.k8s.io", "GatewayClass"}:            {Rule: gatewayClass, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "Gateway"}:                 {Rule: gateway, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "ListenerSet"}:             {Rule: gateway, Generation: GenerationByRule},
	{"gateway.networking.x-k8s.io", "XListenerSet"}:          {Rule: gateway, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "HTTPRoute"}:               {Rule: route, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "GRPCRoute"}:               {Rule: route, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "TLSRoute"}:                {Rule: route, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "TCPRoute"}:                {Rule: route, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "UDPRoute"}:                {Rule: route, Generation: GenerationByRule},
	{"policy.linkerd.io", "HTTPRoute"}:                       {Rule: route, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "BackendTLSPolicy"}:        {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.networking.k8s.io", "BackendLBPolicy"}:         {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.networking.x-k8s.io", "XBackendTrafficPolicy"}: {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.envoyproxy.io", "ClientTrafficPolicy"}:         {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.envoyproxy.io", "BackendTrafficPolicy"}:        {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.envoyproxy.io", "SecurityPolicy"}:              {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.envoyproxy.io", "EnvoyExtensionPolicy"}:        {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.envoyproxy.io", "EnvoyPatchPolicy"}:            {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.kgateway.dev", "TrafficPolicy"}:                {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.kgateway.dev", "HTTPListenerPolicy"}:           {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.kgateway.dev", "ListenerPolicy"}:               {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.kgateway.dev", "BackendConfigPolicy"}:          {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.nginx.org", "ClientSettingsPolicy"}:            {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.nginx.org", "ObservabilityPolicy"}:             {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.nginx.org", "UpstreamSettingsPolicy"}:          {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"gateway.nginx.org", "ProxySettingsPolicy"}:             {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"microgateway.airlock.com", "ContentSecurityPolicy"}:    {Rule: gatewayPolicy, Generation: GenerationByRule},
	{"", "Service"}:                      {Rule: service, Generation: GenerationByRule},
	{"networking.k8s.io", "Ingress"}:     {Rule: ingress, Generation: GenerationByRule},
	{"extensions", "Ingress"}:            {Rule: ingress, Generation: GenerationByRule},
	{"networking.k8s.io", "ServiceCIDR"}: {Rule: serviceCIDR, Generation: GenerationByRule},

	// storage
	{"", "PersistentVolumeClaim"}:                                  {Rule: persistentVolumeClaim, Generation: GenerationByRule},
	{"", "PersistentVolume"}:                                       {Rule: persistentVolume, Generation: GenerationByRule},
	{"snapshot.storage.k8s.io", "VolumeSnapshot"}:                  {Rule: volumeSnapshot, Generation: GenerationByRule},
	{"snapshot.storage.k8s.io", "VolumeSnapshotContent"}:           {Rule: volumeSnapshotContent, Generation: GenerationByRule},
	{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshot"}:        {Rule: volumeSnapshot, Generation: GenerationByRule},
	{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshotContent"}: {Rule: volumeSnapshotContent, Generation: GenerationByRule},
	{"storage.k8s.io", "VolumeAttachment"}:                         {Rule: volumeAttachment, Generation: GenerationByRule},
	{"storagemigration.k8s.io", "StorageVersionMigration"}:         {Rule: storageVersionMigration, Generation: GenerationByRule},
	{"migration.k8s.io", "StorageVersionMigration"}:                {Rule: storageVersionMigration, Generation: GenerationByRule},

	// policy and scaling
	{"policy", "PodDisruptionBudget"}:          {Rule: podDisruptionBudget, Generation: GenerationByRule},
	{"autoscaling", "HorizontalPodAutoscaler"}: {Rule: horizontalPodAutoscaler, Generation: GenerationByRule},
	{"", "ResourceQuota"}:                      {Rule: resourceQuota, Generation: GenerationByRule},
	{"scheduling.k8s.io", "PodGroup"}:          {Rule: podGroup},
	{"scheduling.k8s.io", "CompositePodGroup"}: {Rule: podGroup},
	{"lifecycle.k8s.io", "Eviction"}:           {Rule: eviction, Generation: GenerationRequired},
	{"lifecycle.k8s.io", "EvictionRequest"}:    {Rule: eviction, Generation: GenerationRequired},

	// API machinery, certificates and nodes
	{"apiextensions.k8s.io", "CustomResourceDefinition"}:           {Rule: customResourceDefinition},
	{"apiregistration.k8s.io", "APIService"}:                       {Rule: apiService, Generation: GenerationByRule},
	{"", "Namespace"}:                                              {Rule: namespace, Generation: GenerationByRule, DeletionRule: namespaceDeletion},
	{"", "Node"}:                                                   {Rule: node, Generation: GenerationByRule},
	{"certificates.k8s.io", "CertificateSigningRequest"}:           {Rule: certificateSigningRequest, Generation: GenerationByRule},
	{"certificates.k8s.io", "PodCertificateRequest"}:               {Rule: podCertificateRequest, Generation: GenerationByRule},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"}:  {Rule: validatingAdmissionPolicy, Generation: GenerationRequired},
	{"flowcontrol.apiserver.k8s.io", "FlowSchema"}:                 {Rule: flowSchema},
	{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"}: {Rule: priorityLevelConfiguration},
	{"internal.apiserver.k8s.io", "StorageVersion"}:                {Rule: storageVersion},
	{"resource.k8s.io", "DeviceTaintRule"}:                         {Rule: deviceTaintRule},
	{"", "ComponentStatus"}:                                        {Rule: componentStatus, Generation: GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "ResourcePoolStatusRequest"}:               {Rule: resourcePoolStatusRequest},

	// dynamic resources, job sets and groups of leaders and workers
	{"jobset.x-k8s.io", "JobSet"}:                   {Rule: jobSet},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet"}: {Rule: leaderWorkerSet},
	{"resource.k8s.io", "ResourceClaim"}:            {Rule: resourceClaim, Generation: GenerationByRule},

	// workloads of others
	{"apps.kruise.io", "CloneSet"}:                     {Rule: cloneSet, Generation: GenerationRequired},
	{"apps.kruise.io", "StatefulSet"}:                  {Rule: kruiseStatefulSet, Generation: GenerationRequired},
	{"apps.kruise.io", "DaemonSet"}:                    {Rule: kruiseDaemonSet, Generation: GenerationRequired},
	{"apps.kruise.io", "UnitedDeployment"}:             {Rule: unitedDeployment, Generation: GenerationRequired},
	{"argoproj.io", "Application"}:                     {Rule: argoApplication, Generation: GenerationByRule},
	{"argoproj.io", "Rollout"}:                         {Rule: argoRollout, Generation: GenerationByRule},
	{"promoter.argoproj.io", "ChangeTransferPolicy"}:   {Rule: changeTransferPolicy},
	{"promoter.argoproj.io", "PromotionStrategy"}:      {Rule: promotionStrategy},
	{"metrics.keptn.sh", "Analysis"}:                   {Rule: keptnAnalysis},
	{"numaflow.numaproj.io", "Pipeline"}:               {Rule: numaflow},
	{"numaflow.numaproj.io", "MonoVertex"}:             {Rule: numaflow},
	{"numaflow.numaproj.io", "InterStepBufferService"}: {Rule: numaflow},

	// Cluster API
	{"cluster.x-k8s.io", "Cluster"}:                          {Rule: capiCluster, Generation: GenerationByRule},
	{"cluster.x-k8s.io", "ClusterClass"}:                     {Rule: capiClusterClass, Generation: GenerationByRule},
	{"cluster.x-k8s.io", "Machine"}:                          {Rule: capiMachine, Generation: GenerationByRule},
	{"cluster.x-k8s.io", "MachineSet"}:                       {Rule: capiMachineSet, Generation: GenerationByRule},
	{"cluster.x-k8s.io", "MachineDeployment"}:                {Rule: capiMachineDeployment, Generation: GenerationByRule},
	{"cluster.x-k8s.io", "MachinePool"}:                      {Rule: capiMachinePool, Generation: GenerationByRule},
	{"cluster.x-k8s.io", "MachineHealthCheck"}:               {Rule: capiHealthCheck, Generation: GenerationByRule},
	{"controlplane.cluster.x-k8s.io", "KubeadmControlPlane"}: {Rule: capiControlPlane, Generation: GenerationByRule},
	{"bootstrap.cluster.x-k8s.io", "KubeadmConfig"}:          {Rule: capiBootstrap, Generation: GenerationByRule},
	{"addons.cluster.x-k8s.io", "ClusterResourceSet"}:        {Rule: capiResourceSet, Generation: GenerationByRule},
	{"runtime.cluster.x-k8s.io", "ExtensionConfig"}:          {Rule: capiExtension, Generation: GenerationByRule},
	{"ipam.cluster.x-k8s.io", "IPAddressClaim"}:              {Rule: capiAddressClaim, Generation: GenerationByRule},

	// OpenShift, the Operator Lifecycle Manager, KubeVirt and Metal3
	{"apps.openshift.io", "DeploymentConfig"}: {Rule: deploymentConfig, Generation: GenerationRequired},
	{"operators.coreos.com", "Subscription"}:  {Rule: olmSubscription},
	{"kubevirt.io", "VirtualMachine"}:         {Rule: virtualMachine, Generation: GenerationByRule},
	{"hive.openshift.io", "ClusterPool"}:      {Rule: clusterPool},
	{"metal3.io", "BareMetalHost"}:            {Rule: bareMetalHost},

	// secrets from elsewhere
	{"external-secrets.io", "ExternalSecret"}: {Rule: externalSecret},

	// kinds without a status
	{"", "Secret"}: {Rule: secret, Generation: GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "ClusterRole"}: {Rule: clusterRole, Generation: GenerationByRule, NoStatus: true},
	{"", "ConfigMap"}:      {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"", "Endpoints"}:      {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"", "Event"}:          {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"", "LimitRange"}:     {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"", "PodTemplate"}:    {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"", "ServiceAccount"}: {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicy"}:          {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"}:   {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:     {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"}: {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"}:   {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"apps", "ControllerRevision"}:                                       {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"certificates.k8s.io", "ClusterTrustBundle"}:                        {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"coordination.k8s.io", "Lease"}:                                     {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"coordination.k8s.io", "LeaseCandidate"}:                            {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"discovery.k8s.io", "EndpointSlice"}:                                {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"events.k8s.io", "Event"}:                                           {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"gateway.networking.k8s.io", "ReferenceGrant"}:                      {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"metrics.k8s.io", "NodeMetrics"}:                                    {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"metrics.k8s.io", "PodMetrics"}:                                     {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"networking.k8s.io", "IPAddress"}:                                   {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"networking.k8s.io", "IngressClass"}:                                {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"networking.k8s.io", "NetworkPolicy"}:                               {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"node.k8s.io", "RuntimeClass"}:                                      {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "ClusterRoleBinding"}:                  {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "Role"}:                                {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "RoleBinding"}:                         {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "DeviceClass"}:                                   {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "ResourceClaimTemplate"}:                         {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "ResourceSlice"}:                                 {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"scheduling.k8s.io", "PriorityClass"}:                               {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"scheduling.k8s.io", "Workload"}:                                    {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "CSIDriver"}:                                      {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "CSINode"}:                                        {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "CSIStorageCapacity"}:                             {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "StorageClass"}:                                   {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "VolumeAttributesClass"}:                          {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"addons.cluster.x-k8s.io", "ClusterResourceSetBinding"}:             {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate"}:              {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"cluster.x-k8s.io", "MachineDrainRule"}:                             {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"clusterctl.cluster.x-k8s.io", "Metadata"}:                          {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"clusterctl.cluster.x-k8s.io", "Provider"}:                          {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"controlplane.cluster.x-k8s.io", "KubeadmControlPlaneTemplate"}:     {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"ipam.cluster.x-k8s.io", "IPAddress"}:                               {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
	{"extensions", "NetworkPolicy"}:                                      {Rule: noStatus, Generation: GenerationByRule, NoStatus: true},
}
