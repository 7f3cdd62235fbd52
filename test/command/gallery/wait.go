package gallery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/report"
)

// Wait runs the command of a situation once. It returns the output and the report.
func (p *Player) Wait(ctx context.Context, s *Situation, program, kubeconfig string) (string, *report.Run, error) {
	dir, err := os.MkdirTemp("", "kstatus-gallery-")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(dir)
	if err := p.writeFiles(s, dir, kubeconfig); err != nil {
		return "", nil, err
	}
	args := append(strings.Fields(strings.ReplaceAll(s.Command(), "'", ""))[1:], "--report", "json=run.json")
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "kubeconfig"), "HOME="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // not a terminal, so there is no live view
	if err := cmd.Run(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 3 && exit.ExitCode() != 4 {
			return "", nil, fmt.Errorf("%s: %w\n%s", s.Command(), err, out.String())
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		return "", nil, err
	}
	run := &report.Run{}
	return out.String(), run, json.Unmarshal(text, run)
}

// writeFiles writes the files of a situation, and a kubeconfig file with its namespace.
func (p *Player) writeFiles(s *Situation, dir, kubeconfig string) error {
	for _, f := range s.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(p.Expand(string(f.Data))), 0o600); err != nil {
			return err
		}
	}
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		return err
	}
	current := config.Contexts[config.CurrentContext]
	if current == nil {
		return fmt.Errorf("%s has no context %q", kubeconfig, config.CurrentContext)
	}
	current.Namespace = p.Namespace
	return clientcmd.WriteToFile(*config, filepath.Join(dir, "kubeconfig"))
}

// Evidence returns the evidence of the first cause in an output: the text from the word Evidence to
// the next label or blank line.
func Evidence(out string) string {
	_, rest, _ := strings.Cut(out, "\n  Cause ")
	_, rest, _ = strings.Cut(rest, "\n  Evidence ")
	var lines strings.Builder
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 && !strings.HasPrefix(line, "     ") {
			break
		}
		lines.WriteString(line + "\n")
	}
	return lines.String()
}
