//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup gives a command a process group, so that its children can be ended with it.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillTree ends a command that has its own group, with its children.
func KillTree(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
