// Package problems finds the problems that the status of an object of any kind reports of its
// parts and in fields for errors.
package problems

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A Problem is one problem that a status reports.
type Problem struct {
	Text  string
	Paths []string // of the fields that report it, the most important first
}

// The limits of a search.
const (
	maxDepth    = 5
	maxFields   = 2000
	maxProblems = 3
	maxText     = 300
)

// Find returns the problems in a status, in the order of its fields. These are the texts of fields
// for errors, and the parts in lists and maps that have failed. Conditions of the object itself do
// not count.
func Find(of fields.Section) []Problem {
	s := &search{}
	s.visit(of, 0)
	if text, name := explanation(of, ""); len(s.found) == 0 && strings.Contains(text, " ") {
		s.add(text, of.Path+name)
	}
	return s.found[:min(len(s.found), maxProblems)]
}

// A search collects problems.
type search struct {
	found []Problem
	seen  int // the number of fields
}

func (s *search) visit(at fields.Section, depth int) {
	for _, name := range slices.Sorted(maps.Keys(at.Map)) {
		if s.seen++; s.seen > maxFields || len(s.found) >= maxProblems || depth > maxDepth {
			return
		}
		if isHistory(name) || depth == 0 && name == "conditions" {
			continue
		}
		path := at.Path + name
		switch v := at.Map[name].(type) {
		case string:
			if isErrorField(name) {
				s.add(v, path)
			}
		case map[string]any:
			s.visitMap(fields.Section{Map: v, Path: path + "."}, isErrorField(name), depth)
		case []any:
			for i, item := range v {
				at := path + "[" + strconv.Itoa(i) + "]"
				switch item := item.(type) {
				case string:
					if isErrorField(name) {
						s.add(item, at)
					}
				case map[string]any:
					s.visitMap(fields.Section{Map: item, Path: at + "."}, isErrorField(name), depth)
				}
			}
		}
	}
}

// visitMap visits an item of a list, or the value of a field. An error is its text; any other part
// is judged by the vocabulary for statuses.
func (s *search) visitMap(at fields.Section, isError bool, depth int) {
	if isError {
		if text, name := explanation(at, ""); text != "" {
			s.add(withPart(at, text), at.Path+name)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(at.Map)) {
			if text := at.Text("[" + key + "]"); text != "" {
				s.add(key+": "+text, strings.TrimSuffix(at.Path, ".")+"["+key+"]")
			}
		}
	}
	before := len(s.found)
	s.visit(at, depth+1)
	if text, path := failure(at); text != "" && len(s.found) == before {
		s.add(withPart(at, text), path, partPath(at))
	} else if text != "" && len(s.found) > before {
		p := &s.found[before]
		p.Text = show.Shorten(withPart(at, text)+": "+p.Text, maxText)
		p.Paths = append(p.Paths, path)
	}
}

func (s *search) add(text string, paths ...string) {
	if text = strings.TrimSpace(text); isBlank(text) || len(s.found) >= maxProblems {
		return
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return path == "" })
	s.found = append(s.found, Problem{Text: show.Shorten(text, maxText), Paths: paths})
}

// failure returns why a part has failed, and the field that reports it, or "".
func failure(at fields.Section) (text, path string) {
	if len(at.Map) == 0 {
		return "", ""
	}
	part := status.Map{"apiVersion": "part.example.com/v1", "kind": "Part", "metadata": map[string]any{"name": "part"}, "status": at.Map}
	result, reads, err := status.Evaluator{NoHints: true}.Explain(part)
	if err != nil || result.Status != status.FailedStatus && result.Failure == "" {
		return "", ""
	}
	text = strings.ReplaceAll(result.Message, "status.", at.Path)
	if why, _ := explanation(at, text); why != "" {
		text += ": " + why
	}
	for _, read := range reads {
		if rest, ok := strings.CutPrefix(read.Path, "status."); ok && read.Value != nil && strings.Contains(result.Message, read.Path) {
			return text, at.Path + rest
		}
	}
	return text, strings.TrimSuffix(at.Path, ".")
}

// The fields with a text for people, the most common first.
var textFields = [...]string{"message", "msg", "error", "errorMessage", "description", "detail", "details", "statusMessage", "stateMessage", "reason", "cause", "info"}

// explanation returns the first text for people in a part that another text lacks, and its field.
func explanation(at fields.Section, other string) (text, name string) {
	for _, name := range textFields {
		if text := strings.TrimSpace(at.Text(name)); !isBlank(text) {
			if strings.Contains(other, text) {
				return "", ""
			}
			return text, name
		}
	}
	return "", ""
}

// The fields that name a part, the most common first.
var partNames = [...]string{"name", "domain", "host", "hostname", "key", "id", "node", "nodeName", "member", "instance", "path", "address", "region", "zone", "target", "cluster"}

// partName returns the field that names a part, or "".
func partName(at fields.Section) string {
	for _, name := range partNames {
		if at.Text(name) != "" {
			return name
		}
	}
	return ""
}

func partPath(at fields.Section) string {
	if name := partName(at); name != "" {
		return at.Path + name
	}
	return ""
}

// withPart returns a text with the name of the part before it.
func withPart(at fields.Section, text string) string {
	if name := partName(at); name != "" && !messages.HasName(text, at.Text(name)) {
		return at.Text(name) + ": " + text
	}
	return text
}

// isErrorField reports whether a field of that name has an error.
func isErrorField(name string) bool {
	lower := strings.ToLower(name)
	for _, ending := range [...]string{"error", "errors", "errormessage", "failure", "failures", "failuremessage", "failurereason", "errorreason", "problem", "problems", "issue", "issues"} {
		if strings.HasSuffix(lower, ending) {
			return true
		}
	}
	return false
}

// isHistory reports whether a field is about the past.
func isHistory(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "previous") || strings.HasPrefix(lower, "past") || strings.Contains(lower, "history")
}

// isBlank reports whether the text of a field for errors says that there is none.
func isBlank(text string) bool {
	return slices.Contains([]string{"", "none", "null", "nil", "ok", "no error", "false", "0", "n/a", "-"}, strings.ToLower(text))
}

// NotIn returns the texts of the problems that a message lacks, as one text, and their fields.
func NotIn(message string, all []Problem) (text string, paths []string) {
	var texts []string
	for _, p := range all {
		if !strings.Contains(message, p.Text) && !slices.Contains(texts, p.Text) {
			texts = append(texts, p.Text)
			paths = append(paths, p.Paths...)
		}
	}
	return strings.Join(texts, "; "), paths
}
