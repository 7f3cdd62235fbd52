//go:build unix && !linux

package process

import "os/exec"

// startBound starts a program that does not outlive this process. macOS has no signal for the death
// of a parent. Instead, a shell waits on a pipe of ours.
func startBound(cmd *exec.Cmd) (release func(), err error) {
	w, err := startWatched(cmd)
	if err != nil {
		return nil, err
	}
	return w.release, nil
}
