package chromium

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// inheritPipe passes the handles by number: the browser reads them from --remote-debugging-io-pipes.
func inheritPipe(cmd *exec.Cmd, in, out *os.File) {
	r, w := windows.Handle(in.Fd()), windows.Handle(out.Fd())
	for _, h := range []windows.Handle{r, w} {
		_ = windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, syscall.Handle(r),
		syscall.Handle(w))
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", r, w))
}
