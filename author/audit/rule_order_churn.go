package audit

import (
	"encoding/json"
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var orderChurn = &Rule{
	ID: "W-28", Name: "order-churn", Severity: severity.Warning,
	Doc: `The items of a list in the status keep their order while nothing else changes

Every watch, and every client that compares versions as text, sees a change although
nothing has changed. The usual cause is a loop over a map. Sort the items by a key
before you write them, and write conditions in the order of their declaration. A
violation is that the order of a list changes Limits.MinRepeats times at one
generation.`,
	OnChange: func(p *Pass) {
		times := existingState[map[string]int](p)
		if p.New.Generation != p.Old.Generation {
			if times != nil {
				clear(*times)
			}
			return
		}
		for _, path := range reorderedLists(p) {
			if times == nil || *times == nil {
				times = State[map[string]int](p)
				*times = map[string]int{}
			}
			if len(*times) >= maxWriterCounts && (*times)[path] == 0 {
				return
			}
			if (*times)[path]++; (*times)[path] >= p.Options.MinRepeats {
				p.Report(path, "the order of its items changed %d times at generation %d", (*times)[path], p.New.Generation)
			}
		}
	},
}

// reorderedLists returns the lists of the status whose order changed: the conditions
// in any case, other lists only if nothing else changed except times.
func reorderedLists(p *Pass) (paths []string) {
	lists := false
	for _, c := range p.Changes() {
		switch {
		case !strings.HasPrefix(c.Path, ".status."):
		case c.Order && c.Path == ".status.conditions":
			return []string{c.Path}
		case c.Order, hasIndex(c.Path):
			lists = true
		case !isTime(c.Old) || !isTime(c.New):
			return nil
		}
	}
	if !lists || !isPermutation(".status", p.Old.Status(), p.New.Status(), &paths) {
		return nil
	}
	slices.Sort(paths)
	return paths
}

// hasIndex reports whether a path contains the index of an item without a name.
func hasIndex(path string) bool {
	i := strings.IndexByte(path, '[')
	return i >= 0 && i+1 < len(path) && '0' <= path[i+1] && path[i+1] <= '9'
}

// isPermutation reports whether two values differ only in times and in the order of
// lists. It appends the paths of such lists to paths.
func isPermutation(path string, was, is any, paths *[]string) bool {
	switch is := is.(type) {
	case map[string]any:
		was, both := was.(map[string]any)
		if !both || len(was) != len(is) {
			return false
		}
		for k, v := range is {
			if old, ok := was[k]; !ok || !isPermutation(path+"."+k, old, v, paths) {
				return false
			}
		}
		return true
	case []any:
		was, both := was.([]any)
		switch {
		case !both || len(was) != len(is):
			return false
		case equal(was, is):
			return true
		case sameItems(was, is):
			*paths = append(*paths, path)
			return true
		}
		return false
	}
	return equal(was, is) || isTime(was) && isTime(is)
}

func sameItems(was, is []any) bool {
	return slices.Equal(sortedItems(was), sortedItems(is))
}

func sortedItems(list []any) (all []string) {
	for _, item := range list {
		data, err := json.Marshal(item)
		if err != nil {
			return nil
		}
		all = append(all, string(data))
	}
	slices.Sort(all)
	return all
}
