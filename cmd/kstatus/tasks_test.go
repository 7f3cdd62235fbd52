package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

// A task is an everyday task of users, with the shortest command lines for it.
type task struct {
	name    string
	kubectl toolCommand
	helm    toolCommand
	argocd  toolCommand
	kstatus string
}

// A toolCommand is the command line of a tool, and the part of the task that it does not do.
type toolCommand struct{ line, restriction string }

var tasks = []task{
	{
		"wait for the rollout of a Deployment",
		toolCommand{"kubectl rollout status deploy/web", ""}, toolCommand{}, toolCommand{"argocd app wait shop --resource apps:Deployment:web", ""},
		"kstatus wait deploy/web",
	},
	{
		"wait for the objects of a directory",
		toolCommand{"kubectl rollout status deploy -l app=shop", "Deployments only"}, toolCommand{}, toolCommand{"argocd app wait shop", ""},
		"kstatus wait -f shop/",
	},
	{
		"wait for a Helm release",
		toolCommand{"kubectl rollout status deploy -l app.kubernetes.io/instance=web", "Deployments only"},
		toolCommand{"helm upgrade web ./web --wait", "during an upgrade only"}, toolCommand{},
		"kstatus wait helm/web",
	},
	{
		"wait for everything in a namespace",
		toolCommand{"kubectl wait pod --all --for=condition=Ready", "Pods only"}, toolCommand{}, toolCommand{"argocd app wait shop", "one Application"},
		"kstatus wait",
	},
	{
		"wait for a Job, and see its log if it fails",
		toolCommand{"kubectl wait job/migrate --for=condition=Complete || kubectl logs job/migrate", "a failure is noticed at the timeout"},
		toolCommand{"helm upgrade web ./web --wait --wait-for-jobs", "without the log"}, toolCommand{"argocd app wait shop || argocd app logs shop", ""},
		"kstatus wait job/migrate",
	},
	{
		"wait for a CRD and its custom resource",
		toolCommand{"kubectl wait -f crd.yaml --for=condition=Established && kubectl wait -f lamp.yaml --for=condition=Ready", ""}, toolCommand{},
		toolCommand{"argocd app wait shop", ""},
		"kstatus wait -f lamps/",
	},
	{
		"wait for a deletion",
		toolCommand{"kubectl wait deploy/web --for=delete", ""}, toolCommand{"helm uninstall web --wait", "a release"}, toolCommand{"argocd app wait shop --delete", "an Application"},
		"kstatus wait deploy/web --for=delete",
	},
	{
		"wait for Pods with a label",
		toolCommand{"kubectl wait pod -l app=web --for=condition=Ready", ""}, toolCommand{}, toolCommand{},
		"kstatus wait pod -l app=web",
	},
	{
		"see why a Deployment is stuck",
		toolCommand{"kubectl describe deploy/web; kubectl describe pod -l app=web; kubectl logs -l app=web --previous", ""}, toolCommand{},
		toolCommand{"argocd app get shop", "status and messages"},
		"kstatus explain deploy/web",
	},
	{
		"see all objects of a cluster that are not ready",
		toolCommand{"kubectl get pod -A --field-selector=status.phase!=Running", "Pods only, crash loops are missing"}, toolCommand{}, toolCommand{"argocd app list", "Applications, all of them"},
		"kstatus -A",
	},
}

// words returns the number of words of a command line.
func words(line string) int { return len(strings.Fields(line)) }

// tasksSection returns the section of docs/reference/commands.md about tasks.
func tasksSection() string {
	var b strings.Builder
	b.WriteString(`
## Everyday tasks

The shortest command lines, with the number of their words. If a cell is empty, the tool has no command for
the task.

| Task | kubectl | Helm | Argo CD | kstatus |
|---|---|---|---|---|
`)
	total := map[string]int{}
	cell := func(tool string, c toolCommand) string {
		if c.line == "" {
			return ""
		}
		total[tool] += words(c.line)
		text := fmt.Sprintf("`%s` %d", strings.ReplaceAll(c.line, "|", "\\|"), words(c.line))
		if c.restriction != "" {
			text += " (" + c.restriction + ")"
		}
		return text
	}
	for _, t := range tasks {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", t.name, cell("kubectl", t.kubectl), cell("helm", t.helm), cell("argocd", t.argocd), cell("kstatus", toolCommand{t.kstatus, ""}))
	}
	fmt.Fprintf(&b, "| all words | %d | | | %d |\n", total["kubectl"], total["kstatus"])
	return b.String()
}

// The command lines of tasks are valid. None has more words than the command line of another
// tool for the same task.
func TestEverydayTasks(t *testing.T) {
	if len(tasks) != 10 {
		t.Errorf("%d tasks, want 10", len(tasks))
	}
	for _, task := range tasks {
		root := newRootCommand(cli.Env{Now: func() time.Time { return time.Time{} }}, "kstatus")
		fields := strings.Fields(task.kstatus)
		cmd, rest, err := root.Find(fields[1:])
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil {
			t.Errorf("%s: %s: %v", task.name, task.kstatus, err)
		}
		for _, other := range []toolCommand{task.kubectl, task.helm, task.argocd} {
			if other.line != "" && other.restriction == "" && words(other.line) < words(task.kstatus) {
				t.Errorf("%s: %d words, but %q has %d", task.name, words(task.kstatus), other.line, words(other.line))
			}
		}
	}
}
