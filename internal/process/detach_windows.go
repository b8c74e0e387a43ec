package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Detach gives the command a process group and no console of ours: no Ctrl-C of our terminal reaches it.
func Detach(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS
}
