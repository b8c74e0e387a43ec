package verify

import (
	"os/exec"
	"strconv"
)

func ownGroup(*exec.Cmd) {}

// terminate does nothing: Windows has no such signal.
func terminate(*exec.Cmd) {}

// killTree kills the server and its children.
func killTree(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/pid", strconv.Itoa(cmd.Process.Pid), "/T", "/F").Run()
	_ = cmd.Process.Kill()
}
