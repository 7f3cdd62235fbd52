// Package standin is the protocol between a test and the program that replaces kstatus in it.
package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The environment variables of a stand-in: the address of the Server, and the stage.
const (
	Socket = "KSTATUS_TEST_SOCKET"
	Stage  = "KSTATUS_TEST_STAGE"
)

// IsOwn reports whether an environment variable is replaced or useless for kstatus.
func IsOwn(setting string) bool {
	name, _, _ := strings.Cut(setting, "=")
	return slices.Contains([]string{Socket, Stage, "KUBECONFIG"}, name)
}

// A Request is a command line of kstatus that is about to run.
type Request struct {
	Stage      string // the stage that runs it
	Args       []string
	Dir        string
	Kubeconfig string
	Input      []byte // the input for -f -
}

// An Answer describes how to run it.
type Answer struct {
	Command    string // the path of kstatus
	Kubeconfig string
	Stdin      string // the path of a file with the input; empty: no input was read
	Error      string
}

// Ask sends the request for a command line and returns the answer.
func Ask(args []string, stdin io.Reader) (a Answer, err error) {
	r := Request{Stage: os.Getenv(Stage), Args: args, Kubeconfig: os.Getenv("KUBECONFIG")}
	if r.Dir, err = os.Getwd(); err != nil {
		return a, err
	}
	if slices.Contains(args, "-") || slices.Contains(args, "-f-") {
		if r.Input, err = io.ReadAll(stdin); err != nil {
			return a, err
		}
	}
	if r.Kubeconfig != "" && !filepath.IsAbs(r.Kubeconfig) {
		r.Kubeconfig = filepath.Join(r.Dir, r.Kubeconfig)
	}
	to, err := net.Dial("unix", os.Getenv(Socket))
	if err != nil {
		return a, err
	}
	defer to.Close()
	if err = json.NewEncoder(to).Encode(r); err == nil {
		err = json.NewDecoder(to).Decode(&a)
	}
	if err == nil && a.Error != "" {
		err = fmt.Errorf("%s", a.Error)
	}
	return a, err
}
