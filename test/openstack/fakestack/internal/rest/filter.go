package rest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Tagged is a resource with tags.
type Tagged interface{ Tagged() *[]string }

// FieldsOf returns the fields of a resource as clients see them.
func FieldsOf(view any) map[string]any {
	data, err := json.Marshal(view)
	if err != nil {
		panic(err) // a resource that is no JSON
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		panic(err)
	}
	return fields
}

// TagsMatch applies the filters tags, tags-any, not-tags and not-tags-any.
func TagsMatch(has []string, q url.Values) bool {
	count := func(key string) (found, of int) {
		if !q.Has(key) {
			return 0, 0
		}
		wanted := strings.Split(q.Get(key), ",")
		for _, tag := range wanted {
			if slices.Contains(has, tag) {
				found++
			}
		}
		return found, len(wanted)
	}
	all, ofAll := count("tags")
	some, ofSome := count("tags-any")
	not, ofNot := count("not-tags")
	none, _ := count("not-tags-any")
	return all == ofAll && (ofSome == 0 || some > 0) && (ofNot == 0 || not < ofNot) && none == 0
}

// Controls are the parameters of lists that are no fields of the resources.
var Controls = []string{"tags", "tags-any", "not-tags", "not-tags-any", "fields", "limit", "marker", "sort_key", "sort_dir", "page_reverse"}

// Matches reports whether a resource has the fields that a list of neutron or octavia requests.
// unknown is a parameter that is no field.
func Matches(fields map[string]any, q url.Values) (ok bool, unknown string) {
	for key, wanted := range q {
		if slices.Contains(Controls, key) {
			continue
		}
		have, known := fields[key]
		if kind, isID := strings.CutSuffix(key, "_id"); isID && !known {
			// octavia: the ID of one of the resources that this one names
			key, known = "id", fields[kind+"s"] != nil
			have = fields[kind+"s"]
			wanted = []string{"id=" + wanted[0]}
		}
		if !known {
			return false, key
		}
		if !slices.ContainsFunc(wanted, func(w string) bool { return holds(have, w) }) {
			return false, ""
		}
	}
	return true, ""
}

// holds reports whether a field has a value. A value of an object's field is KEY=VALUE.
func holds(have any, wanted string) bool {
	switch have := have.(type) {
	case []any:
		return slices.ContainsFunc(have, func(item any) bool { return holds(item, wanted) })
	case map[string]any:
		key, value, _ := strings.Cut(wanted, "=")
		return have[key] != nil && holds(have[key], value)
	case bool:
		b, err := strconv.ParseBool(wanted)
		return err == nil && b == have
	case nil:
		return wanted == ""
	}
	return fmt.Sprint(have) == wanted
}

// Page returns the resources after the marker, up to the limit.
func Page[T Resource](all []T, q url.Values) []T {
	if i := slices.IndexFunc(all, func(r T) bool { return r.Identify().ID == q.Get("marker") }); i >= 0 {
		all = all[i+1:]
	}
	if n, err := strconv.Atoi(q.Get("limit")); err == nil && n > 0 && n < len(all) {
		all = all[:n]
	}
	return all
}
