package gallery

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// A Situation is one fault, with the steps that cause it.
type Situation struct {
	Family      string // the folder it is in
	Name        string
	Description string // a sentence about the fault
	Steps       []Step // how to cause it
	IsReal      bool   // a real Node plays it too
	RealSteps   []Step // steps for a real Node only, after the others
	Wait        string // the arguments of kstatus wait
	Cause       string // the kind of the expected first cause
	Evidence    []string
	ByHand      []string // commands with which a person finds the same facts
	Files       []txtar.File
}

// A Step is one line that changes the cluster or waits for it.
type Step struct{ Verb, Args string }

// The verbs of steps, and their numbers of arguments. The last argument takes the rest of the
// line.
var verbs = map[string]int{"apply": 1, "report": 1, "remove": 1, "until": 2, "event": 2, "refused": 0, "power-off": 1}

// Read reads all situations of a family, in the order of their names. The folder may have none.
func Read(dir, family string) ([]Situation, error) {
	paths, err := filepath.Glob(filepath.Join(dir, family, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []Situation
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s, err := Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.Family, s.Name = family, strings.TrimSuffix(filepath.Base(path), ".txtar")
		all = append(all, s)
	}
	return all, nil
}

// Parse reads a situation.
func Parse(text []byte) (Situation, error) {
	archive := txtar.Parse(text)
	s := Situation{Files: archive.Files}
	did, script, _ := strings.Cut(string(archive.Comment), "\n\n")
	s.Description = strings.Join(strings.Fields(did), " ")
	for line := range strings.Lines(script) {
		verb, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, isStep := verbs[verb]; isStep {
			step, err := newStep(verb, args)
			if err != nil {
				return s, err
			}
			s.Steps = append(s.Steps, step)
			continue
		}
		switch {
		case verb == "":
		case verb == "real":
			s.IsReal = true
			if args == "" {
				continue
			}
			verb, args, _ := strings.Cut(args, " ")
			step, err := newStep(verb, args)
			if err != nil {
				return s, err
			}
			s.RealSteps = append(s.RealSteps, step)
		case verb == "wait":
			s.Wait = args
		case verb == "cause":
			s.Cause = args
		case verb == "evidence":
			s.Evidence = append(s.Evidence, args)
		case verb == "by-hand":
			s.ByHand = append(s.ByHand, args)
		default:
			return s, fmt.Errorf("unknown line %q", strings.TrimSpace(line))
		}
	}
	if !strings.HasSuffix(s.Description, ".") || s.Wait == "" || s.Cause == "" || len(s.Evidence) == 0 {
		return s, fmt.Errorf("want a sentence, wait, cause and evidence, have %q, %q, %q and %q", s.Description, s.Wait, s.Cause, s.Evidence)
	}
	return s, nil
}

// newStep returns the step of a line.
func newStep(verb, args string) (Step, error) {
	most, isStep := verbs[verb]
	if !isStep || len(strings.Fields(args)) < most {
		return Step{}, fmt.Errorf("%s: want a step with %d arguments, have %q", verb, most, args)
	}
	return Step{verb, args}, nil
}

// File returns a file of the situation.
func (s *Situation) File(name string) (string, error) {
	for _, f := range s.Files {
		if f.Name == name {
			return string(f.Data), nil
		}
	}
	return "", fmt.Errorf("%s/%s has no file %q", s.Family, s.Name, name)
}

// Command is the command line of the situation.
func (s *Situation) Command() string {
	command := "kstatus wait " + strings.ReplaceAll(s.Wait, "$NS", s.Name)
	for _, flag := range flags {
		if name, _, _ := strings.Cut(flag, " "); !strings.Contains(command, name) {
			command += " " + flag
		}
	}
	return command
}

// flags are added to each wait without them. The fault exists from the start of the wait, and
// nothing recovers. So the grace ends the wait for an object that fails, however slow the machine is.
// A situation whose objects never fail sets a short timeout.
var flags = []string{"--timeout 2m", "--grace 3s"}
