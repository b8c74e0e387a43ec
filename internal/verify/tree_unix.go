//go:build unix

package verify

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the server a process group, so that its children can be ended with it and Ctrl-C is ours alone.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd is what clients send to a server that stays.
func askToEnd(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func endTree(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
