package manifest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// BuildArgument is the first argument of a process that only builds a kustomization. main passes
// the other arguments to [BuildMain].
const BuildArgument = "__build-kustomization"

// noRemoteArgument follows BuildArgument for a process without HTTP and git.
const noRemoteArgument = "--no-remote"

// A built is the output of the process that builds a kustomization.
type built struct {
	Objects []json.RawMessage
	Error   string
}

// BuildMain builds a kustomization, prints it to out, and returns the exit code. It changes its
// process: with --no-remote, the process has neither HTTP nor a PATH to find git in.
func BuildMain(args []string, out io.Writer) int {
	log.SetFlags(0)
	noRemote := len(args) > 0 && args[0] == noRemoteArgument
	if noRemote {
		args = args[1:]
		http.DefaultTransport = noTransport{}
		if err := os.Unsetenv("PATH"); err != nil {
			log.Print(err)
			return 1
		}
	}
	if len(args) != 1 {
		log.Print("want one directory")
		return 1
	}
	if err := json.NewEncoder(out).Encode(encodeBuilt(buildHere(args[0], noRemote))); err != nil {
		log.Print(err)
		return 1
	}
	return 0
}

func encodeBuilt(items []Object, err error) (b built) {
	for _, item := range items {
		text, encodeErr := json.Marshal(item.Content)
		if err = errors.Join(err, item.Err, encodeErr); err != nil {
			break
		}
		b.Objects = append(b.Objects, text)
	}
	if err != nil {
		return built{Error: err.Error()}
	}
	return b
}

// noTransport is an HTTP transport that sends no request.
type noTransport struct{}

// RoundTrip returns an error.
func (noTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, remoteError(r.URL.Redacted())
}

// build builds a kustomization in a process of its own. Kustomize cannot be used without HTTP and
// git otherwise. It also writes warnings to the standard error of its process, and a few errors
// end the process. Without a Program, build builds in this process.
func (r Reader) build(dir string) ([]Object, error) {
	if r.Program == "" {
		return buildHere(dir, r.NoRemote)
	}
	args := []string{os.Args[0], BuildArgument}
	if r.NoRemote {
		args = append(args, noRemoteArgument)
	}
	var out, logged bytes.Buffer
	cmd := exec.CommandContext(r.ctx, r.Program)
	cmd.Args = append(args, dir)
	cmd.Stdout, cmd.Stderr = &out, &logged
	cmd.WaitDelay = time.Second // for a git that is still running
	err := cmd.Run()
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	last := ""
	for line := range strings.Lines(logged.String()) {
		if line = strings.TrimSpace(line); line != "" {
			last = line
			r.Warn("kustomize: " + line)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("kustomize: %w: %s", err, last)
	}
	return decodeBuilt(out.Bytes())
}

func decodeBuilt(text []byte) (items []Object, err error) {
	var b built
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, fmt.Errorf("read the output of kustomize: %w", err)
	}
	if b.Error != "" {
		return nil, errors.New(b.Error)
	}
	for _, text := range b.Objects {
		value, _, err := DecodeJSON(text)
		if err != nil {
			return nil, err
		}
		object, _ := value.(map[string]any) // kustomize returns objects only
		items = append(items, Object{Content: object})
	}
	return items, nil
}
