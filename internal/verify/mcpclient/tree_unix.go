//go:build unix

package mcpclient

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the server a process group of its own: its children can be killed with it, and Ctrl-C reaches only the
// client.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate sends what clients send to a server that stays.
func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killTree kills the server and its children.
func killTree(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
