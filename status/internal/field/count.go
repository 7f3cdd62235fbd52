package field

import (
	"strings"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// countPrefixes are the first words of fields that count replicas or items in the wanted state,
// such as readyReplicas.
var countPrefixes = []string{"ready", "available", "updated", "healthy"}

// wantPrefixes are the first words of fields that hold the wanted number.
var wantPrefixes = []string{"desired", "expected", "total", "matched"}

// bareWants lists, for each field that counts items in the wanted state and has no noun, the fields
// that hold the wanted number. A total beside "updated" counts the items of the last run.
var bareWants = map[string][]string{
	"applied":   {"total", "desired", "matched"},
	"available": {"desired", "replicas", "matched"},
	"completed": {"total", "desired", "matched"},
	"failed":    {"total", "desired", "matched"},
	"healthy":   {"total", "desired", "replicas", "matched"},
	"ready":     {"size", "total", "desired", "replicas", "count", "matched"},
	"succeeded": {"total", "desired", "matched"},
	"updated":   {"desired", "replicas", "matched"},
}

// capacityNouns are the last words of fields that measure capacity and do not count: "available"
// means free there.
var capacityNouns = []string{
	"Addresses", "Bytes", "CPU", "CPUs", "Capacity", "Cores", "Cpu", "Disk", "GPU", "GPUs", "IPs", "Memory", "Quota", "Size", "Slots", "Space", "Storage",
	"Minutes", "Seconds", "Subnets", "Units",
}

// CountedNoun returns the noun of a field that counts, such as Replicas for readyReplicas. It is
// empty if the field does not count items in the wanted state.
func CountedNoun(name string) string {
	for _, start := range countPrefixes {
		if noun, ok := strings.CutPrefix(name, start); ok && noun != "" && noun[0] >= 'A' && noun[0] <= 'Z' && !word.HasAnySuffix(noun, capacityNouns) {
			return noun
		}
	}
	return ""
}

// ExpectedNoun returns the noun of a field with the number of items that the status wants, such as
// Nodes for desiredNodes. It is empty for other fields.
func ExpectedNoun(name string) string {
	for _, start := range wantPrefixes[:2] {
		if noun, ok := strings.CutPrefix(name, start); ok && strings.HasSuffix(noun, "s") && !word.HasAnySuffix(noun, capacityNouns) {
			return noun
		}
	}
	return ""
}

// WantedNumber returns the wanted number for a noun in the map that has its count.
func WantedNumber(m map[string]any, noun string) (int64, bool) {
	for _, start := range wantPrefixes {
		if n, ok := value.Int(OfNoun(m, start, noun)); ok {
			return n, true
		}
	}
	return 0, false
}

// BareWantedNumber returns the wanted number for a count without a noun, from the map that has the
// count.
func BareWantedNumber(m map[string]any, count string) (int64, bool) {
	for _, name := range bareWants[count] {
		if n, ok := Number(m, name); ok {
			return n, true
		}
	}
	return 0, false
}

// OfNoun returns the field named by a start and a noun, such as desiredNodes. Without a start
// it is the noun in lower case.
func OfNoun(m map[string]any, start, noun string) any {
	var room [48]byte
	name := append(append(room[:0], start...), noun...)
	if start == "" {
		if c := name[0]; c >= 'A' && c <= 'Z' {
			name[0] = c - 'A' + 'a'
		}
	}
	return m[string(name)]
}

// Number returns a field that holds a number.
func Number(m map[string]any, name string) (int64, bool) {
	v := m[name]
	if v == nil {
		return 0, false
	}
	return value.Int(v)
}
