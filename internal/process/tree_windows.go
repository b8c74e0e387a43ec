package process

import (
	"os/exec"
	"strconv"
)

// OwnGroup gives a command a process group, so that its children can be ended with it.
func OwnGroup(*exec.Cmd) {}

// KillTree ends a command with its children.
func KillTree(cmd *exec.Cmd) error {
	_ = exec.Command("taskkill", "/pid", strconv.Itoa(cmd.Process.Pid), "/T", "/F").Run()
	return cmd.Process.Kill()
}
