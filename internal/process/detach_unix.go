//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Detach gives the command a process session of its own: no signal to our terminal or process group reaches it.
func Detach(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
}
