package field

import (
	"slices"
	"strings"

	"kstatus.dev/status/internal/word"
)

// A Role is what fields of a name mean. A name can have several roles.
type Role uint16

// The roles.
const (
	StateWord    Role = 1 << iota // it holds the state in a word
	OutcomeWord                   // it holds an outcome as a word
	ReadyBool                     // it is true in the normal state, and false while the object is in progress
	ErrorText                     // it holds an error if it is set
	PastError                     // it holds the last error, which may be solved
	SummaryMap                    // it is a map that describes the whole object; other maps describe a part
	ForeignMap                    // it holds desired or past state, or text of another system
	DecidingList                  // its items together decide whether the object is ready: its parents or its addresses
	StartTime                     // the time at which a run began
	EndTime                       // the time at which a run ended
	FailTime                      // the time at which the object failed
	Colour                        // it holds the health as a colour: green, yellow or red
	PartBool                      // it is true while a part is ready
	Percentage                    // it holds how much of the work is done, in percent
)

// Is reports whether the role includes another one.
func (r Role) Is(one Role) bool { return r&one != 0 }

// roles maps names to their roles.
var roles = func() map[string]Role {
	table := map[string]Role{}
	for role, list := range map[Role]string{
		StateWord: `phase state status health compliant`,
		ReadyBool: `accepted admitted applied available bound clusterReady complete completed connected controlPlaneReady deployed
	healthy infrastructureReady initialised initialized installed isConnected isHealthy isReady online programmed
	provisioned reachable ready readyToUse reconciled registered succeeded synced valid`,
		ErrorText: `error errors failures errorMessage errorReason errorDescription errorMsg errMsg failure failureMessage failureReason reconcileError
	statusError syncError validationErrors validationError
	errorCode errorDetail errorDetails failReason failedMessage failedReason failureCode failureDetail failureDetails`,
		OutcomeWord:  `result outcome conclusion`,
		PastError:    `lastError lastErrorMessage lastErrors lastFailure lastFailureMessage`,
		SummaryMap:   `health operation lastOperation summary overall state status statuses`,
		ForeignMap:   `atProvider forProvider template config configuration parameters spec manifest labels annotations selector history events`,
		DecidingList: `parents ancestors controllers bindings listeners ingress`,
		StartTime:    `startTime startTimestamp startedAt startedTime`,
		EndTime: `completeTime completedAt completedTime completionTime completionTimestamp endTime endTimestamp endedAt finishTime finishTimestamp finishedAt
	finishedTime`,
		FailTime:   `failedAt failedTime failureTime failureTimestamp`,
		Colour:     `color colour health status state`,
		PartBool:   `available connected healthy isConnected isHealthy isReady online reachable ready`,
		Percentage: `progress percentComplete percentCompleted percentageComplete progressPercent progressPercentage completionPercentage`,
	} {
		for _, name := range strings.Fields(list) {
			table[name] |= role
		}
	}
	return table
}()

// RoleOf returns the roles of a name; zero if it has none.
func RoleOf(name string) Role { return roles[name] }

// stateSuffixes are the ends of the names of fields that hold a word for one aspect
// of the state, such as deploymentStatus.
var stateSuffixes = []string{"Phase", "State", "Status", "Health", "Stage", "_status", "_state", "_phase", "readiness", "robustness"}

// foreignSuffixes are the ends of the names of maps and lists that hold what is
// requested, or a past state.
var foreignSuffixes = []string{"Spec", "Ref", "Template", "Selector", "Labels", "Annotations", "History", "Histories", "Events"}

// The first words of fields that end in one of stateSuffixes.
var (
	// wholePrefixes: the state is that of the object as a whole.
	wholePrefixes = []string{"overall", "current", "printable", "summary", "aggregated", "global", "health", "resource", "object", "sync", "reconcile", "update", "cluster"}
	// otherPrefixes: the state is not the current one.
	otherPrefixes = []string{"desired", "target", "previous", "last", "old", "expected", "requested", "initial", "past", "prior", "next", "wanted"}
)

// IsState reports whether a field holds a word for one aspect of the state, such as
// deploymentStatus.
func IsState(name string) bool { return word.HasAnySuffix(name, stateSuffixes) }

// IsStateOf reports whether a field of a map holds the word for the state that the map describes.
// Their names show it: provisioningState in provisioningStatus, currentStateSummary in currentState.
func IsStateOf(part, name string) bool {
	if len(name) > len(part) && strings.HasPrefix(name, part) {
		return true
	}
	for _, end := range stateSuffixes {
		if stem, is := strings.CutSuffix(part, end); is && stem != "" && strings.HasPrefix(name, stem) {
			return slices.Contains(stateSuffixes, name[len(stem):])
		}
	}
	return false
}

// IsWhole reports whether the state in a field is that of the object as a whole, by the first word
// of its name.
func IsWhole(name string) bool { return word.HasAnyPrefix(name, wholePrefixes) }

// IsOther reports whether the state in a field is not the current one, by the first word of its
// name.
func IsOther(name string) bool { return word.HasAnyPrefix(name, otherPrefixes) }

// IsForeign reports whether a map or a list describes something else than the current state of
// the object.
func IsForeign(name string) bool {
	return RoleOf(name).Is(ForeignMap) || IsOther(name) || word.HasAnySuffix(name, foreignSuffixes)
}

// IsPercentage reports whether a field holds how much of the work is done, in percent.
func IsPercentage(name string) bool {
	return RoleOf(name).Is(Percentage) || strings.HasSuffix(name, "Progress") && !IsOther(name)
}

// IsConditions reports whether a list holds conditions of a part, such as nodeConditions.
func IsConditions(name string) bool {
	return name == "conditions" || strings.HasSuffix(name, "Conditions") && !IsOther(name)
}
