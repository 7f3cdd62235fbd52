package gallery

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/internal/markdown"
)

// A family is a chapter of the page: the situations of one folder.
type family struct{ name, title string }

var families = []family{
	{"images", "Images that cannot be pulled"},
	{"crashes", "Containers that exit"},
	{"settings", "Missing configuration"},
	{"probes", "Pods that run but are not ready"},
	{"scheduling", "Pods that cannot be scheduled"},
	{"admission", "Objects that the API server rejects"},
	{"volumes", "Volumes"},
	{"workloads", "StatefulSets, DaemonSets and Jobs"},
	{"network", "Services and Ingresses"},
	{"scaling", "Autoscalers"},
	{"kinds", "APIs and kinds"},
	{"custom", "Custom resources"},
	{"lifecycle", "Pods that a kubelet ends or rejects"},
	{"deletion", "Objects that are not deleted"},
}

// All reads the situations of all families that the folder has, in the order of the page.
func All(dir string) ([]Situation, error) {
	var all []Situation
	for _, f := range families {
		found, err := Read(dir, f.name)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no situations in %s", dir)
	}
	return all, nil
}

// Real reads the situations that a real Node plays: those of the gallery, and those in the folder only,
// which no simulated Node can play.
func Real(gallery, only string) ([]Situation, error) {
	all, err := All(gallery)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s Situation) bool { return !s.IsReal })
	for i := range all {
		all[i].Steps = append(all[i].Steps, all[i].RealSteps...)
	}
	others, err := All(only)
	return append(all, others...), err
}

// Page returns the page about situations, with the outputs of the command by name.
func Page(all []Situation, outputs map[string]string) string {
	var out strings.Builder
	isReal := 0
	for i := range all {
		if all[i].IsReal {
			isReal++
		}
	}
	fmt.Fprintf(&out, intro, len(all), isReal)
	byHand(&out, all)
	chapters(&out, all, outputs, "real")
	return markdown.Wrap(out.String())
}

// RealPage returns the page about the situations on a real Node.
func RealPage(all []Situation, outputs map[string]string) string {
	var out strings.Builder
	fmt.Fprintf(&out, realIntro, len(all))
	chapters(&out, all, outputs, "simulated")
	return markdown.Wrap(out.String())
}

// chapters writes the sections of all situations, by family. Another node plays some of them too.
func chapters(out *strings.Builder, all []Situation, outputs map[string]string, another string) {
	for _, f := range families {
		title := fmt.Sprintf("\n## %s\n", f.title)
		for i := range all {
			if all[i].Family == f.name {
				out.WriteString(title)
				title = ""
				section(out, &all[i], outputs[all[i].Name], another)
			}
		}
	}
}

const intro = `# Gallery

<!-- Written by make gallery. -->

This page shows %d broken situations on a real cluster, each with the whole output of one
` + "`kstatus wait`" + `. The cluster has etcd, the API server, the controller manager and the scheduler. The
kubelet is simulated: the annotation kstatus.dev/pod and others of a Pod select its behaviour.

A real kubelet plays %d of these situations too, with real containers, and the first cause and the
evidence are the same. These situations say so. Their outputs, and situations that only a real
kubelet can play, are in the [gallery of a real node](gallery-real.md).

Tests check that the first cause in each output is the one that was created, with its evidence. They
also compare each output with this page, except for times, ages, counts, addresses, random suffixes of
names, and the lines before the result.
`

const realIntro = `# Gallery of a real node

<!-- Written by make gallery-real. -->

This page shows %d broken situations on a node with a real kubelet 1.36, containerd 2.4 and runc 1.5,
each with the whole output of one ` + "`kstatus wait`" + `. All words of the kubelet and of the runtime are
real, and so are the logs. The images come from a registry on the same machine, and contain one program whose
arguments select how it behaves.

A test checks that the first cause in each output is the one that was created, with its evidence. The
outputs are from one run; others differ in times and in the moment of a restart.

When a container exits by itself, its state is terminated most of the time. It has the reason
CrashLoopBackOff only for a moment before each restart, as long as restarts are less than a minute
apart.
`

// byHand returns the table of the commands with which a person finds the same facts.
func byHand(out *strings.Builder, all []Situation) {
	fmt.Fprintf(out, "\n## With kubectl\n\nThe number of commands that show the same facts, if you know where to look. Each situation lists its\ncommands.\n\n| situation | kubectl | kstatus |\n|---|---|---|\n")
	for i := range all {
		if n := len(all[i].ByHand); n > 0 {
			fmt.Fprintf(out, "| [%s](#%s) | %d | 1 |\n", all[i].Name, all[i].Name, n)
		}
	}
}

// section writes the section about one situation.
func section(out *strings.Builder, s *Situation, output, another string) {
	fmt.Fprintf(out, "\n### %s\n\n%s\n\n", s.Name, s.Description)
	if s.IsReal {
		fmt.Fprintf(out, "A %s node plays this situation too, with the same first cause.\n\n", another)
	}
	if len(s.Files) > 0 {
		out.WriteString("<details><summary>What was done</summary>\n\n")
		for _, step := range s.Steps {
			fmt.Fprintf(out, "    %s %s\n", step.Verb, step.Args)
		}
		for _, f := range s.Files {
			fmt.Fprintf(out, "\n```yaml\n# %s\n%s```\n", f.Name, strings.ReplaceAll(string(f.Data), "$NS", s.Name))
		}
		out.WriteString("\n</details>\n\n")
	}
	fmt.Fprintf(out, "%s%s\n%s%s", consoleFence, s.Command(), output, fence)
	if len(s.ByHand) > 0 {
		fmt.Fprintf(out, "\nWith kubectl, %d commands:\n\n```console\n", len(s.ByHand))
		for _, c := range s.ByHand {
			fmt.Fprintf(out, "$ %s\n", strings.ReplaceAll(c, "$NS", s.Name))
		}
		out.WriteString(fence)
	}
}

const (
	consoleFence = "```console\n$ "
	fence        = "```\n"
)

// Outputs reads the outputs of the command from a page, by the names of situations.
func Outputs(page string) map[string]string {
	outputs := map[string]string{}
	for _, section := range strings.Split(page, "\n### ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		_, rest, _ = strings.Cut(rest, consoleFence)
		_, rest, _ = strings.Cut(rest, "\n")
		output, _, _ := strings.Cut(rest, fence)
		outputs[name] = output
	}
	return outputs
}
