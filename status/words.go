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
// [Hint].
var vocabulary = lexicon(lists)

var lists = map[meaning]string{
	good: `
		accepted achieved active admitted allocated alive allowed applied approved assigned associated attached authenticated authorized available
		balanced bound built
		certified clean closed complete completed compliant compatible configured confirmed connected consistent converged created current
		delivered deployed done
		elected enforced enrolled ensured established executed exported
		finalized finished fetched formed fresh fulfilled functional functioning
		generated good granted green
		healthy imported indexed initialised initialized injected insync installed issued
		joined latest launched linked listening live loaded
		matched merged migrated mounted
		normal nominal ok online open opened operational
		paired passed passing perfect permitted populated prepared processed programmed promoted propagated protected provisioned published pulled ran
		reachable ready realized reconciled redeemed registered released renewed replicated resolved responding restored retrieved running
		satisfied saved secured sealed sent served serving settled signed stable stored succeed succeeded success successful successfully synced synchronised synchronized
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
var nouns = set(`according binding billing during existing following including logging mapping matching monitoring networking
	nothing peering ping rating remaining ring routing scheduling sharing string thing tracing using`)

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

// A phrase is a text of one or more words in any spelling: "NotReady",
// "HEALTH_OK", "Cluster in healthy state", "platform.example.com/pod-ready".
type phrase string

// state returns what a state word says: the strongest of what its words say.
// A phrase with a word that turns its meaning, as "not ready", is busy if the
// rest is good, and good if the rest is bad.
func (p phrase) state() meaning {
	strongest := noMeaning
	p.words(func(m meaning, turned bool) {
		switch {
		case turned:
			m = m.contrary(busy)
		case m == going, m == due:
			m = busy
		case m == past, m == noticed:
			m = good
		}
		strongest = max(strongest, m)
	})
	return strongest
}

// goes reports whether the name of a condition is a word in -ing that no
// vocabulary has, such as ContinuousArchiving: it does not say whether that is
// to go on or to end.
func (p phrase) goes() bool {
	last := noMeaning
	p.words(func(m meaning, _ bool) { last = m })
	return last == going
}

// reason returns what the phrase says as a reason: as a state, but a word in
// -ing in the middle of it names a thing, as in PublishingStrategyExcludesLoadBalancer.
func (p phrase) reason() meaning {
	strongest := noMeaning
	p.words(func(m meaning, turned bool) {
		switch {
		case turned:
			m = m.contrary(busy)
		case m == going:
			m = noMeaning
		case m == due:
			m = busy
		case m == past, m == noticed:
			m = good
		}
		strongest = max(strongest, m)
	})
	words := wordReader{text: string(p)}
	first := meaningOf(words.next())
	last := first
	for word := words.next(); len(word) > 0; word = words.next() {
		last = meaningOf(word)
	}
	if first == going || last == going {
		strongest = max(strongest, busy)
	}
	return strongest
}

// role returns what it means that a condition of that type is True: what the
// last of its words that says anything says.
func (p phrase) role() meaning {
	last := noMeaning
	p.words(func(m meaning, turned bool) {
		switch {
		case m == noticed && (last == bad || last == neutral):
			if turned {
				last = good
			}
			return
		case turned:
			m = m.contrary(bad)
		case m == noticed:
			m = good
		case m == going:
			return
		case m == due:
			m = good
		}
		last = m
	})
	return last
}

// first returns the first byte, zero of an empty phrase.
func (p phrase) first() byte {
	if p == "" {
		return 0
	}
	return p[0]
}

// words calls visit with what each word says that says anything, and whether a
// word before it turns that, or once with what the phrase as a whole says.
func (p phrase) words(visit func(m meaning, turned bool)) {
	if len(p) <= longestPhrase && phraseStarts[lower(p.first())] {
		var room [longestPhrase]byte
		if m, ok := phrases[string(squeezed(room[:0], string(p)))]; ok {
			visit(m, false)
			return
		}
	}
	turned, goes, bound := false, false, false
	words := wordReader{text: string(p)}
	for word := words.next(); len(word) > 0; word = words.next() {
		m := meaningOf(word)
		if goes && (string(word) == "up" || string(word) == "down") { // setting up is no more up than scaling down is down
			m = noMeaning
		}
		if bound && string(word) == "reached" { // a limit, other than a goal, is not there to be reached
			m = bad
		}
		goes, bound = strings.HasSuffix(string(word), "ing"), string(word) == "limit" || string(word) == "quota"
		switch m {
		case noMeaning:
		case negator:
			turned = true
		default:
			visit(m, turned)
			turned = false
		}
	}
}

// A wordReader takes a text apart. A word begins after a space or a sign, and
// with a capital after a small letter.
type wordReader struct {
	text string
	at   int
	room [24]byte
}

// next returns the next word in small letters until the one after it is asked
// for; empty at the end. What is longer than any word of the vocabulary is cut off.
func (r *wordReader) next() []byte {
	word := r.room[:0]
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if len(word) > 0 && (starts(r.text, r.at) || !letter(c) && c != '\'') {
			break
		}
		if letter(c) && len(word) < cap(word) {
			word = append(word, lower(c))
		}
	}
	return word
}

// contrary returns what a phrase says that turns a word of that meaning. What is
// not good is on its way where it stands for a state, and trouble where it names
// a condition.
func (m meaning) contrary(ungood meaning) meaning {
	switch m {
	case good, idle, due, past, noticed:
		return ungood
	case bad:
		return good
	}
	return noMeaning
}

// meaningOf returns what a word in small letters says.
func meaningOf(word []byte) meaning {
	if m, ok := vocabulary[string(word)]; ok {
		return m
	}
	switch n := len(word); {
	case n > 5 && string(word[:2]) == "un" && string(word[n-2:]) == "ed":
		return busy
	case n > 5 && string(word[n-3:]) == "ing" && !nouns[string(word)]:
		return going
	case n > 4 && (string(word[n-2:]) == "ed" || string(word[n-3:]) == "ble"):
		return past
	}
	return noMeaning
}

// squeezed appends a text without spaces, signs and capitals; nothing of one
// that is too long to be a set phrase.
func squeezed(to []byte, text string) []byte {
	if len(text) > cap(to) {
		return to
	}
	for i := range len(text) {
		if letter(text[i]) {
			to = append(to, lower(text[i]))
		}
	}
	return to
}

// starts reports whether a capital begins a new word: after a small letter or a
// digit, or as the last of several if a small letter follows, as in "EKSReady".
func starts(text string, i int) bool {
	if c := text[i]; i == 0 || c < 'A' || c > 'Z' {
		return false
	}
	before := text[i-1]
	if before >= 'A' && before <= 'Z' {
		return i+1 < len(text) && text[i+1] >= 'a' && text[i+1] <= 'z'
	}
	return letter(before)
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
