package explain

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A reasonRow lists the causes that explain verdicts with some reasons.
type reasonRow struct {
	reasons  string // of verdicts
	causes   string // the kinds of causes that explain them, in addition to those of anyReason
	notBelow string // the kinds of objects below which no cause explains them
}

// The reasons that say what is wrong. A reason that is in no row only says that an object
// is not ready, which any cause explains.
var reasonRows = []reasonRow{
	{"WaitingForAddress AddressFailed", "LoadBalancerUnclaimed LoadBalancerFailed ListenerRefused ReferenceNotPermitted", "Pod Deployment StatefulSet"},
	{"NotAccepted WaitingForParents", "RouteNotAccepted ListenerRefused ReferenceNotPermitted ReferenceUnresolved DefinitionRefused NameConflict", "Service"},
	{"ImagePullBackOff ImagePull InvalidImage", "ImageNotFound ImageAccessDenied ImageRateLimited RegistryUnreachable ImageNeverPull InvalidImageName ImagePlatform ImageSignature NoDiskSpace ImagePull ImagePulling", ""},
	{"CrashLoop", "CrashLoop ContainerCompleted ContainerFailed OutOfMemory LivenessProbe StartupProbe PostStartHook StartError ImagePlatform", ""},
	{"ContainerError", "KeyMissing RunAsNonRoot CreateContainerConfigError CreateContainerError StartError PostStartHook VolumeMount " +
		"CrashLoop ContainerCompleted ContainerFailed OutOfMemory LivenessProbe StartupProbe ImagePlatform", ""},
	{"Evicted", "", ""},
	{"Unschedulable", "Unschedulable DevicesMissing SchedulerSilent ClaimUnbound NoDefaultStorageClass NoVolumeFits VolumeMismatch VolumeLost ProvisionerSilent ProvisioningFailed Provisioning WaitForFirstConsumer", ""},
	{"SchedulingGated", "SchedulingGated", ""},
	{"ScaleTargetMissing", "ScaleTargetUnavailable", ""},
}

// The kinds of causes that explain verdicts with any reason. A needed object is missing,
// no controller works on the object, its node or an API fails, or its controller reports
// an error.
const anyReason = "ReferenceMissing RollbackTrap NamespaceMissing NamespaceTerminating KindNotServed WebhookUnavailable CertificateExpired " +
	"APIUnavailable NodeNotReady NodeSilent NodePressure Evicted Preempted ControllerSilent Suspended Paused NotFound Unreadable " +
	"ApplyFailed ProviderFailed Reported Unexplained"

// A relation is a reasonRow as sets.
type relation struct{ causes, notBelow map[string]bool }

// relations holds the rows by reason.
var relations = func() map[string]relation {
	all := map[string]relation{}
	for _, row := range reasonRows {
		for reason := range strings.FieldsSeq(row.reasons) {
			all[reason] = relation{setOf(row.causes + " " + anyReason), setOf(row.notBelow)}
		}
	}
	return all
}()

func setOf(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		all[word] = true
	}
	return all
}

// decidingReason returns the reason of the verdict on an object, or the reason of the
// part whose problem the verdict reports.
func (o *object) decidingReason() string {
	if o.Parts != nil && o.Parts.Reason != "" {
		return o.Parts.Reason
	}
	return o.Result.Reason
}

// isExplainedBy reports whether a finding below an object explains the verdict on it. Any
// finding explains why a Current object does not work as expected.
func (o *object) isExplainedBy(f finding) bool {
	r, isNarrow := relations[o.decidingReason()]
	if !isNarrow || o.isDone() || f.chain.isDependency() {
		return true
	}
	for l := f.chain; l != nil; l = l.below {
		if l.object != o && r.notBelow[l.object.ID.Kind.Kind] {
			return false
		}
	}
	return r.causes[f.kind]
}

// withVerdict adds the status of an object as evidence to findings that do not explain
// its verdict.
func (o *object) withVerdict(all []finding) []finding {
	if len(all) == 0 || o.Parts != nil || slices.ContainsFunc(all, o.isExplainedBy) {
		return all
	}
	f := o.reported()[0]
	f.at, f.chain = o, newLink(o, nil)
	return append(slices.Clip(all), f)
}

// orderFor orders the causes of an object, given as indices of groups, as in an explanation of that
// object alone. Causes that explain its verdict come first.
func orderFor(id status.ID, causes []int, groups []*group) []int {
	causes = append([]int{}, causes...)
	slices.SortStableFunc(causes, func(a, b int) int { return groups[a].compareFor(id, groups[b]) })
	return causes
}

// compareFor orders groups by the same criteria as compare, as far as they concern one requested
// object.
func (g *group) compareFor(id status.ID, other *group) int {
	return cmp.Or(
		rank(g.explains[id])-rank(other.explains[id]),
		g.urgency()-other.urgency(),
		cmp.Compare(other.affected[id], g.affected[id]),
		cmp.Compare(g.kind, other.kind),
		g.firstAt.Compare(other.firstAt),
		cmp.Compare(show.Line(g.first.text), show.Line(other.first.text)))
}
