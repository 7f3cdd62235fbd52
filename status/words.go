package status

import "strings"

// A meaning is what a word says of an object.
type meaning uint8

// The meanings, the weakest first: of several in one phrase the strongest counts.
const (
	noMeaning meaning = iota
	neutral           // it says nothing about being there: a warning, a hint for upgrades
	good              // it is there
	idle              // it is stopped, and means to be
	busy              // it is on its way
	bad               // something is wrong
	negator           // it turns what follows into its contrary
	due               // as a state busy, in the name of a condition good: scheduled, removed
	past              // it ends in -ed or -able: as a state good, in the name of a condition most likely so
	noticed           // it says that something is there: good, unless that is bad, as in ErrorDetected
	going             // it ends in -ing: as a state busy, in the name of a condition nothing
)

// The vocabulary: the words that controllers make states, condition types and
// reasons of. A word ending in -ing that is not here means busy.
//
// To teach kstatus a word add it here and a phrase that has it to
// testdata/words.cases; to teach it what one kind alone means by a word, use a
// hint.
var vocabulary = lexicon(lists)

var lists = map[meaning]string{
	good: `
		accepted achieved active admitted allocated alive allowed applied approved assigned associated attached authenticated authorized available
		balanced bound built
		certified clean closed complete completed compliant compatible configured confirmed connected consistent converged created current
		delivered deployed done
		elected enforced enrolled ensured established executed exported
		finalized finished fetched fine formed fresh fulfilled functional functioning
		generated good granted green
		happy healthy imported indexed initialised initialized injected insync installed issued
		joined latest launched linked listening live loaded
		matched merged migrated mounted
		normal nominal ok online open opened operational optimal
		paired passed passing perfect permitted populated prepared processed programmed promoted propagated protected provisioned published pulled ran
		reachable ready realized reconciled redeemed registered released renewed replicated resolved responding restored retrieved running
		satisfied saved secured sealed sent served serving settled signed stable steady stored succeed succeeded success successful successfully synced synchronised synchronized
		trusted unblocked unchanged unified unlimited unlocked unsealed up updated upgraded uptodate uploaded usable
		valid validated verified working written`,
	busy: `
		awaiting await ascending being bootstrap
		deferred delayed draining
		incomplete inprogress init inactive
		outdated
		partial partially pending planned progress provisional
		queued
		needed
		requested required requeued restart retry
		stale standby submitted
		unbound unattached unassigned uncertain uninitialized unknown unprovisioned unready unreconciled unschedulable unset unsynced unspecified undetermined unapproved unscheduled unregistered undeployed
		wait waits yellow
		creating deleting deploying downgrading evicting importing initializing initialising installing migrating pausing progressing
		provisioning reconciling rebalancing rebooting recovering replacing resizing restarting restoring resuming rolling scaling starting stopping
		syncing terminating unpacking updating upgrading waiting`,
	bad: `
		abandoned abort aborted abnormal
		backoff bad blocked broken
		cancelled canceled cannot circular compromised conflict conflicted conflicting conflicts corrupt corrupted crash crashed crashloop crashloopbackoff crashing critical
		dangling dead deadlock deadlocked degraded denied disconnected disrupted disrupting down duplicate duplicated
		err error errored errors evicted exceeded exception exhausted expired
		fail failed failing fails failure failures fatal faulted faulty forbidden
		illegal impossible inaccessible irreconcilable incompatible inconsistent infected insufficient interrupted invalid invalidated issue issues
		killed
		lost
		malformed mismatch mismatched misconfigured misconfiguration missing misplaced
		noncompliant
		offline oom oomkilled orphan orphaned overloaded overlapping
		panic panicked permanent poisoned preempted pressure problem problems
		quarantined
		red refused reject rejected revoked
		severe split stall stalled stuck
		terminal terminated throttled throttling timedout timeout
		unable unaccepted unauthenticated unauthorized unavailable unexpected unhealthy unmanageable unmet unreachable unrecoverable unreconcilable unrecognized unresolved unresponsive unsafe unsatisfiable unsatisfied unsealable unstable unsuccessful unsupported untrusted
		vetoed violated violation violations
		wrong`,
	idle: `
		archived asleep
		disabled dormant
		freezed frozen
		halted hibernated hibernate
		idle
		pause paused
		quiesced
		retired
		shutdown skipped sleeping stopped suspend suspended
		unused`,
	neutral: `
		deprecated deprecation drifted drift
		info information informational
		notification
		recommendation recommended
		warning warnings
		upgradable upgradeable`,
	due: `
		deactivated decommissioned deleted deprovisioned deregistered destroyed detached discarded drained dropped
		erased
		removed
		scheduled
		uninstalled unloaded unmounted`,
	noticed: `
		detected discovered
		encountered exist exists
		found
		observed occurred
		present
		raised reported
		seen`,
	negator: `no not non never none without isnt arent lack lacks zero`,
}

// The phrases that mean something else than their words do, as they stand
// without spaces, signs and capitals.
var phrases = map[string]meaning{
	"actionrequired":         bad,  // of somebody else
	"atlatestknown":          good, // OLM: nothing newer is known
	"createdsuccessfully":    good,
	"crashloopbackoff":       bad,
	"errimagepull":           bad,
	"imagepullbackoff":       bad,
	"healthok":               good,
	"healtherr":              bad,
	"healthwarn":             bad,
	"initial":                busy,
	"inservice":              good,
	"outofservice":           bad,
	"rolledback":             bad,
	"rollbackcomplete":       bad,
	"updaterollbackcomplete": bad,
	"inprogress":             busy,
	"inqueue":                busy,
	"noleader":               busy,
	"insync":                 good,
	"uptodate":               good,
	"outofdate":              busy,
	"outofsync":              bad,
	"outofmemory":            bad,
	"new":                    busy,
	"partialsuccess":         bad,
	"partiallysucceeded":     bad,
	"partiallycompleted":     bad,
	"nomatchinginstance":     bad,
	"nomatchinginstances":    bad,
	"onhold":                 idle,
	"scaledtozero":           idle,
	"scaledown":              busy,
	"scaleup":                busy,
	"scaleddown":             idle,
	"scaledup":               good,
	"shuttingdown":           busy,
	"startingup":             busy,
	"settingup":              busy,
	"create":                 busy,
	"delete":                 busy,
	"download":               busy,
	"install":                busy,
	"restore":                busy,
	"scale":                  busy,
	"uninstall":              busy,
	"update":                 busy,
	"upgrade":                busy,
	"upload":                 busy,
	"spinningup":             busy,
	"bringingup":             busy,
	"cleaningup":             busy,
	"backingup":              busy,
	"failingover":            busy,
	"timedout":               bad,
	"on":                     good,
	"off":                    idle,
	"poweroff":               idle,
	"poweredoff":             idle,
	"switchedoff":            idle,
	"turnedoff":              idle,
	"advertising":            good, // what is there does these for as long as it is there
	"announcing":             good,
	"consuming":              good,
	"following":              good,
	"forwarding":             good,
	"leading":                good,
	"monitoring":             good,
	"polling":                good,
	"scraping":               good,
	"streaming":              good,
	"watching":               good,
	"upgradeavailable":       neutral,
	"updateavailable":        neutral,
	"noncompliant":           bad,
	"upgradepending":         busy,
}

const longestPhrase = 24 // with signs and spaces

// The letters that set phrases begin with.
var phraseStarts = func() (starts [256]bool) {
	for p := range phrases {
		starts[p[0]] = true
	}
	return starts
}()

// The words in -ing that do not say that something goes on.
var nouns = set(`according anything binding billing during everything existing following including logging mapping matching monitoring networking
	nothing peering ping rating remaining ring routing scheduling sharing something string thing tracing using`)

// The words after Running that do not say what is run.
var afterRunning = set("from since under with without leader master primary replica node nodes standalone")

// lexicon turns lists of words into a table.
func lexicon(lists map[meaning]string) map[string]meaning {
	table := map[string]meaning{}
	for m, list := range lists {
		for _, w := range strings.Fields(list) {
			table[w] = m
		}
	}
	return table
}

func set(list string) map[string]bool {
	table := map[string]bool{}
	for _, w := range strings.Fields(list) {
		table[w] = true
	}
	return table
}
