package status

import (
	"kstatus.dev/status/schema"
)

// A Rule returns the status of an object of one kind. It is not called for objects that are
// being deleted. Unless its [KindRule] says otherwise, it is not called before the latest
// generation has been observed. The zero Result leaves the verdict to the next stages.
type Rule func(*Fields) Result

// A KindRule decides the verdicts on objects of a kind.
type KindRule struct {
	Override     Rule // runs before all other stages that judge the kind; may be nil
	Rule         Rule // nil: the status and the schema decide
	Generation   schema.Generation
	DeletionRule Rule   // blocks a deletion in addition to finalizers; may be nil
	NoStatus     bool   // the kind has no status field, so Augment does not add one
	FixedRule    bool   // a rule in the object does not replace this one; Evaluator sets it in the compat profiles
	Note         string // a warning for each verdict, such as that another rule was not used; may be empty
}

// Rules holds one entry per kind. An [Evaluator] with Rules judges these kinds by them, and all
// others by its profile. [Profile.Rules] returns the built-in ones.
type Rules map[Kind]KindRule

// builtin is the table of kinds. The rule of a row is in rule_<name>.go, and
// testdata/rules/<name>.cases has a case for each of its branches.
var builtin = Rules{
	// workloads
	{"", "Pod"}:                   {Rule: pod, DeletionRule: podDeletion},
	{"apps", "Deployment"}:        {Rule: deployment, Generation: schema.GenerationRequired},
	{"extensions", "Deployment"}:  {Rule: deployment, Generation: schema.GenerationRequired},
	{"apps", "ReplicaSet"}:        {Rule: replicaSet, Generation: schema.GenerationRequired},
	{"extensions", "ReplicaSet"}:  {Rule: replicaSet, Generation: schema.GenerationRequired},
	{"", "ReplicationController"}: {Rule: replicaSet, Generation: schema.GenerationRequired},
	{"apps", "StatefulSet"}:       {Rule: statefulSet, Generation: schema.GenerationRequired},
	{"apps", "DaemonSet"}:         {Rule: daemonSet, Generation: schema.GenerationRequired},
	{"extensions", "DaemonSet"}:   {Rule: daemonSet, Generation: schema.GenerationRequired},
	{"batch", "Job"}:              {Rule: job},
	{"batch", "CronJob"}:          {Rule: cronJob},

	// networking
	{"gateway.networking.k8s.io", "GatewayClass"}:            {Rule: gatewayClass, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "Gateway"}:                 {Rule: gateway, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "ListenerSet"}:             {Rule: gateway, Generation: schema.GenerationByRule},
	{"gateway.networking.x-k8s.io", "XListenerSet"}:          {Rule: gateway, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "HTTPRoute"}:               {Rule: route, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "GRPCRoute"}:               {Rule: route, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "TLSRoute"}:                {Rule: route, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "TCPRoute"}:                {Rule: route, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "UDPRoute"}:                {Rule: route, Generation: schema.GenerationByRule},
	{"policy.linkerd.io", "HTTPRoute"}:                       {Rule: route, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "BackendTLSPolicy"}:        {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.networking.k8s.io", "BackendLBPolicy"}:         {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.networking.x-k8s.io", "XBackendTrafficPolicy"}: {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.envoyproxy.io", "ClientTrafficPolicy"}:         {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.envoyproxy.io", "BackendTrafficPolicy"}:        {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.envoyproxy.io", "SecurityPolicy"}:              {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.envoyproxy.io", "EnvoyExtensionPolicy"}:        {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.envoyproxy.io", "EnvoyPatchPolicy"}:            {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.kgateway.dev", "TrafficPolicy"}:                {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.kgateway.dev", "HTTPListenerPolicy"}:           {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.kgateway.dev", "ListenerPolicy"}:               {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.kgateway.dev", "BackendConfigPolicy"}:          {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.nginx.org", "ClientSettingsPolicy"}:            {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.nginx.org", "ObservabilityPolicy"}:             {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.nginx.org", "UpstreamSettingsPolicy"}:          {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"gateway.nginx.org", "ProxySettingsPolicy"}:             {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"microgateway.airlock.com", "ContentSecurityPolicy"}:    {Rule: gatewayPolicy, Generation: schema.GenerationByRule},
	{"", "Service"}:                      {Rule: service, Generation: schema.GenerationByRule},
	{"networking.k8s.io", "Ingress"}:     {Rule: ingress, Generation: schema.GenerationByRule},
	{"extensions", "Ingress"}:            {Rule: ingress, Generation: schema.GenerationByRule},
	{"networking.k8s.io", "ServiceCIDR"}: {Rule: serviceCIDR, Generation: schema.GenerationByRule},

	// storage
	{"", "PersistentVolumeClaim"}:                                  {Rule: persistentVolumeClaim, Generation: schema.GenerationByRule},
	{"", "PersistentVolume"}:                                       {Rule: persistentVolume, Generation: schema.GenerationByRule},
	{"snapshot.storage.k8s.io", "VolumeSnapshot"}:                  {Rule: volumeSnapshot, Generation: schema.GenerationByRule},
	{"snapshot.storage.k8s.io", "VolumeSnapshotContent"}:           {Rule: volumeSnapshotContent, Generation: schema.GenerationByRule},
	{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshot"}:        {Rule: volumeSnapshot, Generation: schema.GenerationByRule},
	{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshotContent"}: {Rule: volumeSnapshotContent, Generation: schema.GenerationByRule},
	{"storage.k8s.io", "VolumeAttachment"}:                         {Rule: volumeAttachment, Generation: schema.GenerationByRule},
	{"storagemigration.k8s.io", "StorageVersionMigration"}:         {Rule: storageVersionMigration, Generation: schema.GenerationByRule},
	{"migration.k8s.io", "StorageVersionMigration"}:                {Rule: storageVersionMigration, Generation: schema.GenerationByRule},

	// policy and scaling
	{"policy", "PodDisruptionBudget"}:          {Rule: podDisruptionBudget, Generation: schema.GenerationByRule},
	{"autoscaling", "HorizontalPodAutoscaler"}: {Rule: horizontalPodAutoscaler, Generation: schema.GenerationByRule},
	{"", "ResourceQuota"}:                      {Rule: resourceQuota, Generation: schema.GenerationByRule},
	{"scheduling.k8s.io", "PodGroup"}:          {Rule: podGroup},
	{"scheduling.k8s.io", "CompositePodGroup"}: {Rule: podGroup},
	{"lifecycle.k8s.io", "Eviction"}:           {Rule: eviction, Generation: schema.GenerationRequired},
	{"lifecycle.k8s.io", "EvictionRequest"}:    {Rule: eviction, Generation: schema.GenerationRequired},

	// API machinery, certificates and nodes
	{"apiextensions.k8s.io", "CustomResourceDefinition"}:           {Rule: customResourceDefinition},
	{"apiregistration.k8s.io", "APIService"}:                       {Rule: apiService, Generation: schema.GenerationByRule},
	{"", "Namespace"}:                                              {Rule: namespace, Generation: schema.GenerationByRule, DeletionRule: namespaceDeletion},
	{"", "Node"}:                                                   {Rule: node, Generation: schema.GenerationByRule},
	{"certificates.k8s.io", "CertificateSigningRequest"}:           {Rule: certificateSigningRequest, Generation: schema.GenerationByRule},
	{"certificates.k8s.io", "PodCertificateRequest"}:               {Rule: podCertificateRequest, Generation: schema.GenerationByRule},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"}:  {Rule: validatingAdmissionPolicy, Generation: schema.GenerationRequired},
	{"flowcontrol.apiserver.k8s.io", "FlowSchema"}:                 {Rule: flowSchema},
	{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"}: {Rule: priorityLevelConfiguration},
	{"internal.apiserver.k8s.io", "StorageVersion"}:                {Rule: storageVersion},
	{"resource.k8s.io", "DeviceTaintRule"}:                         {Rule: deviceTaintRule},
	{"", "ComponentStatus"}:                                        {Rule: componentStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "ResourcePoolStatusRequest"}:               {Rule: resourcePoolStatusRequest},

	// dynamic resources, job sets and groups of leaders and workers
	{"jobset.x-k8s.io", "JobSet"}:                   {Rule: jobSet},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet"}: {Rule: leaderWorkerSet},
	{"resource.k8s.io", "ResourceClaim"}:            {Rule: resourceClaim, Generation: schema.GenerationByRule},

	// workloads of other projects
	{"apps.kruise.io", "CloneSet"}:                     {Rule: cloneSet, Generation: schema.GenerationRequired},
	{"apps.kruise.io", "StatefulSet"}:                  {Rule: kruiseStatefulSet, Generation: schema.GenerationRequired},
	{"apps.kruise.io", "DaemonSet"}:                    {Rule: kruiseDaemonSet, Generation: schema.GenerationRequired},
	{"apps.kruise.io", "UnitedDeployment"}:             {Rule: unitedDeployment, Generation: schema.GenerationRequired},
	{"argoproj.io", "Application"}:                     {Rule: argoApplication, Generation: schema.GenerationByRule},
	{"argoproj.io", "Rollout"}:                         {Rule: argoRollout, Generation: schema.GenerationByRule},
	{"promoter.argoproj.io", "ChangeTransferPolicy"}:   {Rule: changeTransferPolicy},
	{"promoter.argoproj.io", "PromotionStrategy"}:      {Rule: promotionStrategy},
	{"chaos-mesh.org", "AWSChaos"}:                     {Rule: chaos},
	{"chaos-mesh.org", "AzureChaos"}:                   {Rule: chaos},
	{"chaos-mesh.org", "BlockChaos"}:                   {Rule: chaos},
	{"chaos-mesh.org", "CloudStackVMChaos"}:            {Rule: chaos},
	{"chaos-mesh.org", "DNSChaos"}:                     {Rule: chaos},
	{"chaos-mesh.org", "GCPChaos"}:                     {Rule: chaos},
	{"chaos-mesh.org", "HTTPChaos"}:                    {Rule: chaos},
	{"chaos-mesh.org", "IOChaos"}:                      {Rule: chaos},
	{"chaos-mesh.org", "JVMChaos"}:                     {Rule: chaos},
	{"chaos-mesh.org", "K8SChaos"}:                     {Rule: chaos},
	{"chaos-mesh.org", "KernelChaos"}:                  {Rule: chaos},
	{"chaos-mesh.org", "NetworkChaos"}:                 {Rule: chaos},
	{"chaos-mesh.org", "PhysicalMachineChaos"}:         {Rule: chaos},
	{"chaos-mesh.org", "PodChaos"}:                     {Rule: chaos},
	{"chaos-mesh.org", "StressChaos"}:                  {Rule: chaos},
	{"chaos-mesh.org", "TimeChaos"}:                    {Rule: chaos},
	{"metrics.keptn.sh", "Analysis"}:                   {Rule: keptnAnalysis},
	{"numaflow.numaproj.io", "Pipeline"}:               {Rule: numaflow},
	{"numaflow.numaproj.io", "MonoVertex"}:             {Rule: numaflow},
	{"numaflow.numaproj.io", "InterStepBufferService"}: {Rule: numaflow},

	// Cluster API
	{"cluster.x-k8s.io", "Cluster"}:                          {Rule: capiCluster, Generation: schema.GenerationByRule},
	{"cluster.x-k8s.io", "ClusterClass"}:                     {Rule: capiClusterClass, Generation: schema.GenerationByRule},
	{"cluster.x-k8s.io", "Machine"}:                          {Rule: capiMachine, Generation: schema.GenerationByRule},
	{"cluster.x-k8s.io", "MachineSet"}:                       {Rule: capiMachineSet, Generation: schema.GenerationByRule},
	{"cluster.x-k8s.io", "MachineDeployment"}:                {Rule: capiMachineDeployment, Generation: schema.GenerationByRule},
	{"cluster.x-k8s.io", "MachinePool"}:                      {Rule: capiMachinePool, Generation: schema.GenerationByRule},
	{"cluster.x-k8s.io", "MachineHealthCheck"}:               {Rule: capiHealthCheck, Generation: schema.GenerationByRule},
	{"controlplane.cluster.x-k8s.io", "KubeadmControlPlane"}: {Rule: capiControlPlane, Generation: schema.GenerationByRule},
	{"bootstrap.cluster.x-k8s.io", "KubeadmConfig"}:          {Rule: capiBootstrap, Generation: schema.GenerationByRule},
	{"addons.cluster.x-k8s.io", "ClusterResourceSet"}:        {Rule: capiResourceSet, Generation: schema.GenerationByRule},
	{"runtime.cluster.x-k8s.io", "ExtensionConfig"}:          {Rule: capiExtension, Generation: schema.GenerationByRule},
	{"ipam.cluster.x-k8s.io", "IPAddressClaim"}:              {Rule: capiAddressClaim, Generation: schema.GenerationByRule},

	// OpenShift, the Operator Lifecycle Manager, KubeVirt and Metal3
	{"apps.openshift.io", "DeploymentConfig"}: {Rule: deploymentConfig, Generation: schema.GenerationRequired},
	{"operators.coreos.com", "Subscription"}:  {Rule: olmSubscription},
	{"kubevirt.io", "VirtualMachine"}:         {Rule: virtualMachine, Generation: schema.GenerationByRule},
	{"hive.openshift.io", "ClusterPool"}:      {Rule: clusterPool},
	{"metal3.io", "BareMetalHost"}:            {Rule: bareMetalHost},

	// secrets from external stores
	{"external-secrets.io", "ExternalSecret"}: {Rule: externalSecret},

	// kinds without a status
	{"", "Secret"}: {Rule: secret, Generation: schema.GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "ClusterRole"}: {Rule: clusterRole, Generation: schema.GenerationByRule, NoStatus: true},
	{"", "ConfigMap"}:      {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"", "Endpoints"}:      {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"", "Event"}:          {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"", "LimitRange"}:     {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"", "PodTemplate"}:    {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"", "ServiceAccount"}: {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicy"}:          {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"}:   {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:     {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"}: {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"}:   {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"apps", "ControllerRevision"}:                                       {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"certificates.k8s.io", "ClusterTrustBundle"}:                        {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"coordination.k8s.io", "Lease"}:                                     {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"coordination.k8s.io", "LeaseCandidate"}:                            {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"discovery.k8s.io", "EndpointSlice"}:                                {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"events.k8s.io", "Event"}:                                           {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"gateway.networking.k8s.io", "ReferenceGrant"}:                      {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"metrics.k8s.io", "NodeMetrics"}:                                    {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"metrics.k8s.io", "PodMetrics"}:                                     {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"networking.k8s.io", "IPAddress"}:                                   {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"networking.k8s.io", "IngressClass"}:                                {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"networking.k8s.io", "NetworkPolicy"}:                               {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"node.k8s.io", "RuntimeClass"}:                                      {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "ClusterRoleBinding"}:                  {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "Role"}:                                {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"rbac.authorization.k8s.io", "RoleBinding"}:                         {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "DeviceClass"}:                                   {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "ResourceClaimTemplate"}:                         {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"resource.k8s.io", "ResourceSlice"}:                                 {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"scheduling.k8s.io", "PriorityClass"}:                               {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"scheduling.k8s.io", "Workload"}:                                    {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "CSIDriver"}:                                      {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "CSINode"}:                                        {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "CSIStorageCapacity"}:                             {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "StorageClass"}:                                   {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"storage.k8s.io", "VolumeAttributesClass"}:                          {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"addons.cluster.x-k8s.io", "ClusterResourceSetBinding"}:             {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate"}:              {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"cluster.x-k8s.io", "MachineDrainRule"}:                             {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"clusterctl.cluster.x-k8s.io", "Metadata"}:                          {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"clusterctl.cluster.x-k8s.io", "Provider"}:                          {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"controlplane.cluster.x-k8s.io", "KubeadmControlPlaneTemplate"}:     {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"ipam.cluster.x-k8s.io", "IPAddress"}:                               {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
	{"extensions", "NetworkPolicy"}:                                      {Rule: noStatus, Generation: schema.GenerationByRule, NoStatus: true},
}
