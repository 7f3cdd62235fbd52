package status

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Profile is a reading of the same objects for another purpose. Profiles
// differ in tables: the stages of a verdict, the rules, how long a failure that may
// heal must last, and which word goes with a reason.
//
// The zero Profile is the default one.
type Profile struct{ *profileData }

// A profileData holds the tables of a profile.
type profileData struct {
	name, doc  string
	stages     []stage
	kinds      Rules
	windows    map[string]time.Duration
	words      map[string]Status // the word for a reason where it differs from the rule's
	maxMessage int               // the longest message in bytes; 0: without limit
	fixedRules bool              // no rule of an object takes the place of one of kinds

	reconciling, stalled string // the names of the standard conditions
}

// The profiles. The zero Profile means Default.
var (
	profileDefault = Profile{&profileData{
		name:        "default",
		doc:         "is it there: Jobs have completed, addresses are given, failures that may heal have lasted for a while",
		stages:      stages,
		kinds:       builtin,
		windows:     windows,
		maxMessage:  maxMessage,
		reconciling: ConditionReconciling,
		stalled:     ConditionStalled,
	}}
	profileStrict = Profile{&profileData{
		name:        "strict",
		doc:         "as default, but what nothing speaks for is not Current",
		stages:      stages,
		kinds:       builtin,
		windows:     windows,
		maxMessage:  maxMessage,
		reconciling: ConditionReconciling,
		stalled:     ConditionStalled,
		words:       map[string]Status{"NoEvidence": UnknownStatus, "ObservedOnly": InProgressStatus, "NoControllerEvidence": InProgressStatus, "ObservedGenerationNeverAdvanced": InProgressStatus},
	}}
	profileStarted = Profile{&profileData{
		name:        "started",
		doc:         "has it been started: a running Job and a Service that waits for its address are Current",
		stages:      stages,
		kinds:       builtin,
		windows:     windows,
		maxMessage:  maxMessage,
		reconciling: ConditionReconciling,
		stalled:     ConditionStalled,
		words:       map[string]Status{"Running": CurrentStatus, "Finishing": CurrentStatus, "WaitingForAddress": CurrentStatus},
	}}
)

// maxMessage is the longest message of a Result in bytes. Controllers write messages
// of any size, and callers keep one for every object.
const maxMessage = 1000

// How long a failure that may heal must have lasted before it is Failed rather
// than InProgress. A reason that is not named here counts at once.
var windows = map[string]time.Duration{
	"ImagePullBackOff":       60 * time.Second,
	"ContainerError":         30 * time.Second,
	"QuotaOrAdmissionDenied": 30 * time.Second,
	"MetricsUnavailable":     60 * time.Second,
	"Unavailable":            30 * time.Second,
	"SnapshotError":          60 * time.Second,
	"AttachError":            30 * time.Second,
}

// StrictProfile is Default, but what nothing speaks for is not Current.
func StrictProfile() Profile { return profileStrict }

// StartedProfile judges whether the object has been started.
func StartedProfile() Profile { return profileStarted }

// CompatProfile answers what kstatus in cli-utils answers today, bit for bit.
func CompatProfile() Profile { return profileCompat }

// Profiles lists all profiles in the order in which help texts show them.
func Profiles() []Profile {
	return []Profile{profileDefault, profileStrict, profileStarted, profileCompat, profileCompat002}
}

// ParseProfile returns the profile with that name.
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

// Name returns the name by which [ParseProfile] finds the profile.
func (p Profile) Name() string { return p.orDefault().name }

// Doc says in one line what the profile is for.
func (p Profile) Doc() string { return p.orDefault().doc }

func (p Profile) orDefault() *profileData {
	if p.profileData == nil {
		return profileDefault.profileData
	}
	return p.profileData
}

// Stages yields the name and a description of each stage of a verdict, in their order.
// The first stage that has a result decides.
func (p Profile) Stages() iter.Seq2[string, string] {
	return func(yield func(name, doc string) bool) {
		for _, s := range p.orDefault().stages {
			if !yield(s.name, s.doc) {
				return
			}
		}
	}
}

// Rules returns a copy of the table of kinds that the profile judges by.
func (p Profile) Rules() Rules { return maps.Clone(p.orDefault().kinds) }

// FailureWindows returns how long a failure that may heal must have lasted, by
// reason, before it is Failed rather than InProgress.
func (p Profile) FailureWindows() map[string]time.Duration { return maps.Clone(p.orDefault().windows) }

// StatusOverrides returns the reasons for which the profile has another word than the
// default profile.
func (p Profile) StatusOverrides() map[string]Status { return maps.Clone(p.orDefault().words) }

// Reasons returns the closed set of values of [Result.Reason] with what they mean. Their
// names are stable. It is the same set for all profiles but those of compatibility,
// which have the reasons of the library that they are compatible with; for them it is nil.
func (p Profile) Reasons() []Reason {
	if p.orDefault().isCompat() {
		return nil
	}
	return slices.Clone(reasons)
}

// isCompat reports whether the profile gives the answers of another library.
func (p *profileData) isCompat() bool {
	return p == profileCompat.profileData || p == profileCompat002.profileData
}
