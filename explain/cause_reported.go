package explain

import (
	"maps"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// reported is what its status says of an object of which nothing more is found. That is
// no more than what was last seen of it, unless something is wrong or the words are those
// of its controller.
func (n *node) reported() []found {
	f := found{kind: "Reported", text: n.Message(), key: n.workload() + " " + n.Message()}
	worded := false
	for _, read := range slices.Concat(n.telling(), n.worded()) {
		value := show.Value(read.Value)
		worded = worded || isWordsIn(value, f.text)
		e := Evidence{From: originOf(read.Path), Object: n.ID, Path: "." + read.Path, Value: value}
		if len(f.evidence) < 4 && !slices.ContainsFunc(f.evidence, func(has Evidence) bool { return has.Path == e.Path }) {
			f.evidence = append(f.evidence, e)
		}
	}
	if n.Result.Status != status.FailedStatus && !n.failing() && n.Result.Reason != "SummaryConditionNotTrue" {
		f.kind = "Unexplained"
		if !worded {
			f.text = "unknown; last seen: " + f.text
		}
	}
	for _, e := range n.warnings() {
		f.evidence = append(f.evidence, e)
		break
	}
	if len(f.evidence) == 0 {
		f.evidence = []Evidence{{From: FromStatus, Object: n.ID, Value: string(n.Result.Status) + " " + n.Result.Reason}}
	}
	return []found{f}
}

// telling returns the fields that decided and say something. Where conditions
// are among them they say it, with their messages.
func (n *node) telling() (all []status.Read) {
	told := map[string]bool{}
	for _, read := range n.Reads {
		condition, field, ok := strings.Cut(read.Path, "].")
		if !ok || !strings.HasPrefix(condition, "status.conditions[") || read.Value == nil {
			continue
		}
		if field != "message" {
			all = append(all, read)
		}
		if message := n.Text(condition + "].message"); message != "" && !told[condition] && field == "reason" {
			told[condition] = true
			all = append(all, status.Read{Path: condition + "].message", Value: message})
		}
	}
	if len(all) == 0 {
		all = slices.DeleteFunc(slices.Clone(n.Reads), func(r status.Read) bool { return r.Value == nil })
	}
	return all
}

// worded returns the fields of the status whose words are in the message of its verdict.
func (n *node) worded() (all []status.Read) {
	under := n.Under("status")
	for _, field := range slices.Sorted(maps.Keys(under.Map)) {
		if value, ok := under.Map[field].(string); ok && isWordsIn(value, n.Message()) {
			all = append(all, status.Read{Path: "status." + field, Value: value})
		}
	}
	return all
}

// isWordsIn reports whether a text has what somebody has said in words.
func isWordsIn(said, text string) bool {
	return strings.Contains(said, " ") && strings.Contains(text, said)
}
