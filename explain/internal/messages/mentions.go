package messages

import (
	"regexp"
	"strings"

	"kstatus.dev/status"
)

// The ways in which controllers name objects: Bucket "shop/assets", Bucket/shop/assets, Bucket
// assets is not ready, and buckets.example.com "assets" not found.
var (
	kindThenName   = regexp.MustCompile(`\b([A-Z][A-Za-z0-9]{1,62})(?:/| ?["'\x60]| named ["'\x60]?|: ?["'\x60])((?:[a-z0-9][a-z0-9.-]{0,62}/)?[a-z0-9][a-z0-9.-]{0,252})`)
	kindSpaceName  = regexp.MustCompile(`\b([A-Z][A-Za-z0-9]{1,62}) ((?:[a-z0-9][a-z0-9.-]{0,62}/)?[a-z0-9][a-z0-9.-]{0,252}[a-z0-9]|[a-z0-9])(?: (?:is|was|has|does|not|cannot|failed|to be|in)\b|[,;:.]?(?: |$))`)
	resourceQuoted = regexp.MustCompile(`\b([a-z][a-z0-9]{1,62})\.([a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,62})+) "([a-z0-9][a-z0-9./-]{0,252})"`)
)

// maxMentions is the maximum number of objects of one message.
const maxMentions = 10

// Mentions returns the objects that a message names with their kinds, in the order of their forms.
// Many of them may be no objects: a kind may be any capitalized word, and callers look up which
// kinds exist. The group is empty unless the message names it.
func Mentions(message string) (all []status.ID) {
	seen := map[status.ID]bool{}
	add := func(group, kind, name string) {
		id := status.ID{Kind: status.Kind{Group: group, Kind: kind}, Name: strings.TrimRight(name, ".")}
		if namespace, rest, ok := strings.Cut(id.Name, "/"); ok {
			id.Namespace, id.Name = namespace, rest
		}
		isField := strings.HasPrefix(id.Name, "status.") || strings.HasPrefix(id.Name, "spec.") || strings.HasPrefix(id.Name, "metadata.")
		if !isField && !seen[id] && len(all) < maxMentions {
			seen[id] = true
			all = append(all, id)
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
