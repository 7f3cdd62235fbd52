package status

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Profile decides what counts as Current for a purpose. Profiles differ in tables: the stages
// of a verdict, the rules, how long a recoverable failure must last, and the status of some
// reasons.
//
// The zero Profile is the default one.
type Profile struct{ *profileData }

// A profileData holds the tables of a profile.
type profileData struct {
	name, doc  string
	stages     []stage
	kinds      Rules
	windows    map[string]time.Duration
	words      map[string]Status // the status of a reason where it differs from the rule's
	maxMessage int               // the length of the longest message in bytes; 0: without limit
	fixedRules bool              // a rule in an object does not replace one of kinds
	whole      bool              // only reports on the whole object make it Current, and no summary condition may be missing

	reconciling, stalled string // the names of the standard conditions
}

// The profiles. The zero Profile is profileDefault.
var (
	profileDefault = Profile{&profileData{
		name:        "default",
		doc:         "is the object ready: Jobs have completed, addresses are assigned, recoverable failures have lasted for a while",
		stages:      stages,
		kinds:       builtin,
		windows:     windows,
		maxMessage:  maxMessage,
		reconciling: ConditionReconciling,
		stalled:     ConditionStalled,
	}}
	profileStrict = profileDefault.derive("strict", "like default, but not Current is an object without evidence, with a report on a part only, or suspended with a failure", func(p *profileData) {
		p.whole = true
		p.words = map[string]Status{ReasonNoEvidence: UnknownStatus, ReasonObservedOnly: InProgressStatus, ReasonNoControllerEvidence: InProgressStatus, ReasonObservedGenerationNeverAdvanced: InProgressStatus}
	})
	profileStarted = profileDefault.derive("started", "has the object been started: a running Job and a Service that waits for its address are Current", func(p *profileData) {
		p.words = map[string]Status{ReasonRunning: CurrentStatus, ReasonFinishing: CurrentStatus, ReasonWaitingForAddress: CurrentStatus}
	})
)

// derive returns a profile that differs from p only in what change sets.
func (p Profile) derive(name, doc string, change func(*profileData)) Profile {
	data := *p.profileData
	data.name, data.doc = name, doc
	change(&data)
	return Profile{&data}
}

// maxMessage is the length of the longest message of a Result in bytes. Controllers write
// messages of any size, and callers keep one for every object.
const maxMessage = 1000

// windows is how long a recoverable failure must last before the object is Failed and not
// InProgress. A reason without an entry counts at once.
var windows = map[string]time.Duration{
	ReasonReportsFailure:         60 * time.Second,
	ReasonImagePullBackOff:       60 * time.Second,
	ReasonContainerError:         30 * time.Second,
	ReasonQuotaOrAdmissionDenied: 30 * time.Second,
	ReasonMetricsUnavailable:     60 * time.Second,
	ReasonUnavailable:            30 * time.Second,
	ReasonSnapshotError:          60 * time.Second,
	ReasonAttachError:            30 * time.Second,
}

// StrictProfile is the default profile with three exceptions. An object is not Current without
// evidence, with a report on a part only, or with a failure while it is suspended.
func StrictProfile() Profile { return profileStrict }

// StartedProfile checks only whether the object has been started.
func StartedProfile() Profile { return profileStarted }

// CompatProfile returns the same results as kstatus in cli-utils, bit for bit. Where that returns an
// error or panics, the status is Unknown, and the message names the field. A float where an integer
// must be is such an error, except for a whole number in a [Map], which encoding/json may have decoded.
func CompatProfile() Profile { return profileCompat }

// CompatRuleProfile is [CompatProfile] with the rule of the kind alone, as GetLegacyConditionsFn in
// cli-utils.
func CompatRuleProfile() Profile { return profileCompatRules }

// Profiles returns all profiles in the order in which help texts list them.
func Profiles() []Profile {
	return []Profile{profileDefault, profileStrict, profileStarted, profileCompat, profileCompat002}
}

// ParseProfile returns the profile with that name. The error lists the names.
func ParseProfile(name string) (Profile, error) {
	var names []string
	for _, p := range Profiles() {
		if p.name == name {
			return p, nil
		}
		names = append(names, p.name)
	}
	return Profile{}, fmt.Errorf("profile %q: want one of %s", name, strings.Join(names, ", "))
}

// Name returns the name of the profile, which [ParseProfile] accepts.
func (p Profile) Name() string { return p.orDefault().name }

// Doc describes the profile in one line.
func (p Profile) Doc() string { return p.orDefault().doc }

func (p Profile) orDefault() *profileData {
	if p.profileData == nil {
		return profileDefault.profileData
	}
	return p.profileData
}

// Stages yields the name and a description of each stage of a verdict, in order. The first stage
// with a result decides.
func (p Profile) Stages() iter.Seq2[string, string] {
	return func(yield func(name, doc string) bool) {
		for _, s := range p.orDefault().stages {
			if !yield(s.name, s.doc) {
				return
			}
		}
	}
}

// Rules returns a copy of the profile's table of rules.
func (p Profile) Rules() Rules { return maps.Clone(p.orDefault().kinds) }

// FailureWindows returns, by reason, how long a recoverable failure must last before the object
// is Failed and not InProgress.
func (p Profile) FailureWindows() map[string]time.Duration { return maps.Clone(p.orDefault().windows) }

// StatusOverrides returns the reasons that have another status than in the default profile.
func (p Profile) StatusOverrides() map[string]Status { return maps.Clone(p.orDefault().words) }

// Reasons returns the closed set of values of [Result.Reason] with their meaning. Their names
// are stable. The set is the same for all profiles except the compat profiles, for which it is
// nil. Those use the reasons of the library that they imitate.
func (p Profile) Reasons() []Reason {
	if p.isCompat() {
		return nil
	}
	return slices.Clone(reasons)
}

// isCompat reports whether the profile imitates another library.
func (p Profile) isCompat() bool {
	return p == profileCompat || p == profileCompatRules || p == profileCompat002
}
