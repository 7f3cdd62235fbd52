package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

const intro = `# The conditions kit beside others

One script of %d reconciles of one custom resource, played by four kits at the same time on one cluster (a real API server), each on an
object of its own, more than a second between two reconciles. Each kit is told the same findings and is used as its own documentation says; see
the ` + "`helper_*.go` in [test/kits](../test/kits)" + `. This page is written by that program in one run: ` + "`make measure-kits`" + `.

| what happens | writes needed | %s |
|---|---|%s
`

const legend = `
Writes are requests for the status subresource; of these, *refused* ones were answered with a conflict and *idle* ones changed
nothing, since the API server does not store what is equal. A version is what a watcher sees. A report is torn if a watcher sees it in pieces: the
conditions in one version, the observedGeneration or the rest of the status in the next. A transition time is wrong if it moved although the
status had not changed, or did not although it had. Reads are those that the kit sends by itself; in a manager they may come from a cache.

What to know when reading it:

- apimachinery has a function for one condition. All else is written by hand in the helper, as well as can be: one Update, none
  when nothing has changed, all types at the first visit, the summary, the generations. A conflict is a whole reconcile again.
- Cluster API and Flux write the conditions first, then the rest of the status, and keep the observed generation when a reconcile fails.
  The pause of Cluster API ends the first reconcile, so its first report has one type.
- Flux counts a new message or reason as a transition, and says so; apimachinery, Cluster API and the conventions of Kubernetes count a new status only.
  It has no condition for a pause: what is suspended is left alone, and two of the writes that others need are not needed.
- At the first visit nothing has been found out about Degraded yet.
- *Ready, and the spec changes while it is looked at*: kstatus writes Ready Unknown, since nobody has looked at the new spec; the Update by apimachinery is
  refused and the reconcile begins again, so that nothing is left for the next one; the others write Ready True of the old one.
`

// page is the page of measurements.
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
	fmt.Fprintf(&b, "\nSummaries: of %d states of three parts (missing, True, False, Unknown; one of them bad when True, one that may be missing) kstatus and Cluster API give\n"+
		"the same status in %d, and with the reasons of Cluster API's kinds (`WithReasons`) the same reason in %d.\n", agree[0], agree[1], agree[2])
	b.WriteString("\nVersions: " + strings.Join(versions(results), ", ") + ".\n")
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

// versions are the modules of the kits, as they are built in.
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
