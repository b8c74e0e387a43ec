package mcpclient

import (
	"context"
	"os/exec"
	"strconv"
)

// ownGroup does nothing: taskkill finds the children without it.
func ownGroup(*exec.Cmd) {}

// terminate does nothing: Windows has no such signal.
func terminate(*exec.Cmd) {}

// killTree kills the server and its children.
func killTree(cmd *exec.Cmd) {
	_ = exec.CommandContext(context.Background(), "taskkill", "/pid", strconv.Itoa(cmd.Process.Pid), "/T", "/F").Run()
	_ = cmd.Process.Kill()
}
