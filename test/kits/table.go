package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

const intro = `# Measurements of the conditions kit

This page compares the kit with those of apimachinery, Cluster API and Flux. Four kits play one
script of %d reconciles of a custom resource, at the same time on one cluster with a real API
server. Each kit has its own object, and waits more than a second between two reconciles. All kits
get the same facts, and each is used as its documentation describes: the ` + "`helper_*.go`" + ` in
[test/kits](../test/kits). ` + "`make measure-kits`" + ` writes this page in one run.

| what happens | writes needed | %s |
|---|---|%s
`

const legend = `
| term | meaning |
|---|---|
| write | a request for the status subresource |
| *refused* | the API server answered the write with a conflict |
| *idle* | the write changed nothing; the API server does not store an equal object |
| version | a state of the object that a watcher sees |
| torn report | a watcher sees the conditions in one version. It sees the observedGeneration or the rest of the status in the next |
| wrong transition time | it changed although the status did not, or the reverse |
| read | a request of the kit itself; in a manager it may come from a cache |

Notes on the kits:

- apimachinery has a function for one condition. The helper has all other code, as good as
  possible. It sends one Update, or none if nothing changed. It reports all types in the first
  reconcile, and it computes the summary and the generations. A conflict causes a whole new
  reconcile.
- Cluster API and Flux write the conditions first, then the rest of the status. If a reconcile
  fails, they do not advance the observed generation. The pause of Cluster API ends the first
  reconcile, so its first report has one type.
- Flux counts a new message or reason as a transition, and documents that. apimachinery, Cluster API
  and the conventions of Kubernetes count only a new status.
- Flux has no condition for a pause. It ignores suspended objects, and needs two writes less than
  the others.
- In the first reconcile, the controller has no facts about Degraded yet.
- In *ready, and the spec changes while it is read*, kstatus writes Ready Unknown, because no
  reconcile has read the new spec. The Update by apimachinery is refused and the reconcile begins
  again, so the next one has no work. The others write Ready True of the old spec.
`

// page is the path of the page of measurements.
func page(results []*result, agree [3]int) string {
	var names, line []string
	for _, r := range results {
		names = append(names, r.name)
		line = append(line, "---|")
	}
	n := 0
	for _, s := range script {
		n += max(s.times, 1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, intro, n, strings.Join(names, " | "), strings.Join(line, ""))
	row := func(what string, needed any, cell func(*result) string) {
		fmt.Fprintf(&b, "| %s | %v |", what, needed)
		for _, r := range results {
			fmt.Fprintf(&b, " %s |", cell(r))
		}
		b.WriteString("\n")
	}
	needed := 0
	for i, s := range script {
		name := s.name
		if s.times > 1 {
			name += fmt.Sprintf(", %d times", s.times)
		}
		needed += s.needed
		row(name, s.needed, func(r *result) string { return r.steps[i].requests() })
	}
	number := func(of func(*result) int) func(*result) string {
		return func(r *result) string { return fmt.Sprintf("%d", of(r)) }
	}
	row("**writes of the status**", fmt.Sprintf("**%d**", needed), func(r *result) string { return "**" + r.total.requests() + "**" })
	row("reads of the object by the kit", "", number(func(r *result) int { return r.total.reads }))
	row("versions that a watcher sees", needed, number(func(r *result) int { return r.versions }))
	row("of these, torn reports", 0, number(func(r *result) int { return r.torn }))
	row("of these, Ready True with an old observedGeneration", 0, number(func(r *result) int { return r.oldReady }))
	row("transition times wrong", 0, number(func(r *result) int { return r.wrongTimes }))
	row("reconciles that left the observedGeneration behind its conditions", 0, number(func(r *result) int { return r.behind }))
	row("of 4 types, in the first report", 4, number(func(r *result) int { return r.firstTypes }))
	row("another controller's condition lost", "no", func(r *result) string { return map[bool]string{true: "**yes**", false: "no"}[r.lostForeign] })
	b.WriteString(legend)
	fmt.Fprintf(&b, "\nSummaries have three parts: missing, True, False or Unknown. One part is bad if it is True, and one\n"+
		"may be missing. In %d states, kstatus and Cluster API give the same status in %d. With the reasons\n"+
		"of Cluster API's kinds (`WithReasons`), the reason is the same in %d.\n", agree[0], agree[1], agree[2])
	b.WriteString("\nVersions:\n\n- " + strings.Join(versions(results), "\n- ") + "\n")
	return b.String()
}

func (t tally) requests() string {
	text := fmt.Sprintf("%d", t.writes)
	var of []string
	if t.refused > 0 {
		of = append(of, fmt.Sprintf("%d refused", t.refused))
	}
	if t.idle > 0 {
		of = append(of, fmt.Sprintf("%d idle", t.idle))
	}
	if t.spec > 0 {
		of = append(of, fmt.Sprintf("%d more for the spec", t.spec))
	}
	if len(of) > 0 {
		text += " (" + strings.Join(of, ", ") + ")"
	}
	return text
}

// versions returns the versions of the kits' modules in this binary.
func versions(results []*result) (all []string) {
	built, _ := debug.ReadBuildInfo()
	for _, r := range results {
		for _, m := range built.Deps {
			if m.Path == r.module && m.Replace == nil {
				all = append(all, m.Path+" "+m.Version)
			}
		}
	}
	return append(all, "kstatus.dev/kube of this repository")
}
