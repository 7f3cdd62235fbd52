package casefile

import (
	"strings"
	"unicode"
)

// privateWords are the last words of the names of fields with values that may be private.
var privateWords = wordSet(`account address addresses arn author bucket certificate checksum cluster contact customer database
	digest dns domain email endpoint endpoints fqdn hash host hostname hosts id identifier identity ids image images ip ips key
	label labels leader link login mail master member name names namespace namespaces node nodes owner password path peer primary
	prefix project ref region registry repo repository revision secret server servers sha subject suffix team tenant token uid
	uri url urls user username users uuid value values zone zones`)

// stateWords are words in the names of fields with words about the state of an object.
var stateWords = wordSet(`availability available condition conditions health healthy lifecycle mode operation outcome phase phases
	progress provisioning reason ready reachability result results stage state states status step strategy sync type verdict`)

// specFields are the fields of a spec that a rule often needs.
var specFields = wordSet(`replicas paused pause suspend suspended`)

// publicWords are values that are never private, although they may be in a private field.
var publicWords = wordSet(`default true false none null auto enabled disabled kube-system`)

func wordSet(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		all[word] = true
	}
	return all
}

// fieldWords returns the words of a field name in lower case: "readyReplicas" has "ready" and
// "replicas", "podIP" has "pod" and "ip".
func fieldWords(name string) (words []string) {
	const longest = 100
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes) && i < longest; i++ {
		isEnd := i == len(runes) || !unicode.IsLetter(runes[i]) ||
			unicode.IsUpper(runes[i]) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && runes[i+1] != 's')
		if !isEnd {
			continue
		}
		if word := strings.TrimFunc(string(runes[start:i]), func(r rune) bool { return !unicode.IsLetter(r) }); word != "" {
			words = append(words, strings.ToLower(word))
		}
		start = i
	}
	return words
}

// isPrivateField reports whether the values of a field may be private.
func isPrivateField(name string) bool {
	words := fieldWords(name)
	return len(words) > 0 && privateWords[words[len(words)-1]]
}

// isStateField reports whether the values of a field are words about a state.
func isStateField(name string) bool {
	for _, word := range fieldWords(name) {
		if stateWords[word] {
			return true
		}
	}
	return false
}
