//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Detach starts the command in a process session of its own: signals to our terminal or process group do not reach it.
func Detach(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
}
