package process

import (
	"os/exec"
	"syscall"
)

// startBound starts a program that the kernel kills when the calling thread ends. The thread ends
// at the latest with this process, also after a panic, os.Exit or SIGKILL.
func startBound(cmd *exec.Cmd) (release func(), err error) {
	ownGroup(cmd)
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return func() {}, cmd.Start()
}
