//go:build unix && !linux

package cluster

import "os/exec"

// guard starts a program that does not outlive this process. macOS has no signal for the death
// of a parent. Instead, a shell waits on a pipe of ours.
func guard(cmd *exec.Cmd) (release func(), err error) {
	w, err := startWatched(cmd)
	if err != nil {
		return nil, err
	}
	return w.release, nil
}
