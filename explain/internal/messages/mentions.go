package messages

import (
	"regexp"
	"strings"
)

// A Mention is an object that a message names with its kind. The kind may be any capitalized word.
type Mention struct{ Group, Kind, Namespace, Name string }

// The ways in which controllers name objects: Bucket "shop/assets", Bucket/shop/assets, Bucket
// assets is not ready, and buckets.example.com "assets" not found.
var (
	kindThenName   = regexp.MustCompile(`\b([A-Z][A-Za-z0-9]{1,62})(?:/| ?["'\x60]| named ["'\x60]?|: ?["'\x60])((?:[a-z0-9][a-z0-9.-]{0,62}/)?[a-z0-9][a-z0-9.-]{0,252})`)
	kindSpaceName  = regexp.MustCompile(`\b([A-Z][A-Za-z0-9]{1,62}) ((?:[a-z0-9][a-z0-9.-]{0,62}/)?[a-z0-9][a-z0-9.-]{0,252}[a-z0-9]|[a-z0-9])(?: (?:is|was|has|does|not|cannot|failed|to be|in)\b|[,;:.]?(?: |$))`)
	resourceQuoted = regexp.MustCompile(`\b([a-z][a-z0-9]{1,62})\.([a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,62})+) "([a-z0-9][a-z0-9./-]{0,252})"`)
)

// maxMentions is the maximum number of objects of one message.
const maxMentions = 10

// Mentions returns the objects that a message names, in the order of their forms. Many of them
// may be no objects: callers look up which kinds exist.
func Mentions(message string) (all []Mention) {
	seen := map[Mention]bool{}
	add := func(group, kind, name string) {
		m := Mention{Group: group, Kind: kind, Name: strings.TrimRight(name, ".")}
		if namespace, rest, ok := strings.Cut(m.Name, "/"); ok {
			m.Namespace, m.Name = namespace, rest
		}
		isField := strings.HasPrefix(m.Name, "status.") || strings.HasPrefix(m.Name, "spec.") || strings.HasPrefix(m.Name, "metadata.")
		if !isField && !seen[m] && len(all) < maxMentions {
			seen[m] = true
			all = append(all, m)
		}
	}
	for _, m := range kindThenName.FindAllStringSubmatch(message, maxMentions) {
		add("", m[1], m[2])
	}
	for _, m := range resourceQuoted.FindAllStringSubmatch(message, maxMentions) {
		add(m[2], singular(m[1]), m[3])
	}
	for _, m := range kindSpaceName.FindAllStringSubmatch(message, maxMentions) {
		add("", m[1], m[2])
	}
	return all
}

// singular returns the kind of a resource as far as its plural shows it.
func singular(resource string) string {
	switch {
	case strings.HasSuffix(resource, "ies"):
		return strings.TrimSuffix(resource, "ies") + "y"
	case strings.HasSuffix(resource, "sses"):
		return strings.TrimSuffix(resource, "es")
	}
	return strings.TrimSuffix(resource, "s")
}

// ReportsMissing reports whether a message says that something does not exist.
func ReportsMissing(message string) bool {
	return HasAny(strings.ToLower(message), "not found", "does not exist", "doesn't exist", "no such", "missing", "cannot find", "could not find", "unable to find", "notfound", "nonexistent", "non-existent")
}
