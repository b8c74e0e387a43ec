package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Detach starts the command in a process group of its own, without our console: Ctrl-C in our terminal does not reach
// it.
func Detach(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS
}
