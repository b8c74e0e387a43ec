//go:build unix

package chromium

import (
	"os"
	"os/exec"
)

// inheritPipe passes the browser its ends of the pipe as descriptors 3 and 4, where it expects them.
func inheritPipe(cmd *exec.Cmd, in, out *os.File) {
	widen(in)
	widen(out)
	cmd.ExtraFiles = []*os.File{in, out}
}
