//go:build unix

package chromium

import (
	"os"
	"os/exec"
)

// inheritPipe gives the browser its ends of the pipe where it looks for them: descriptors 3 and 4.
func inheritPipe(cmd *exec.Cmd, in, out *os.File) {
	widen(in)
	widen(out)
	cmd.ExtraFiles = []*os.File{in, out}
}
