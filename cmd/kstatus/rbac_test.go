package main

import (
	"slices"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/wiretest"
)

// Roles have the rules that a command needs. Other rules are requested.
func TestOptionalRules(t *testing.T) {
	const note = "note: Optional rules are left out. --optional adds them."
	for _, row := range []struct {
		args               string
		definitions, extra bool // the roles have rules for definitions, and for explanations
		noted              bool
	}{
		{"widget/late", false, false, true},
		{"--optional widget/late", true, false, false},
		{"-- wait widget/late", false, false, true},
		{"--optional -- wait widget/late", true, true, false},
		{"-- wait widget/late --explain=none", false, false, true},
		{"-- wait configmap/a --explain=none", false, false, false},
		{"-- wait configmap/a", false, false, true},
		{"--explain -- wait widget/late", false, true, true},
		{"--explain widget/late", false, true, true},
		{"-- explain widget/late", false, true, true},
		{"-- get service/a -o wide", false, false, true},
		{"--optional -- get service/a -o wide", false, true, false},
		{"-- get widget/late", false, false, true},
		{"-- ", false, true, true},
		{"--optional -- ", false, true, false},
	} {
		t.Run(row.args, func(t *testing.T) {
			t.Parallel()
			c := newMemoryCluster(t, webDeployment)
			c.Serve(wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"})
			c.Serve(wiretest.Resource{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true})
			before, after, isLine := strings.Cut(row.args, "-- ")
			args := append([]string{"rbac"}, c.flags...)
			args = append(args, strings.Fields(before)...)
			if isLine {
				args = append(args, "--")
			}
			have := runWith(t, "", append(args, strings.Fields(after)...)...)
			if have.code != exit.OK {
				t.Fatalf("have %d\n%s", have.code, have.notes)
			}
			if definitions := strings.Contains(have.out, "-definitions"); definitions != row.definitions {
				t.Errorf("rules for definitions: %t\n%s", definitions, have.out)
			}
			if extra := strings.Contains(have.out, "-explanations"); extra != row.extra {
				t.Errorf("rules for explanations: %t\n%s", extra, have.out)
			}
			if noted := strings.Contains(have.notes, note); noted != row.noted || noted != strings.Contains(have.out, strings.Replace(note, "note:", "#", 1)) {
				t.Errorf("noted: %t\n%s%s", noted, have.notes, have.out)
			}
		})
	}
}

// The commands of the command lines are commands of kstatus, and the help of rbac names them.
func TestCommandsOfCommandLines(t *testing.T) {
	root := newRootCommand(cli.Env{}, "kstatus")
	rbac, _, err := root.Find([]string{"rbac"})
	if err != nil {
		t.Fatal(err)
	}
	help := strings.Join(strings.Fields(rbac.Long), " ")
	for _, c := range permissions {
		for _, path := range append([]string{""}, c.Subcommands...) {
			words := strings.Fields(c.Name + " " + path)
			if found, rest, err := root.Find(words); err != nil || len(rest) > 0 || found.CommandPath() != "kstatus "+strings.Join(words, " ") {
				t.Errorf("%s: have the command %s, %v", words, found.CommandPath(), err)
			}
		}
		if !strings.Contains(help, c.Name) {
			t.Errorf("the help of rbac does not name %s", c.Name)
		}
	}
}

// Only some subcommands have permissions.
func TestCommandsWithoutPermissions(t *testing.T) {
	t.Parallel()
	c := newMemoryCluster(t)
	for _, line := range []string{"capi move status", "capi", "version", "rbac"} {
		words := strings.Fields(line)
		have := runWith(t, "", slices.Concat([]string{"rbac"}, c.flags, []string{"--"}, words)...)
		want := words[len(words)-1] + ": want a command line of get, wait, explain, report-verdict, audit, lint, capi check, capi pause, capi unpause or capi move after --"
		if have.code != exit.WrongUsage || !strings.Contains(have.notes, want) {
			t.Errorf("%s: have %d %s", line, have.code, have.notes)
		}
	}
}
