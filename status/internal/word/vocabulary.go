package word

import "strings"

// vocabulary holds the words that controllers make states, condition types and
// reasons of. Words that are not in it get their sense from their ending, see
// senseOf.
//
// To teach kstatus a word, add it here and a text that contains it to
// testdata/words.cases. If only one kind gives a word its meaning, add a hint for
// the kind instead.
var vocabulary = func() map[string]sense {
	table := map[string]sense{}
	for polarity, list := range polarities {
		for _, w := range strings.Fields(list) {
			table[w] = sense{polarity: polarity}
		}
	}
	for class, list := range classes {
		for _, w := range strings.Fields(list) {
			table[w] = sense{class: class}
		}
	}
	return table
}()

// polarities holds the words that mean the same wherever they are.
var polarities = map[Polarity]string{
	Ready: `
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
	Progressing: `
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
	Failing: `
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
	Suspended: `
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
	Neutral: `
		deprecated deprecation drifted drift
		info information informational
		notification
		recommendation recommended
		warning warnings
		upgradable upgradeable`,
}

// classes holds the words whose meaning depends on the rest of the text.
var classes = map[class]string{
	removal: `
		deactivated decommissioned deleted deprovisioned deregistered destroyed detached discarded drained dropped
		erased
		removed
		scheduled
		uninstalled unloaded unmounted`,
	existence: `
		detected discovered
		encountered exist exists
		found
		observed occurred
		present
		raised reported
		seen`,
	negation: `no not non never none without isnt arent lack lacks zero`,
}

// phrases holds the texts whose meaning differs from that of their words, without
// spaces, signs and capitals.
var phrases = map[string]Polarity{
	"actionrequired":         Failing, // of somebody else
	"atlatestknown":          Ready,   // OLM: nothing newer is known
	"createdsuccessfully":    Ready,
	"crashloopbackoff":       Failing,
	"errimagepull":           Failing,
	"imagepullbackoff":       Failing,
	"healthok":               Ready,
	"healtherr":              Failing,
	"healthwarn":             Failing,
	"initial":                Progressing,
	"inservice":              Ready,
	"outofservice":           Failing,
	"rolledback":             Failing,
	"rollbackcomplete":       Failing,
	"updaterollbackcomplete": Failing,
	"inprogress":             Progressing,
	"inqueue":                Progressing,
	"noleader":               Progressing,
	"insync":                 Ready,
	"uptodate":               Ready,
	"outofdate":              Progressing,
	"outofsync":              Failing,
	"outofmemory":            Failing,
	"new":                    Progressing,
	"partialsuccess":         Failing,
	"partiallysucceeded":     Failing,
	"partiallycompleted":     Failing,
	"nomatchinginstance":     Failing,
	"nomatchinginstances":    Failing,
	"onhold":                 Suspended,
	"scaledtozero":           Suspended,
	"scaledown":              Progressing,
	"scaleup":                Progressing,
	"scaleddown":             Suspended,
	"scaledup":               Ready,
	"shuttingdown":           Progressing,
	"startingup":             Progressing,
	"settingup":              Progressing,
	"create":                 Progressing,
	"delete":                 Progressing,
	"download":               Progressing,
	"install":                Progressing,
	"restore":                Progressing,
	"scale":                  Progressing,
	"uninstall":              Progressing,
	"update":                 Progressing,
	"upgrade":                Progressing,
	"upload":                 Progressing,
	"spinningup":             Progressing,
	"bringingup":             Progressing,
	"cleaningup":             Progressing,
	"backingup":              Progressing,
	"failingover":            Progressing,
	"timedout":               Failing,
	"on":                     Ready,
	"off":                    Suspended,
	"poweroff":               Suspended,
	"poweredoff":             Suspended,
	"switchedoff":            Suspended,
	"turnedoff":              Suspended,
	"advertising":            Ready, // objects that are ready do these
	"announcing":             Ready,
	"consuming":              Ready,
	"following":              Ready,
	"forwarding":             Ready,
	"leading":                Ready,
	"monitoring":             Ready,
	"polling":                Ready,
	"scraping":               Ready,
	"streaming":              Ready,
	"watching":               Ready,
	"upgradeavailable":       Neutral,
	"updateavailable":        Neutral,
	"noncompliant":           Failing,
	"upgradepending":         Progressing,
}

// longestPhrase is the length up to which a text is looked up in phrases, with its
// spaces and signs.
const longestPhrase = 24

// phraseStarts holds the first letters of phrases.
var phraseStarts = func() (starts [256]bool) {
	for p := range phrases {
		starts[p[0]] = true
	}
	return starts
}()

// nouns holds the words ending in -ing that are not gerunds.
var nouns = words(`according anything binding billing during everything existing following including logging mapping matching monitoring networking
	nothing peering ping rating remaining ring routing scheduling sharing something string thing tracing using`)

// afterRunning holds the words that may follow Running without naming what is run:
// "Running on two nodes" is ready, "Running tests" is not.
var afterRunning = words("from since under with without leader master primary replica node nodes standalone")

// words returns the set of the words in a list.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
