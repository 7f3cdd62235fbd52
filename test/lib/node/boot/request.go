//go:build linux

package boot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// Verb is what process 1 can do with a program.
type Verb string

const (
	Start     Verb = "start"
	Terminate Verb = "terminate"
	Kill      Verb = "kill"
)

// Request sends a request to process 1 of the Node in a folder, and waits until it is done.
func Request(ctx context.Context, dir string, verb Verb, program string) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", Socket(dir))
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := fmt.Fprintln(conn, verb, program); err != nil {
		return err
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, program, err)
	}
	if text := strings.TrimSpace(string(answer)); text != done {
		return fmt.Errorf("%s %s: %s", verb, program, text)
	}
	return nil
}

// done is the answer to a successful request. All other answers are errors.
const done = "done"

func (n *node) serve(conn net.Conn) {
	defer conn.Close()
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return // the client has left
	}
	answer := done
	if err := n.obey(strings.TrimSpace(line)); err != nil {
		answer = err.Error()
	}
	fmt.Fprintln(conn, answer)
}

func (n *node) obey(line string) error {
	verb, name, _ := strings.Cut(line, " ")
	switch Verb(verb) {
	case Start:
		return n.start(name)
	case Terminate:
		return n.end(name, syscall.SIGTERM)
	case Kill:
		return n.end(name, syscall.SIGKILL)
	}
	return errors.New("want start, terminate or kill")
}
