package process

import (
	"os/exec"
	"strconv"
)

// OwnGroup does nothing: KillTree finds the children of a command without a group.
func OwnGroup(*exec.Cmd) {}

// KillTree ends a command with its children.
func KillTree(cmd *exec.Cmd) error {
	_ = exec.Command("taskkill", "/pid", strconv.Itoa(cmd.Process.Pid), "/T", "/F").Run()
	return cmd.Process.Kill()
}
