package status

import "maps"

// A Rule says where an object of one kind stands. It is called only for objects
// that are not being deleted and, unless its [Entry] says otherwise, whose
// latest generation has been observed. The zero Result means that the rule has
// nothing to say.
type Rule func(*Fields) Result

// An Entry is how a kind is judged.
type Entry struct {
	First      Rule // what has its say before all else that judges the kind; nil: nothing
	Rule       Rule // nil: the kind is judged by what its objects report
	Generation Generation
	Ending     Rule // what the deletion of an object waits for besides its finalizers; nil: nothing else
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
	AsPromised                      // as Compare, but one that the schema of the kind promises must be there, as for kinds without a rule
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
	{"", "Pod"}:                   {Rule: pod, Ending: podDeletion},
	{"apps", "Deployment"}:        {Rule: deployment, Generation: Required},
	{"extensions", "Deployment"}:  {Rule: deployment, Generation: Required},
	{"apps", "ReplicaSet"}:        {Rule: replicaSet, Generation: Required},
	{"extensions", "ReplicaSet"}:  {Rule: replicaSet, Generation: Required},
	{"", "ReplicationController"}: {Rule: replicaSet, Generation: Required},
	{"apps", "StatefulSet"}:       {Rule: statefulSet, Generation: Required},
	{"apps", "DaemonSet"}:         {Rule: daemonSet, Generation: Required},
	{"extensions", "DaemonSet"}:   {Rule: daemonSet, Generation: Required},
	{"batch", "Job"}:              {Rule: job},
	{"batch", "CronJob"}:          {Rule: cronJob},

	// networking
	{"gateway.networking.k8s.io", "GatewayClass"}:            {Rule: gatewayClass, Generation: Own},
	{"gateway.networking.k8s.io", "Gateway"}:                 {Rule: gateway, Generation: Own},
	{"gateway.networking.k8s.io", "ListenerSet"}:             {Rule: gateway, Generation: Own},
	{"gateway.networking.x-k8s.io", "XListenerSet"}:          {Rule: gateway, Generation: Own},
	{"gateway.networking.k8s.io", "HTTPRoute"}:               {Rule: route, Generation: Own},
	{"gateway.networking.k8s.io", "GRPCRoute"}:               {Rule: route, Generation: Own},
	{"gateway.networking.k8s.io", "TLSRoute"}:                {Rule: route, Generation: Own},
	{"gateway.networking.k8s.io", "TCPRoute"}:                {Rule: route, Generation: Own},
	{"gateway.networking.k8s.io", "UDPRoute"}:                {Rule: route, Generation: Own},
	{"policy.linkerd.io", "HTTPRoute"}:                       {Rule: route, Generation: Own},
	{"gateway.networking.k8s.io", "BackendTLSPolicy"}:        {Rule: gatewayPolicy, Generation: Own},
	{"gateway.networking.k8s.io", "BackendLBPolicy"}:         {Rule: gatewayPolicy, Generation: Own},
	{"gateway.networking.x-k8s.io", "XBackendTrafficPolicy"}: {Rule: gatewayPolicy, Generation: Own},
	{"gateway.envoyproxy.io", "ClientTrafficPolicy"}:         {Rule: gatewayPolicy, Generation: Own},
	{"gateway.envoyproxy.io", "BackendTrafficPolicy"}:        {Rule: gatewayPolicy, Generation: Own},
	{"gateway.envoyproxy.io", "SecurityPolicy"}:              {Rule: gatewayPolicy, Generation: Own},
	{"gateway.envoyproxy.io", "EnvoyExtensionPolicy"}:        {Rule: gatewayPolicy, Generation: Own},
	{"gateway.envoyproxy.io", "EnvoyPatchPolicy"}:            {Rule: gatewayPolicy, Generation: Own},
	{"gateway.kgateway.dev", "TrafficPolicy"}:                {Rule: gatewayPolicy, Generation: Own},
	{"gateway.kgateway.dev", "HTTPListenerPolicy"}:           {Rule: gatewayPolicy, Generation: Own},
	{"gateway.kgateway.dev", "ListenerPolicy"}:               {Rule: gatewayPolicy, Generation: Own},
	{"gateway.kgateway.dev", "BackendConfigPolicy"}:          {Rule: gatewayPolicy, Generation: Own},
	{"gateway.nginx.org", "ClientSettingsPolicy"}:            {Rule: gatewayPolicy, Generation: Own},
	{"gateway.nginx.org", "ObservabilityPolicy"}:             {Rule: gatewayPolicy, Generation: Own},
	{"gateway.nginx.org", "UpstreamSettingsPolicy"}:          {Rule: gatewayPolicy, Generation: Own},
	{"gateway.nginx.org", "ProxySettingsPolicy"}:             {Rule: gatewayPolicy, Generation: Own},
	{"microgateway.airlock.com", "ContentSecurityPolicy"}:    {Rule: gatewayPolicy, Generation: Own},
	{"", "Service"}:                      {Rule: service, Generation: Own},
	{"networking.k8s.io", "Ingress"}:     {Rule: ingress, Generation: Own},
	{"extensions", "Ingress"}:            {Rule: ingress, Generation: Own},
	{"networking.k8s.io", "ServiceCIDR"}: {Rule: serviceCIDR, Generation: Own},

	// storage
	{"", "PersistentVolumeClaim"}:                                  {Rule: persistentVolumeClaim, Generation: Own},
	{"", "PersistentVolume"}:                                       {Rule: persistentVolume, Generation: Own},
	{"snapshot.storage.k8s.io", "VolumeSnapshot"}:                  {Rule: volumeSnapshot, Generation: Own},
	{"snapshot.storage.k8s.io", "VolumeSnapshotContent"}:           {Rule: volumeSnapshotContent, Generation: Own},
	{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshot"}:        {Rule: volumeSnapshot, Generation: Own},
	{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshotContent"}: {Rule: volumeSnapshotContent, Generation: Own},
	{"storage.k8s.io", "VolumeAttachment"}:                         {Rule: volumeAttachment, Generation: Own},
	{"storagemigration.k8s.io", "StorageVersionMigration"}:         {Rule: storageVersionMigration, Generation: Own},
	{"migration.k8s.io", "StorageVersionMigration"}:                {Rule: storageVersionMigration, Generation: Own},

	// policy and scaling
	{"policy", "PodDisruptionBudget"}:          {Rule: podDisruptionBudget, Generation: Own},
	{"autoscaling", "HorizontalPodAutoscaler"}: {Rule: horizontalPodAutoscaler, Generation: Own},
	{"", "ResourceQuota"}:                      {Rule: resourceQuota, Generation: Own},
	{"scheduling.k8s.io", "PodGroup"}:          {Rule: podGroup},
	{"scheduling.k8s.io", "CompositePodGroup"}: {Rule: podGroup},
	{"lifecycle.k8s.io", "Eviction"}:           {Rule: eviction, Generation: Required},
	{"lifecycle.k8s.io", "EvictionRequest"}:    {Rule: eviction, Generation: Required},

	// API machinery, certificates and nodes
	{"apiextensions.k8s.io", "CustomResourceDefinition"}:           {Rule: customResourceDefinition},
	{"apiregistration.k8s.io", "APIService"}:                       {Rule: apiService, Generation: Own},
	{"", "Namespace"}:                                              {Rule: namespace, Generation: Own, Ending: namespaceDeletion},
	{"", "Node"}:                                                   {Rule: node, Generation: Own},
	{"certificates.k8s.io", "CertificateSigningRequest"}:           {Rule: certificateSigningRequest, Generation: Own},
	{"certificates.k8s.io", "PodCertificateRequest"}:               {Rule: podCertificateRequest, Generation: Own},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"}:  {Rule: validatingAdmissionPolicy, Generation: Required},
	{"flowcontrol.apiserver.k8s.io", "FlowSchema"}:                 {Rule: flowSchema},
	{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"}: {Rule: priorityLevelConfiguration},
	{"internal.apiserver.k8s.io", "StorageVersion"}:                {Rule: storageVersion},
	{"resource.k8s.io", "DeviceTaintRule"}:                         {Rule: deviceTaintRule},
	{"", "ComponentStatus"}:                                        {Rule: componentStatus, Generation: Own, NoStatus: true},
	{"resource.k8s.io", "ResourcePoolStatusRequest"}:               {Rule: resourcePoolStatusRequest},

	// dynamic resources, job sets and groups of leaders and workers
	{"jobset.x-k8s.io", "JobSet"}:                   {Rule: jobSet},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet"}: {Rule: leaderWorkerSet},
	{"resource.k8s.io", "ResourceClaim"}:            {Rule: resourceClaim, Generation: Own},

	// workloads of others
	{"apps.kruise.io", "CloneSet"}:                     {Rule: cloneSet, Generation: Required},
	{"apps.kruise.io", "StatefulSet"}:                  {Rule: kruiseStatefulSet, Generation: Required},
	{"apps.kruise.io", "DaemonSet"}:                    {Rule: kruiseDaemonSet, Generation: Required},
	{"apps.kruise.io", "UnitedDeployment"}:             {Rule: unitedDeployment, Generation: Required},
	{"argoproj.io", "Application"}:                     {Rule: argoApplication, Generation: Own},
	{"argoproj.io", "Rollout"}:                         {Rule: argoRollout, Generation: Own},
	{"promoter.argoproj.io", "ChangeTransferPolicy"}:   {Rule: changeTransferPolicy},
	{"promoter.argoproj.io", "PromotionStrategy"}:      {Rule: promotionStrategy},
	{"metrics.keptn.sh", "Analysis"}:                   {Rule: keptnAnalysis},
	{"numaflow.numaproj.io", "Pipeline"}:               {Rule: numaflow},
	{"numaflow.numaproj.io", "MonoVertex"}:             {Rule: numaflow},
	{"numaflow.numaproj.io", "InterStepBufferService"}: {Rule: numaflow},

	// Cluster API
	{"cluster.x-k8s.io", "Cluster"}:                          {Rule: capiCluster, Generation: Own},
	{"cluster.x-k8s.io", "ClusterClass"}:                     {Rule: capiClusterClass, Generation: Own},
	{"cluster.x-k8s.io", "Machine"}:                          {Rule: capiMachine, Generation: Own},
	{"cluster.x-k8s.io", "MachineSet"}:                       {Rule: capiMachineSet, Generation: Own},
	{"cluster.x-k8s.io", "MachineDeployment"}:                {Rule: capiMachineDeployment, Generation: Own},
	{"cluster.x-k8s.io", "MachinePool"}:                      {Rule: capiMachinePool, Generation: Own},
	{"cluster.x-k8s.io", "MachineHealthCheck"}:               {Rule: capiHealthCheck, Generation: Own},
	{"controlplane.cluster.x-k8s.io", "KubeadmControlPlane"}: {Rule: capiControlPlane, Generation: Own},
	{"bootstrap.cluster.x-k8s.io", "KubeadmConfig"}:          {Rule: capiBootstrap, Generation: Own},
	{"addons.cluster.x-k8s.io", "ClusterResourceSet"}:        {Rule: capiResourceSet, Generation: Own},
	{"runtime.cluster.x-k8s.io", "ExtensionConfig"}:          {Rule: capiExtension, Generation: Own},
	{"ipam.cluster.x-k8s.io", "IPAddressClaim"}:              {Rule: capiAddressClaim, Generation: Own},

	// OpenShift, the Operator Lifecycle Manager, KubeVirt and Metal3
	{"apps.openshift.io", "DeploymentConfig"}: {Rule: deploymentConfig, Generation: Required},
	{"operators.coreos.com", "Subscription"}:  {Rule: olmSubscription},
	{"kubevirt.io", "VirtualMachine"}:         {Rule: virtualMachine, Generation: Own},
	{"hive.openshift.io", "ClusterPool"}:      {Rule: clusterPool},
	{"metal3.io", "BareMetalHost"}:            {Rule: bareMetalHost},

	// secrets from elsewhere
	{"external-secrets.io", "ExternalSecret"}: {Rule: externalSecret},

	// kinds without a status
	{"", "Secret"}: {Rule: secret, Generation: Own, NoStatus: true},
	{"rbac.authorization.k8s.io", "ClusterRole"}: {Rule: clusterRole, Generation: Own, NoStatus: true},
	{"", "ConfigMap"}:      {Rule: noStatus, Generation: Own, NoStatus: true},
	{"", "Endpoints"}:      {Rule: noStatus, Generation: Own, NoStatus: true},
	{"", "Event"}:          {Rule: noStatus, Generation: Own, NoStatus: true},
	{"", "LimitRange"}:     {Rule: noStatus, Generation: Own, NoStatus: true},
	{"", "PodTemplate"}:    {Rule: noStatus, Generation: Own, NoStatus: true},
	{"", "ServiceAccount"}: {Rule: noStatus, Generation: Own, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicy"}:          {Rule: noStatus, Generation: Own, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"}:   {Rule: noStatus, Generation: Own, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:     {Rule: noStatus, Generation: Own, NoStatus: true},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"}: {Rule: noStatus, Generation: Own, NoStatus: true},
	{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"}:   {Rule: noStatus, Generation: Own, NoStatus: true},
	{"apps", "ControllerRevision"}:                                       {Rule: noStatus, Generation: Own, NoStatus: true},
	{"certificates.k8s.io", "ClusterTrustBundle"}:                        {Rule: noStatus, Generation: Own, NoStatus: true},
	{"coordination.k8s.io", "Lease"}:                                     {Rule: noStatus, Generation: Own, NoStatus: true},
	{"coordination.k8s.io", "LeaseCandidate"}:                            {Rule: noStatus, Generation: Own, NoStatus: true},
	{"discovery.k8s.io", "EndpointSlice"}:                                {Rule: noStatus, Generation: Own, NoStatus: true},
	{"events.k8s.io", "Event"}:                                           {Rule: noStatus, Generation: Own, NoStatus: true},
	{"gateway.networking.k8s.io", "ReferenceGrant"}:                      {Rule: noStatus, Generation: Own, NoStatus: true},
	{"metrics.k8s.io", "NodeMetrics"}:                                    {Rule: noStatus, Generation: Own, NoStatus: true},
	{"metrics.k8s.io", "PodMetrics"}:                                     {Rule: noStatus, Generation: Own, NoStatus: true},
	{"networking.k8s.io", "IPAddress"}:                                   {Rule: noStatus, Generation: Own, NoStatus: true},
	{"networking.k8s.io", "IngressClass"}:                                {Rule: noStatus, Generation: Own, NoStatus: true},
	{"networking.k8s.io", "NetworkPolicy"}:                               {Rule: noStatus, Generation: Own, NoStatus: true},
	{"node.k8s.io", "RuntimeClass"}:                                      {Rule: noStatus, Generation: Own, NoStatus: true},
	{"rbac.authorization.k8s.io", "ClusterRoleBinding"}:                  {Rule: noStatus, Generation: Own, NoStatus: true},
	{"rbac.authorization.k8s.io", "Role"}:                                {Rule: noStatus, Generation: Own, NoStatus: true},
	{"rbac.authorization.k8s.io", "RoleBinding"}:                         {Rule: noStatus, Generation: Own, NoStatus: true},
	{"resource.k8s.io", "DeviceClass"}:                                   {Rule: noStatus, Generation: Own, NoStatus: true},
	{"resource.k8s.io", "ResourceClaimTemplate"}:                         {Rule: noStatus, Generation: Own, NoStatus: true},
	{"resource.k8s.io", "ResourceSlice"}:                                 {Rule: noStatus, Generation: Own, NoStatus: true},
	{"scheduling.k8s.io", "PriorityClass"}:                               {Rule: noStatus, Generation: Own, NoStatus: true},
	{"scheduling.k8s.io", "Workload"}:                                    {Rule: noStatus, Generation: Own, NoStatus: true},
	{"storage.k8s.io", "CSIDriver"}:                                      {Rule: noStatus, Generation: Own, NoStatus: true},
	{"storage.k8s.io", "CSINode"}:                                        {Rule: noStatus, Generation: Own, NoStatus: true},
	{"storage.k8s.io", "CSIStorageCapacity"}:                             {Rule: noStatus, Generation: Own, NoStatus: true},
	{"storage.k8s.io", "StorageClass"}:                                   {Rule: noStatus, Generation: Own, NoStatus: true},
	{"storage.k8s.io", "VolumeAttributesClass"}:                          {Rule: noStatus, Generation: Own, NoStatus: true},
	{"addons.cluster.x-k8s.io", "ClusterResourceSetBinding"}:             {Rule: noStatus, Generation: Own, NoStatus: true},
	{"bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate"}:              {Rule: noStatus, Generation: Own, NoStatus: true},
	{"cluster.x-k8s.io", "MachineDrainRule"}:                             {Rule: noStatus, Generation: Own, NoStatus: true},
	{"clusterctl.cluster.x-k8s.io", "Metadata"}:                          {Rule: noStatus, Generation: Own, NoStatus: true},
	{"clusterctl.cluster.x-k8s.io", "Provider"}:                          {Rule: noStatus, Generation: Own, NoStatus: true},
	{"controlplane.cluster.x-k8s.io", "KubeadmControlPlaneTemplate"}:     {Rule: noStatus, Generation: Own, NoStatus: true},
	{"ipam.cluster.x-k8s.io", "IPAddress"}:                               {Rule: noStatus, Generation: Own, NoStatus: true},
	{"extensions", "NetworkPolicy"}:                                      {Rule: noStatus, Generation: Own, NoStatus: true},
}
