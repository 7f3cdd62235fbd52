package word

import "strings"

// vocabulary holds the words that controllers use in states, condition types and reasons. Other
// words have a meaning only as the negation of a known word ("unbalanced"), and as a gerund
// ("Frobbing"); see senseOf.
//
// To add a word, put it here and add a text with it to testdata/words.cases. If only one kind
// uses a word with its meaning, add a hint for the kind instead.
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
	for _, w := range strings.Fields(ambiguous) {
		table[w] = sense{}
	}
	return table
}()

// lengths holds, for the first letter of a word, the lengths of the words of the vocabulary, as bits.
var lengths = func() (lengths [256]uint32) {
	for w := range vocabulary {
		lengths[w[0]] |= 1 << len(w)
	}
	return lengths
}()

// polarities holds the words with the same meaning in every text.
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
		normal nominal ok okay online open opened operational optimal
		paired passed passing perfect permitted populated prepared processed programmed promoted propagated protected provisioned published pulled ran
		reachable ready realized reconciled redeemed registered released renewed replicated resolved responding restored retrieved running
		satisfied saved secured sealed sent served serving settled signed stable steady stored succeed succeeded success successful successfully synced synchronised synchronized
		trusted unblocked unchanged unified unlimited unlocked unsealed up updated upgraded uptodate uploaded usable
		valid validated verified working written`,
	Progressing: `
		awaiting await ascending being bootstrap
		deferred delayed draining
		enqueued
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
		resyncing synchronizing syncing terminating unpacking updating upgrading waiting`,
	Failing: `
		abandoned abort aborted abnormal
		backoff bad blackholed blacklisted blocked breached bricked broken
		cancelled canceled cannot choked circular clogged compromised conflict conflicted conflicting conflicts congested could corrupt corrupted crash crashed crashloop crashloopbackoff crashing crippled critical
		damaged dangling dead deadlock deadlocked degraded denied denylisted depleted derailed deteriorated disconnected disqualified disrupted disrupting
		diverged doomed down duplicate duplicated dysfunctional
		err error errored errors evicted exceed exceeded exceeds exception exhausted expelled expired exploded
		fail failed failing fails failure failures fatal faulted faulty flapping flooded forbidden
		hacked hanging hijacked hung
		illegal impaired impossible inaccessible incapacitated incompatible inconsistent infeasible infected inoperable inoperative insufficient
		interrupted invalid invalidated irreconcilable irrecoverable irreparable issue issues
		jammed jeopardized
		killed
		leaked lost
		malfunction malfunctioned malfunctioning malformed maxed mismatch mismatched misconfigured misconfiguration missed missing misplaced
		noncompliant nonexistent nonfunctional nonrecoverable
		obstructed offline oom oomkilled orphan orphaned outage overallocated overcommitted overflow overflowed overheated overlapping overloaded
		oversubscribed overutilized overwhelmed
		panic panicked permanent poisoned preempted pressure problem problems
		quarantined
		red refused reject rejected revoked ruined
		sabotaged saturated severe shattered skewed split stall stalled starved stranded stuck
		tampered terminal terminated thrashing throttled throttling timedout timeout trapped tripped trouble troubled
		unable unaccepted unauthenticated unauthorized unavailable underprovisioned underreplicated unexpected unfeasible unhealthy unmanageable unmet unreachable unrecoverable unreconcilable unrecognized unresolved unresponsive unsafe unsatisfiable unsatisfied unsealable unstable unsuccessful unsupported untrusted unusable unviable
		vandalized vetoed violated violation violations vulnerable
		wedged wrecked wrong`,
	Suspended: `
		archived asleep
		disabled dormant
		halted hibernated hibernate
		idle
		mothballed
		pause paused
		quiesced
		retired
		shelved shutdown skipped sleeping snoozed stopped suspend suspended
		unmanaged unused`,
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
		deactivated decommissioned deleted deprovisioned deregistered destroyed detached discarded dropped
		erased
		purged
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
	participle: `
		accessible acked acknowledged acquired activated added addressable adopted advertised aggregated aligned allowlisted analysed analyzed announced
		annotated assembled attachable attested
		backed baked bindable bonded bootable booted bootstrapped bridged
		cached calculated calibrated captured cataloged checked checkpointed claimed classified cleaned cleared cloned clustered collected commissioned
		committed compacted compiled composed computed concluded consolidatable converted coordinated copied corrected
		declared decoded decrypted deduplicated defined delegated deployable described designated determined discoverable dispatched distributed
		documented downloaded drainable drained
		eligible embedded enabled encoded encrypted engaged enlisted enriched entitled evacuated evaluated examined expanded exposed extended extracted
		feasible federated filled filtered fixed flushed forwarded funded
		gathered governed grouped guaranteed
		handled hardened healed hosted hydrated
		identified implemented included ingested inherited inserted inspected installable instantiated instrumented integrated introspected invited invoked
		labeled labelled licensed listed located
		maintained manageable managed mapped marked materialised materialized measured migratable mirrored monitored mountable moved
		named negotiated normalised normalized notarized notified
		obtained offered onboarded operable opted optimised optimized orchestrated owned
		packaged parsed patched peered performed persisted pinged pinned placed pooled posted powered precached preloaded preserved primed probed produced
		projected provided proxied pruned pushed
		qualified queryable
		reached readable rebalanced rebooted received recognised recognized reconfigured reconnected recorded recovered recreated redeployed redirected
		reestablished referenced refreshed regenerated rehydrated reindexed reinstalled rejoined relayed reloaded relocated remediated remounted
		renamed rendered repaired replaced replenished reserved resharded resized resolvable responded restarted restorable resumable resumed resynced
		returned reviewed rotated routable routed runnable
		satisfiable scalable scaled scanned schedulable searchable seeded selected serialized serviceable sharded shipped sized snapshotted solved sourced spawned
		specified started streamed subscribed supplied supported switched
		tagged targeted tested tracked trained transcoded transferred transformed transitioned translated transmitted tuned
		unarchived uncordoned unpacked unpaused unsuspended
		verifiable versioned viable visible
		warmed watched whitelisted wired writable writeable`,
	position: `follower leader leased master occupied primary replica secondary use`,
	request:  `triggered`,
	negation: `no not non never none without isnt arent lack lacks zero`,
}

// ambiguous holds words with different meanings in different projects, which classify no text.
// They are listed if senseOf would give them a sense.
const ambiguous = `
	banned
	cordoned
	deallocated designed
	ended exited
	fenced flagged frozen
	immutable inbound inbuilt isolated
	limited locked
	partitioned possible
	questionable
	restricted
	tainted
	unconfined`

// phrases holds the texts whose meaning differs from that of their words, without
// spaces, signs and capitals.
var phrases = map[string]Polarity{
	"asexpected":             Ready,
	"actionrequired":         Failing, // an action of a user
	"atlatestknown":          Ready,   // OLM: no newer version is known
	"createdsuccessfully":    Ready,
	"crashloopbackoff":       Failing,
	"errimagepull":           Failing,
	"imagepullbackoff":       Failing,
	"healthok":               Ready,
	"healtherr":              Failing,
	"healthwarn":             Neutral,
	"initial":                Progressing,
	"inservice":              Ready,
	"outofservice":           Failing,
	"rolledback":             Failing,
	"rolledout":              Ready,
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
	"build":                  Progressing,
	"shutoff":                Suspended,
	"uninstall":              Progressing,
	"update":                 Progressing,
	"upgrade":                Progressing,
	"upload":                 Progressing,
	"spinningup":             Progressing,
	"bringingup":             Progressing,
	"cleaningup":             Progressing,
	"backingup":              Progressing,
	"failedover":             Ready,
	"failingover":            Progressing,
	"timedout":               Failing,
	"on":                     Ready,
	"off":                    Suspended,
	"poweroff":               Suspended,
	"poweredoff":             Suspended,
	"switchedoff":            Suspended,
	"turnedoff":              Suspended,
	"advertising":            Ready, // ready objects do this
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
	"ratelimited":            Failing,
	"upgradepending":         Progressing,
}

// maxPhraseWords is the longest text that is looked up in phrases, with its spaces and
// punctuation.
const maxPhraseWords = 24

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

// afterRunning holds the words after Running that do not name the thing that is run: "Running on
// two nodes" is ready, "Running tests" is not.
var afterRunning = words("from since under with without leader master primary replica node nodes standalone")

// words returns the set of the words in a list.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
